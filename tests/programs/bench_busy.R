# An R program as people write them: model fits, apply functions, closures.
seconds <- as.numeric(commandArgs(TRUE)[1])
until <- Sys.time() + seconds
set.seed(1)
d <- data.frame(x = rnorm(500), g = gl(5, 100))
d$y <- 2 * d$x + as.integer(d$g) + rnorm(500)
loss <- function(p) sum((d$y - p[1] - p[2] * d$x)^2)
while (Sys.time() < until) {
    fit <- lm(y ~ x + g, data = d)
    by_group <- sapply(split(d$y, d$g), function(v) quantile(v, 0.9))
    best <- optim(c(0, 0), loss, control = list(maxit = 30))
    text <- vapply(1:50, function(i) paste0("row", i), "")
}
