# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for what R frames are evaluating: what `jpbpf --expr` must show.
#
#   Rscript --vanilla truth_r_expr.R TRUTH_R.SO TABLE SECONDS
#
# Writes TABLE as truth_r.R does, then takes all paths in turn for SECONDS.
#
# What is expected, and why:
#
#  * Behind a frame stands the call that is under way in it, as R has it, so with the
#    number of the leaf where a path is told it (`#` here).
#  * R puts the name of the method into the call that dispatches.
#  * 12 names, values and brackets are shown, calls in three depths, the rest is "...".
#  * The innermost function's own place is known in bytecode only; an interpreted
#    foreign call has a context of its own, which tells.

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "truth_r_paths.R"))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 3)
	stop("usage: truth_r_expr.R SO TABLE SECONDS")
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
ms <- 3

I <- c("work [.Call(C_burn, n, ms)]", ".Call", "truth_burn")
C <- c("workc [.Call(C_burn, n, ms)]", "truth_burn")

shown <- function(frames, n)
{
	frames <- gsub("#", paste0(n, "L"), frames, fixed = TRUE)
	c(paste0("go [", frames[1], "]"), frames[-1])
}

work <- function(n) .Call(C_burn, n, ms)
workc <- cmp(work)
f <- function(n, ...) { y <- work(n); y }
fc <- cmp(function(n, ...) { y <- workc(n); y })
F <- c("f [work(n)]", I)
path("a call", work(n), "work(#)", I)
path("compiled", workc(n), "workc(#)", C)
path("in each other", f(n), "f(#)", F)
path("in each other, compiled", fc(n), "fc(#)", "fc [workc(n)]", C)
path("values", f(n, 1.5, "text", TRUE, NULL, -2), "f(#, 1.5, \"text\", TRUE, NULL, -2)",
     F)
path("names", f(n, a = 1, b = x), "f(#, a = 1, b = x)", F)
path("calls in it", f(n, g(h(1), y)), "f(#, g(h(1), y))", F)
path("calls deep in it", f(n, g(h(i(j(1))))), "f(#, g(h(...)))", F)
path("more than is shown", f(n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
     "f(#, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...)", F)
path("operators", f(n, a + b * c, x$y), "f(#, a + b * c, ...)", F)
path("elements", f(n, x[[1]], x[1, ]), "f(#, x[[1]], x[1, ...], ...)", F)
path("a function in it", f(n, function(x) x), "f(#, function(...))", F)
path("braces", f({ n }), "f({...})", F)
path("pkg::name", base::identity(work(n)), "base::identity(work(#))",
     "base::identity [work(#)]", I)
"+.long" <- function(e1, e2) work(unclass(e1))
long <- function(n) structure(n, class = "long")
path("operator with a method", long(n) + 1, "+.long(long(#), 1)", "+",
     "+.long [work(unclass(e1))]", I)
"[.long" <- function(x, i, ...) work(unclass(x))
path("element with a method", long(n)[1, 2], "[.long(long(#), 1, 2)",
     "[.long [work(unclass(x))]", I)
path("lapply", lapply(n, work), "lapply(#, work)", "base::lapply [FUN(X[[i]], ...)]",
     I)
takes <- function(x) { y <- x; y }
path("an argument counts as its caller's", takes(work(n)), "takes(work(#))",
     "takes [work(#)]", I)
path("eval", eval(quote(work(n))), "eval(quote(work(#)))",
     "base::eval [work(#)]", I)
sums <- function(n) { x <- 1 + f(n); x }
sumsc <- cmp(function(n) { x <- 1 + fc(n); x })
path("part of an expression", sums(n), "sums(#)", "sums [f(n)]", F)
path("part of one, compiled", sumsc(n), "sumsc(#)", "sumsc [fc(n)]",
     "fc [workc(n)]", C)
recc <- cmp(function(d, n) if (d) recc(d - 1, n) else .Call(C_burn, n, ms))
path("recursion, compiled", recc(2, n), "recc(2, #)",
     rep("recc [recc(d - 1, n)]", 2), "recc [.Call(C_burn, n, ms)]", "truth_burn")

write_table(args[2])

end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)
	for (go in bodies)
		go()
