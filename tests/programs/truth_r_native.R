# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The ways from R into C and from C into R, and threads; part of truth_r.R.

for (routine in c("external", "external2", "external_eval"))
	assign(paste0("C_", routine),
	       getNativeSymbolInfo(paste0("truth_", routine), dll))
for (routine in c("cleanup", "parse", "catch", "calling", "finally", "finalizer",
		  "threads", "omp"))
	assign(paste0("C_", routine),
	       getNativeSymbolInfo(paste0("truth_", routine), dll))
top <- globalenv()
one <- c("base::tryCatch", "tryCatchList", "tryCatchOne")

# One function of R serves .C and .Fortran, and one .External and .External2.
by_c <- "~[.](C|Fortran).*"
by_external <- "~[.]External.*"
path(".C", .C("truth_c", as.integer(n), as.integer(ms)), by_c, "truth_c",
     "truth_burn")
callsc <- cmp(function(n) { r <- .C("truth_c", as.integer(n),
     as.integer(ms)); r })
path(".C, compiled", callsc(n), "callsc", by_c, "truth_c", "truth_burn")
path(".Fortran", .Fortran("truth_fortran", as.integer(n), as.integer(ms)), by_c,
     "truth_fortran", "truth_c", "truth_burn")
path(".External", .External(C_external, n, ms), by_external, "truth_external",
     "truth_burn")
path(".External2", .External2(C_external2, n, ms), by_external, "truth_external2",
     "truth_burn")
externalc <- cmp(function(n) { r <- .External(C_external, n, ms); r })
path(".External, compiled", externalc(n), "externalc", by_external,
     "truth_external", "truth_burn")
path(".External that evaluates", .External(C_external_eval, quote(work(n)), top),
     by_external, "truth_external_eval", "truth_eval", c12, "work", I)
path(".Call by name", .Call("truth_burn", n, ms), I)
path(".Call with a promise", .Call(C_burn, takes(n), ms), I)

back <- function(routine) c(".Call", routine, c12)
path("R_tryEvalSilent", .Call(C_silent, quote(work(n)), top),
     back("truth_silent"), "work", I)
path("R_ExecWithCleanup, function",
     .Call(C_cleanup, quote(f(work(n), 1)), top), back("truth_cleanup"),
     "truth_attempt", "work", I)
path("R_ExecWithCleanup, cleanup", .Call(C_cleanup, quote(f(1, work(n))), top),
     back("truth_cleanup"), "truth_last", "truth_handle", "work", I)
path("R_ExecWithCleanup, cleanup after an error",
     try(.Call(C_cleanup, quote(f(stop("x"), work(n))), top), silent = TRUE),
     "base::try", chain, back("truth_cleanup"), "truth_attempt",
     "base::stop", "?stop", "truth_last", "truth_handle", "work", I)
# By a call of R's tryCatch, from a closure that R makes.
trycatch <- c("base::<anonymous>", "base::do.call", chain)
path("R_tryCatchError, body", .Call(C_catch, quote(f(work(n), 1)), top),
     back("truth_catch"), trycatch, "?C_tryCatchHelper", "truth_attempt", "work",
     I)
path("R_tryCatchError, handler",
     .Call(C_catch, quote(f(stop("x"), work(n))), top), back("truth_catch"),
     "base::<anonymous>", "base::do.call", one, "base::<anonymous>", "?C_tryCatchHelper",
     "truth_handle",
     "work", I)
path("R_tryCatch, body", .Call(C_finally, quote(f(work(n), 1)), top),
     back("truth_finally"), "base::<anonymous>", "base::do.call", "base::tryCatch",
     "tryCatchList", "?C_tryCatchHelper", "truth_attempt", "work", I)
path("R_tryCatch, finally", .Call(C_finally, quote(f(1, work(n))), top),
     back("truth_finally"), "base::<anonymous>", "base::do.call", "base::tryCatch",
     "?C_tryCatchHelper", "truth_last", "truth_handle", "work", I)
if (getRversion() >= "4.2.0") {
	path("R_withCallingErrorHandler, body",
	     .Call(C_calling, quote(f(work(n), 1)), top), back("truth_calling"),
	     "truth_attempt", "work", I)
	path("R_withCallingErrorHandler, handler",
	     try(.Call(C_calling, quote(f(stop("x"), work(n))), top),
		 silent = TRUE), "base::try", chain, back("truth_calling"),
	     "~.*", "truth_handle", "work", I)
	path("R_ParseEvalString", .Call(C_parse, "work(parsed)", list2env(
		list(parsed = n))), back("truth_parse"), "work", I)
}
path("finalizer in C", { .Call(C_finalizer, n); gc() }, "base::gc", "?gc",
     "<finalizer>", "truth_finalize", "truth_burn")
path("R and C in turn, 30 times", trip(30, n), trips(30), "trip", I)
path("compiled R and C in turn, 30 times", tripc(30, n), tripsc(30), "tripc", C)
both <- function(d, n)
{
	if (d == 0)
		return(work(n))
	sapply(1, function(i) .Call(C_catch, call("f", call("both", d - 1, n), 1),
				    globalenv()))
}
path("sapply, C, tryCatch in turn, 10 times", both(10, n),
     rep(c("both", "base::sapply", "base::lapply", "FUN", back("truth_catch"),
	   trycatch, "?C_tryCatchHelper", "truth_attempt"), 10), "both", "work",
	   I)
path("promise forced beyond C",
     (function(x) .Call(C_eval, quote(takes(x)), environment()))(work(n)),
     "<anonymous>", ".Call", "truth_eval", c12, "takes", "work", I)
path("a function of a package from C",
     .Call(C_eval, quote(lapply(n, work)), top), back("truth_eval"),
     "base::lapply", "work", I)

# The thread's own stack, to the start of it: no R frame.
start <- "**~.*(clone|start_thread|libc[.]so).*"
path("thread", .Call(C_threads, n, ms), "truth_thread", outer = start)
path("thread, while R is deep", takes(takes(.Call(C_threads, n, ms))),
     "truth_thread", outer = start)
path("OpenMP", .Call(C_omp, n, ms), "**~.*gomp.*", "*truth_r.so", "truth_thread",
     outer = start)
