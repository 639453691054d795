# About 190 native frames under 30 R functions: recursion in interpreted (not
# byte-compiled) code.  Ends by itself after the number of seconds given; the
# second argument is the depth of the recursion (30), the third how many pairs of
# braces more stand around each call: native frames without an R frame (0).
invisible(compiler::enableJIT(0))
args <- as.numeric(commandArgs(TRUE))
until <- Sys.time() + args[1]
depth <- if (length(args) > 1) args[2] else 30

spin <- function() {
    x <- 0
    for (i in 1:2000) x <- x + i %% 7
    x
}
down <- function(n)
    if (n == 0) {
        spin()
    } else {
        down(n - 1)
    }
for (i in seq_len(if (length(args) > 2) args[3] else 0))
    body(down)[[4]] <- call("{", body(down)[[4]])
while (Sys.time() < until) down(depth)
