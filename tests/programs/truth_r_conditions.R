# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Conditions, handlers, restarts, and jumps out of C code; part of truth_r.R.

one <- c("base::tryCatch", "tryCatchList", "tryCatchOne")
exits <- c(one, "value[[3]]", "work", I)	# an exiting handler

path("warning, exiting handler", tryCatch(warning("x"),
	warning = function(w) work(n)), exits)
path("message, exiting handler", tryCatch(message("x"),
	message = function(m) work(n)), exits)
path("error of a builtin, exiting handler", tryCatch(log("a"),
	error = function(e) work(n)), exits)
path("error in compiled code, exiting handler",
     tryCatch((cmp(function() stop("x")))(), error = function(e) work(n)), exits)
path("condition of a class of its own",
     tryCatch(stop(structure(class = c("own", "condition"),
			     list(message = "x", call = NULL))),
	      own = function(c) work(n)), exits)
path("handler that is a named function", tryCatch(stop(n), error = rescue), one,
     "rescue", "work", I)
rescue <- function(e) work(as.integer(conditionMessage(e)))
path("finally after an error",
     try(tryCatch(stop("x"), finally = work(n)), silent = TRUE), "base::try",
     chain, "base::tryCatch", "work", I)
path("tryCatch in a handler",
     tryCatch(stop("x"), error = function(e) tryCatch(work(n), error = identity)),
     one, "value[[3]]", chain, "work", I)

path("warning, calling handler",
     withCallingHandlers(warning("x"), warning = function(w) {
	     work(n)
	     invokeRestart("muffleWarning")
     }), "base::withCallingHandlers", "base::warning",
     "base::.signalSimpleWarning", "base::withRestarts", "withOneRestart",
     "doWithOneRestart", "?.signalCondition", "<anonymous>", "work", I)
path("message, calling handler",
     withCallingHandlers(message("x"), message = function(m) {
	     work(n)
	     invokeRestart("muffleMessage")
     }), "base::withCallingHandlers", "base::message", "base::withRestarts",
     "withOneRestart", "doWithOneRestart", "base::signalCondition",
     ".signalCondition", "<anonymous>", "work", I)
path("stop, calling handler",
     try(withCallingHandlers(stop("x"), error = function(e) work(n)),
	 silent = TRUE), "base::try", chain, "base::withCallingHandlers",
     "base::stop", "base::.handleSimpleError", "h", "work", I)
path("error of a builtin, calling handler",
     try(withCallingHandlers(log("a"), error = function(e) work(n)),
	 silent = TRUE), "base::try", chain, "base::withCallingHandlers",
     "base::.handleSimpleError", "h", "work", I)
path("stop of a condition, calling handler",
     try(withCallingHandlers(stop(simpleError("x")), error = function(e) work(n)),
	 silent = TRUE), "base::try", chain, "base::withCallingHandlers",
     "base::stop", "?.signalCondition", "<anonymous>", "work", I)
path("warning made into an error", { old <- options(warn = 2)
	     try(warning("x"), silent = TRUE)
	     options(old)
	     work(n) }, "work", I)

path("withRestarts", withRestarts(invokeRestart("own", n), own = work),
     "base::withRestarts", "withOneRestart", "docall", "base::do.call", "work",
     I)
path("within withRestarts", withRestarts(work(n), own = identity),
     "base::withRestarts", "withOneRestart", "doWithOneRestart", "work", I)
path("computeRestarts in a handler",
     withRestarts(withCallingHandlers(signalCondition(simpleCondition("x")),
	     condition = function(c) invokeRestart(computeRestarts(c)[[1]], n)),
	     own = work),
     "base::withRestarts", "withOneRestart", "docall", "base::do.call", "work",
     I)
path("tryInvokeRestart", withRestarts(tryInvokeRestart("own", n), own = work),
     "base::withRestarts", "withOneRestart", "docall", "base::do.call", "work",
     I)

outward <- function(d) if (d) outward(d - 1) else stop("out")
path("after an error 100 deep", { try(outward(100), silent = TRUE); work(n) },
     "work", I)
path("after an error 100 deep, in a function",
     (function() { try(outward(100), silent = TRUE); rec(3, n) })(),
     "<anonymous>",
     rep("rec", 3), I)
path("after an error in lapply",
     lapply(n, function(i) { try(lapply(1, function(j) stop("x")), silent = TRUE)
	     work(i) }), "base::lapply", "FUN", "work", I)
path("after an error through C", { .Call(C_silent, quote(stop("x")), globalenv())
	     work(n) }, "work", I)
path("after an error through C and R, in C",
     .Call(C_eval, quote({ .Call(C_silent, quote(trip_fails(4)), globalenv())
	     work(n) }), globalenv()), ".Call", "truth_eval", c12, "work", I)
trip_fails <- function(d)
{
	if (d == 0)
		stop("x")
	.Call(if (d %% 2) C_eval else C_unwind, call("trip_fails", d - 1),
	      globalenv())
}
path("after an error through C, caught in R",
     { tryCatch(trip_fails(5), error = identity); work(n) }, "work", I)
path("handler after an error through C",
     tryCatch(trip_fails(5), error = function(e) work(n)), exits)
path("endless recursion, then work",
     { try(outward(1e6), silent = TRUE); work(n) }, "work", I)
endless <- function(n, d = 0) if (n) endless(n, d + 1)
path("endless recursion, handled",
     tryCatch(endless(1), error = function(e) work(n)), exits)
path("return from a promise", (function() takes(return(1)))() + work(n), "work",
     I)
path("time limit that is not reached",
     { setTimeLimit(elapsed = 100, transient = TRUE); work(n) }, "work", I)
path("suppressMessages", suppressMessages({ message("x"); work(n) }),
     "base::suppressMessages", "base::withCallingHandlers", "work", I)
path("handler stack in a function called by a handler",
     withCallingHandlers(signalCondition(simpleCondition("x")),
	     condition = function(c) tryCatch(stop("y"),
		     error = function(e) work(n))),
     "base::withCallingHandlers", "base::signalCondition", ".signalCondition",
     "<anonymous>", exits)
