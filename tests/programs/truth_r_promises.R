# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for arguments that are being evaluated: what `jpbpf --promises` must
# show.
#
#   Rscript --vanilla truth_r_promises.R TRUTH_R.SO TABLE SECONDS
#
# Writes TABLE as truth_r.R does, then takes all paths in turn for SECONDS.
#
# What is expected, and why:
#
#  * A promise stands where it is forced: inward of what needs the value, outward of
#    what its expression calls.  One that was handed on forces the next.
#  * Its name is that of the variable by which it was found in the frame around, or
#    in the function whose promise is around.  `...` has no names, nor have the
#    variables of a function that is not running.

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "truth_r_paths.R"))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 3)
	stop("usage: truth_r_promises.R SO TABLE SECONDS")
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
ms <- 3

I <- c("work", ".Call", "truth_burn")
C <- c("workc", "truth_burn")

P <- function(...) sprintf("<promise %s>", c(...))

work <- function(n) .Call(C_burn, n, ms)
workc <- cmp(work)

takes <- function(x) { y <- x; y }
takesc <- cmp(takes)
passes <- function(z) takes(z)
passesc <- cmp(function(z) { y <- takesc(z); y })
path("an argument", takes(work(n)), "takes", P("x"), I)
path("compiled", takesc(workc(n)), "takesc", P("x"), C)
path("handed on", passes(work(n)), "passes", "takes", P("x", "z"), I)
path("handed on, compiled", passesc(workc(n)), "passesc", "takesc", P("x", "z"),
     C)
bothc <- cmp(function(n) { y <- passes(workc(n)); y })
path("handed on, interpreted and compiled", bothc(n), "bothc", "passes", "takes",
     P("x", "z"), C)
cinc <- cmp(function(n) { y <- takesc(takesc(takesc(workc(n)))); y })
path("one in the other, compiled", cinc(n), "cinc", rep(c("takesc", P("x")), 3), C)
path("one in the other", takes(takes(takes(work(n)))), rep(c("takes", P("x")), 3),
     I)
default <- function(n, x = work(n)) { y <- x; y }
path("a default", default(n), "default", P("x"), I)
defaultc <- cmp(function(n, x = workc(n)) { y <- x; y })
path("a default, compiled", defaultc(n), "defaultc", P("x"), C)
lazy <- function(n) { delayedAssign("v", work(n)); takes(v) }
path("delayedAssign", lazy(n), "lazy", "takes", P("x", "v"), I)
path("force", force(work(n)), "base::force", P("x"), I)
path("tryCatch", tryCatch(work(n), error = identity), "base::tryCatch",
     "tryCatchList", "tryCatchOne", "doTryCatch", rep(P("expr"), 4), I)
path("suppressWarnings", suppressWarnings(work(n)), "base::suppressWarnings",
     "base::withCallingHandlers", rep(P("expr"), 2), I)
path("system.time", system.time(work(n)), "base::system.time", P("expr"), I)
dots <- function(...) list(...)
path("`...`", dots(1, work(n)), "dots", "<promise>", I)
dotsc <- cmp(function(...) { y <- list(...); y })
path("`...`, compiled", dotsc(1, workc(n)), "dotsc", "<promise>", C)
through <- function(...) takes(...)
# Each of them is wrapped once more.
path("`...` handed on", through(work(n)), "through", "takes", P("x"), "<promise>",
     I)
inside <- function(x) (function() x)()
path("found in the function around", inside(work(n)), "inside", "<anonymous>",
     "<promise>", I)
paint <- function(x, n) UseMethod("paint")
paint.default <- function(x, n) { y <- n; y }
path("what is dispatched on", paint(work(n), 1), "paint", P("x"), I)
path("what the method needs", paint(1, work(n)), "paint", "paint.default", P("n"),
     I)
evaluates <- function(x) { y <- x; y }
path("eval in an argument", evaluates(eval(quote(work(n)))), "evaluates", P("x"),
     "base::eval", I)
path("an argument in eval", eval(quote(takes(work(n)))), "base::eval", "takes",
     P("x"), I)
path("lapply", lapply(n, function(i) takes(work(i))), "base::lapply", "FUN",
     "takes", P("x"), I)
path("from C", .Call(C_eval, quote(takes(work(n))), globalenv()), ".Call",
     "truth_eval", "truth_outer", "truth_inner", "takes", P("x"), I)
path("C in an argument", takes(.Call(C_eval, quote(work(n)), globalenv())),
     "takes", P("x"), ".Call", "truth_eval", "truth_outer", "truth_inner", I)
path("C in an argument, compiled",
     takesc(.Call(C_eval, quote(workc(n)), globalenv())), "takesc", P("x"),
     ".Call", "truth_eval", "truth_outer", "truth_inner", C)
nests <- function(d, x) if (d) nests(d - 1, x) else x
path("handed on 50 times", nests(50, work(n)), rep("nests", 51),
     rep(P("x"), 51), I)
nestsc <- cmp(function(d, x) { y <- if (d) nestsc(d - 1, x) else x; y })
path("handed on 50 times, compiled", nestsc(50, workc(n)), rep("nestsc", 51),
     rep(P("x"), 51), C)
escapes <- function(n)
{
	tryCatch(takes({ stop("out") }), error = identity)
	work(n)
}
path("after a jump out of one", escapes(n), "escapes", I)
path("none", work(n), I)

write_table(args[2])

end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)
	for (go in bodies)
		go()
