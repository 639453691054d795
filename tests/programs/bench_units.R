# Equal units of work, about 20 ms each, 30 functions deep in interpreted code:
# one for each line that comes through the first fifo, answered with a line
# through the second.  Between two units the process sleeps, so that its CPU
# clock is exact.  "Rprof FILE" and "Rprof" switch Rprof on and off instead.
invisible(compiler::enableJIT(0))
args <- commandArgs(TRUE)
inward <- fifo(args[1], "r", blocking = TRUE)
outward <- fifo(args[2], "w", blocking = TRUE)

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
while (length(line <- readLines(inward, 1))) {
    word <- strsplit(line, " ")[[1]]
    if (word[1] == "Rprof") {
        Rprof(if (length(word) > 1) word[2])
    } else {
        for (i in 1:40) down(30)
    }
    cat("done\n", file = outward)
}
