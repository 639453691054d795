# What one call takes: writes to the file, again and again, the best of some runs, ns.
#   Rscript bench_calls.R FILE [trace]    trace: with R's own trace() of the function
args <- commandArgs(TRUE)
leaf <- function(n) n
leaf <- compiler::cmpfun(leaf)
begun <- ended <- 0
if (length(args) > 1)
	suppressMessages(trace(leaf, quote(begun <<- begun + 1), exit = quote(ended <<- ended + 1),
		print = FALSE))
n <- 20000
run <- function() for (i in 1:n) leaf(i)
repeat {
	best <- min(replicate(5, system.time(run())[["elapsed"]])) * 1e9 / n
	cat(best, best, "\n", file = paste0(args[1], ".new"))
	invisible(file.rename(paste0(args[1], ".new"), args[1]))
}
