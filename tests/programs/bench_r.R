# About 190 native frames under 30 R functions: recursion in interpreted (not
# byte-compiled) code.  Ends by itself after the number of seconds given.
invisible(compiler::enableJIT(0))
seconds <- as.numeric(commandArgs(TRUE)[1])
until <- Sys.time() + seconds

spin <- function() {
    x <- 0
    for (i in 1:2000) x <- x + i %% 7
    x
}
down <- function(n) {
    if (n == 0) {
        spin()
    } else {
        down(n - 1)
    }
}
while (Sys.time() < until) down(28)
