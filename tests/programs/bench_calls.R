# What one call takes: writes to the file, again and again, the best of some runs, ns.
#   Rscript bench_calls.R FILE [trace]    trace: with R's own trace() of the function
args <- commandArgs(TRUE)
leaf <- function(n) n
leaf <- compiler::cmpfun(leaf)
if (length(args) > 1) suppressMessages(trace(leaf, quote(NULL), exit = quote(NULL), print = FALSE))
n <- if (length(args) > 1) 2000 else 20000
run <- function() for (i in 1:n) leaf(i)
repeat {
	best <- min(replicate(5, system.time(run())[["elapsed"]])) * 1e9 / n
	cat(best, best, "\n", file = paste0(args[1], ".new"))
	invisible(file.rename(paste0(args[1], ".new"), args[1]))
}
