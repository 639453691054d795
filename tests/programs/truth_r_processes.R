# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Children of this process, which burn and end; part of truth_r.R.

# A forked child has its parent's frames around its own.
fork <- c("parallel::mclapply", "base::lapply", "FUN")
path("mcparallel", parallel::mccollect(parallel::mcparallel(burst(n))),
     "~parallel::.*", "**~.*", "burst", "work", I)
path("mclapply", parallel::mclapply(c(n, n), burst, mc.cores = 2),
     "parallel::mclapply", "**~.*", "burst", "work", I)
path("mclapply without prescheduling", parallel::mclapply(c(n, n), burst,
	mc.cores = 2, mc.preschedule = FALSE), "parallel::mclapply", "**~.*",
     "burst", "work", I)
path("mclapply in a function, with C", twofold(n), "twofold",
     "parallel::mclapply", "**~.*", "FUN", ".Call", "truth_eval", c12, "burst",
     "work", I)
path("pvec", parallel::pvec(c(n, n), function(v) burst(v[1]), mc.cores = 2),
     "parallel::pvec", "**~.*", "burst", "work", I)
path("child of a child", parallel::mclapply(c(n, n), function(i)
	parallel::mclapply(c(i, i), burst, mc.cores = 2), mc.cores = 2),
     "parallel::mclapply", "**~.*", "FUN", "parallel::mclapply", "**~.*",
     "burst", "work", I)
path("after the children have ended",
     { parallel::mclapply(1:2, identity, mc.cores = 2); childless(); work(n) },
     "work", I)
# A child ends later than its result comes, and parallel's handler of SIGCHLD then
# stands on the leaf.
childless <- function() {
	children <- sprintf("/proc/self/task/%d/children", Sys.getpid())
	while (length(scan(children, "", quiet = TRUE)))
		Sys.sleep(0.01)
}
burst <- function(n) for (i in 1:5) work(n)
twofold <- function(n) parallel::mclapply(c(n, n), function(i)
	.Call(C_eval, call("burst", i), globalenv()), mc.cores = 2)

# One that execs has its own alone.
child <- tempfile(fileext = ".R")
writeLines(c("invisible(compiler::enableJIT(0))",
	     "args <- commandArgs(TRUE)",
	     "dll <- dyn.load(args[1])",
	     "C_burn <- getNativeSymbolInfo('truth_burn', dll)",
	     "work <- function(n) .Call(C_burn, n, 3)",
	     "in_child <- function(n) for (i in 1:20) lapply(n, work)",
	     "in_child(as.integer(args[2]))"), child)
path("Rscript by system2", if (!verify) system2("Rscript", c("--vanilla", child,
	args[1], n)), "in_child", "base::lapply", "work", I, outer = NULL)
