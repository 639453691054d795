# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for R: many call paths, each burning in a leaf of its own.
#
#   Rscript --vanilla truth_r.R TRUTH_R.SO TABLE SECONDS [GROUP...]
#   Rscript --vanilla truth_r.R TRUTH_R.SO --verify [GROUP...]
#
# The paths stand in groups: `default` here, the others in truth_r_GROUP.R beside
# this file; without names all those that need nothing but R itself.
# Writes TABLE (leaf, expected stack in folded form without the process name,
# name of the construct; separated by tabs), then takes all paths in turn for
# SECONDS.  --verify takes each path once and compares the R part of what is
# expected with what sys.call() and sys.function() say in the leaf.
# Environment: TRUTH_MS (3, milliseconds in a leaf).
# (Rscript execs R --no-echo --no-restore --file=..., so the pid stays.)
#
# What is expected, and why:
#
#  * Code at top level has no frame.  Each path is the body of a closure named
#    `go`, which the driver calls from top level.
#  * A closure is shown as called; one that a package's namespace binds to that
#    very name gets `pkg::` in front, so the local closures inside tryCatch are
#    plain `tryCatchList` and so on.  An S3 method is shown as the method.
#    A function that the namespace or the global environment binds to one other
#    name is shown by that: `work`, not `FUN`.  One with none, or several, that came
#    there as an argument, is shown by the name that it was handed over by.
#    Called by other than a name: `<anonymous>`, `base::<anonymous>` if a package made it;
#    `$`, `::` calls: `obj$run`, `base::lapply`, `o$a$run`; by a number where nothing else
#    is known: `value[[3]]`; a method of a reference class or of R6: `Class$run`; of an S4
#    generic: `area,Shape-method`.
#  * A builtin (R_FunTab says that its arguments are evaluated) is shown by its R
#    name where its C function is on the native stack: `.Call`, `length` with an
#    S3 method for it.  One that is reached by .Internal from the closure of the
#    same name is not shown again (no `lapply;lapply`, `eval;eval`); from a
#    closure of another name it is (`base::evalq;eval`,
#    `base::signalCondition;.signalCondition`).
#  * Specials (`{`, `if`, `for`, `[`, UseMethod, forceAndCall, switch ...) are the
#    language itself and are not shown, nor are eval's own contexts.
#  * `.Call` is shown in interpreted code only: compiled code calls the routine
#    from the bytecode engine (DOTCALL), and no do_dotcall is there to be seen.
#    The JIT is off, so that each closure stays what it was made.
#  * A promise is shown where it is forced: the frames of its expression stand
#    inside those of the function that needed the value.
#  * on.exit code stands inside the function that is being left.
#  * Routines in truth_r.so are ordinary C functions; libR's own are not shown.
#  * stats' C functions are static in a stripped file, so their names cannot be
#    expected; nor can that of a builtin that shares its C function with another
#    (.External and .External2).  For both the table holds patterns; see `exact`.

invisible(compiler::enableJIT(0))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) < 2)
	stop("usage: truth_r.R SO TABLE SECONDS [GROUP...]")
verify <- args[2] == "--verify"
groups <- args[-seq_len(if (verify) 2 else 3)]
if (!length(groups))
	groups <- c("default", "lazy", "conditions", "objects", "native", "callbacks",
		    "jit", "deep")
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
C_try <- getNativeSymbolInfo("truth_try", dll)
C_top <- getNativeSymbolInfo("truth_top", dll)
C_unwind <- getNativeSymbolInfo("truth_unwind", dll)
C_force <- getNativeSymbolInfo("truth_force", dll)
C_silent <- getNativeSymbolInfo("truth_silent", dll)
ms <- if (verify) -1 else as.numeric(Sys.getenv("TRUTH_MS", "3"))
truth_seen <- function(n) NULL	# until it is to verify

cmp <- function(f) compiler::cmpfun(f)
table <- list()	# rows: leaf, frames, construct
bodies <- list()
group <- "default"

# Innermost frames of interpreted and of compiled burning.
I <- c(".Call", "truth_burn")
C <- "truth_burn"

# One more path.  n in expr becomes the number of its leaf.  What is expected stands
# below `outer` (more with an embedder around R), and ends in the leaf.
path <- function(construct, expr, ..., outer = Sys.getenv("TRUTH_OUTER", "go"))
{
	if (!group %in% groups)
		return(invisible())
	n <- length(table) + 1L
	expr <- eval(call("substitute", substitute(expr), list(n = n)))
	leaf <- sprintf("truth_leaf_%02d", n)
	table[[n]] <<- list(leaf, c(outer, ..., leaf), construct)
	bodies[[n]] <<- as.function(list(expr), envir = globalenv())
}

# ------------------------------------------------------------- closures

work <- function(n) .Call(C_burn, n, ms)
workc <- cmp(work)
path("closure", work(n), "work", I)
path("compiled closure", workc(n), "workc", C)

f1 <- function(n) f2(n)
f2 <- function(n, a = 1, ...) f3(n = n, a, 2, 3)
f3 <- function(n, ...) { x <- work(n); x }
path("closures in a row", f1(n), "f1", "f2", "f3", "work", I)
c1 <- cmp(function(n) c2(n))
c2 <- cmp(function(n, a = 1, ...) c3(n = n, a, 2, 3))
c3 <- cmp(function(n, ...) { x <- workc(n); x })
path("compiled closures in a row", c1(n), "c1", "c2", "c3", "workc", C)
m1 <- function(n) m2(n)
m2 <- cmp(function(n) { x <- m3(n); x })
m3 <- function(n) { x <- m4(n); x }
m4 <- cmp(function(n) { x <- work(n); x })
path("interpreted and compiled in turn", m1(n), "m1", "m2", "m3", "m4", "work", I)

rec <- function(d, n) if (d > 1) rec(d - 1, n) else .Call(C_burn, n, ms)
recc <- cmp(function(d, n) if (d > 1) recc(d - 1, n) else .Call(C_burn, n, ms))
path("recursion 5 deep", rec(5, n), rep("rec", 5), I)
path("recursion 50 deep", rec(50, n), rep("rec", 50), I)
path("recursion 300 deep", rec(300, n), rep("rec", 300), I)
path("compiled recursion 5 deep", recc(5, n), rep("recc", 5), C)
path("compiled recursion 50 deep", recc(50, n), rep("recc", 50), C)
path("compiled recursion 300 deep", recc(300, n), rep("recc", 300), C)
again <- function(d, n) if (d > 1) Recall(d - 1, n) else .Call(C_burn, n, ms)
path("Recall", again(3, n), "again", "base::Recall", "again", "base::Recall",
     "again", I)

control <- function(n)
{
	for (i in 1) {
		repeat {
			while (TRUE) {
				if ((i == 1)) {
					switch("a", a = { x <- work(n) })
				}
				break
			}
			break
		}
	}
	x
}
path("control structures", control(n), "control", "work", I)
controlc <- cmp(control)
path("compiled control structures", controlc(n), "controlc", "work", I)

path("anonymous function", (function(x) work(x))(n), "<anonymous>", "work", I)
make <- function(m) function(x) work(m)
path("function that was returned", make(n)(1), "<anonymous>", "work", I)
path("function called by a string", "work"(n), "work", I)
"%burn%" <- function(a, n) .Call(C_burn, n, ms)
path("operator", 1 %burn% n, "%burn%", I)
"part<-" <- function(x, value) { .Call(C_burn, value, ms); x }
path("replacement function", { x <- 0; part(x) <- n }, "part<-", I)
`two words` <- function(n) .Call(C_burn, n, ms)
path("space in a name", `two words`(n), "two words", I)

obj <- list(run = function(n) work(n))
path("obj$run()", obj$run(n), "obj$run", "work", I)
env <- new.env()
env$run <- cmp(function(n) workc(n))
path("env$run(), compiled", env$run(n), "env$run", "workc", C)
Acc <- suppressMessages(setRefClass("Acc", fields = list(x = "numeric"),
	methods = list(run = function(n) work(n))))
acc <- Acc$new(x = 1)
path("reference class method", acc$run(n), "Acc$run", "work", I)

# ---------------------------------------------------------- apply family

path("lapply", lapply(n, work), "base::lapply", "work", I)
path("lapply, compiled function", lapply(n, workc), "base::lapply", "workc", C)
path("lapply by its full name", base::lapply(n, work), "base::lapply", "work", I)
path("lapply of an anonymous function", lapply(1, function(i) work(n)),
     "base::lapply", "FUN", "work", I)
path("lapply in lapply", lapply(n, function(i) lapply(i, work)),
     "base::lapply", "FUN", "base::lapply", "work", I)
path("sapply", sapply(n, work), "base::sapply", "base::lapply", "work", I)
path("vapply", vapply(n, work, 1), "base::vapply", "work", I)
sap <- cmp(function(n) sapply(n, function(i) workc(i)))
path("sapply in compiled code", sap(n), "sap", "base::sapply", "base::lapply",
     "FUN", "workc", C)
path("Map", Map(work, n), "base::Map", "base::mapply", "work", I)
path("mapply", mapply(function(a, b) work(a), n, 1), "base::mapply",
     "<anonymous>", "work", I)
path("Reduce", Reduce(function(a, b) work(b), list(0, n)), "base::Reduce", "f",
     "work", I)
path("Filter", Filter(function(i) { work(n); TRUE }, 1), "base::Filter",
     "base::unlist", "base::lapply", "FUN", "work", I)
path("apply", apply(matrix(n), 1, work), "base::apply", "work", I)
path("tapply", tapply(n, 1, work), "base::tapply", "base::lapply", "work", I)
path("outer", outer(n, 1, function(a, b) work(a)), "base::outer", "FUN", "work",
     I)
path("replicate", replicate(1, work(n)), "base::replicate", "base::sapply",
     "base::lapply", "FUN", "work", I)
path("do.call by name", do.call("work", list(n)), "base::do.call", "work", I)
path("do.call of a function", do.call(work, list(n)), "base::do.call",
     "work", I)

# -------------------------------------------------- promises, eval, contexts

takes <- function(x) { y <- x; y }
takesc <- cmp(takes)
passes <- function(x) takes(x)
path("promise", takes(work(n)), "takes", "work", I)
path("promise in compiled code", takesc(work(n)), "takesc", "work", I)
path("promise handed on", passes(work(n)), "passes", "takes", "work", I)
default <- function(n, x = work(n)) { y <- x; y }
path("default argument", default(n), "default", "work", I)
lazy <- function(n) { delayedAssign("x", work(n)); takes(x) }
path("delayedAssign", lazy(n), "lazy", "takes", "work", I)
path("promise in a package function", stats::setNames(work(n), "a"),
     "stats::setNames", "work", I)
path("force", force(work(n)), "base::force", "work", I)
path("suppressWarnings", suppressWarnings(work(n)), "base::suppressWarnings",
     "base::withCallingHandlers", "work", I)
path("system.time", system.time(work(n)), "base::system.time", "work", I)

path("eval", eval(quote(work(n))), "base::eval", "work", I)
evals <- cmp(function(n) eval(quote(workc(n))))
path("eval in compiled code", evals(n), "evals", "base::eval", "workc", C)
path("eval of an expression that burns", eval(quote(.Call(C_burn, n, ms))),
     "base::eval", I)
path("evalq", evalq(work(n), globalenv()), "base::evalq", "eval", "work", I)
path("local", local(work(n)), "base::local", "base::eval.parent", "base::eval",
     "base::eval", "work", I)
path("with", with(list(a = 1), work(n)), "base::with", "base::with.default",
     "base::eval", "work", I)

leaves <- function(n) { on.exit(work(n)); 1 }
leavesc <- cmp(function(n) { on.exit(workc(n)); 1 })
path("on.exit", leaves(n), "leaves", "work", I)
path("on.exit, compiled", leavesc(n), "leavesc", "workc", C)

chain <- c("base::tryCatch", "tryCatchList", "tryCatchOne",
	   "doTryCatch")
path("tryCatch", tryCatch(work(n), error = identity), chain, "work", I)
path("tryCatch, two handlers",
     tryCatch(work(n), error = identity, warning = identity),
     "base::tryCatch", "tryCatchList", "tryCatchOne",
     "doTryCatch", "tryCatchList", "tryCatchOne",
     "doTryCatch", "work", I)
path("tryCatch, finally", tryCatch(1, finally = work(n)), "base::tryCatch",
     "work", I)
path("try", try(work(n)), "base::try", chain, "work", I)
path("calling handler",
     withCallingHandlers(signalCondition(simpleCondition("x")),
			 condition = function(c) work(n)),
     "base::withCallingHandlers", "base::signalCondition", ".signalCondition",
     "<anonymous>", "work", I)
escapes <- function(n)
{
	tryCatch({ stop("out") }, error = identity)
	work(n)
}
path("after a jump", escapes(n), "escapes", "work", I)

# ---------------------------------------------------------------- methods

paint <- function(x, n) UseMethod("paint")
paint.oil <- function(x, n) { y <- work(n); y }
paint.ink <- function(x, n) { y <- NextMethod(); y }
paint.default <- function(x, n) { y <- work(n); y }
oil <- structure(1, class = "oil")
ink <- structure(1, class = c("ink", "oil"))
path("S3 method", paint(oil, n), "paint", "paint.oil", "work", I)
path("S3 default method", paint(1, n), "paint", "paint.default", "work", I)
path("NextMethod", paint(ink, n), "paint", "paint.ink", "base::NextMethod",
     "paint.oil", "work", I)
draw <- cmp(function(x, n) UseMethod("draw"))
draw.oil <- cmp(function(x, n) { y <- workc(n); y })
draw.ink <- cmp(function(x, n) { y <- NextMethod(); y })
path("S3 method, compiled", draw(oil, n), "draw", "draw.oil", "workc", C)
path("NextMethod, compiled", draw(ink, n), "draw", "draw.ink",
     "base::NextMethod", "draw.oil", "workc", C)
print.oil <- function(x, n, ...) { y <- work(n); y }
path("method of a generic in base", print(oil, n), "base::print", "print.oil",
     "work", I)
length.long <- function(x) { work(unclass(x)); 1L }
path("method of a builtin", length(structure(n, class = "long")), "length",
     "length.long", "work", I)
lengthc <- cmp(function(x) { y <- length(x); y })
path("method of a builtin, compiled", lengthc(structure(n, class = "long")),
     "lengthc", "length", "length.long", "work", I)
"[.long" <- function(x, i) { work(unclass(x)); 1L }
path("method of `[`", structure(n, class = "long")[1], "[.long", "work", I)
setClass("Shape", representation(n = "numeric"))
invisible(setGeneric("area", function(x) standardGeneric("area")))
setMethod("area", "Shape", function(x) work(x@n))
path("S4 method", area(new("Shape", n = n)), "area",
     "standardGeneric", "**methods.so", "area,Shape-method", "work", I)

# ------------------------------------------------------------- R -> C -> R

c12 <- c("truth_outer", "truth_inner")
path("Rf_eval", .Call(C_eval, quote(work(n)), globalenv()), ".Call",
     "truth_eval", c12, "work", I)
path("R_tryEval", .Call(C_try, quote(work(n)), globalenv()), ".Call",
     "truth_try", c12, "work", I)
path("R_ToplevelExec", .Call(C_top, quote(work(n)), globalenv()), ".Call",
     "truth_top", c12, "truth_body", "work", I)
path("R_UnwindProtect", .Call(C_unwind, quote(work(n)), globalenv()), ".Call",
     "truth_unwind", c12, "truth_protected", "work", I)
path("R_forceAndCall", .Call(C_force, quote(work(n)), globalenv()), ".Call",
     "truth_force", c12, "work", I)
callc <- cmp(function(n)
{
	expr <- quote(workc(n))
	where <- environment()
	.Call(C_eval, expr, where)
})
path("Rf_eval, compiled", callc(n), "callc", "truth_eval", c12, "workc", C)
path("Rf_eval of a function value",
     .Call(C_eval, as.call(list(function() work(n))), globalenv()), ".Call",
     "truth_eval", c12, "<anonymous>", "work", I)

trip <- function(d, n)
{
	if (d == 0)
		return(.Call(C_burn, n, ms))
	e <- call("trip", d - 1, n)
	switch(d %% 4 + 1,
	       .Call(C_eval, e, globalenv()), .Call(C_try, e, globalenv()),
	       .Call(C_top, e, globalenv()), .Call(C_unwind, e, globalenv()))
}
tripc <- cmp(function(d, n)
{
	if (d == 0)
		return(.Call(C_burn, n, ms))
	e <- call("tripc", d - 1, n)
	g <- globalenv()
	if (d %% 2 == 0) .Call(C_eval, e, g) else .Call(C_unwind, e, g)
})
trips <- function(depth) unlist(lapply(seq(depth, 1), function(d) c(
	"trip", ".Call", c("truth_eval", "truth_try", "truth_top",
			   "truth_unwind")[d %% 4 + 1], c12,
	list(NULL, NULL, "truth_body", "truth_protected")[[d %% 4 + 1]])))
tripsc <- function(depth) unlist(lapply(seq(depth, 1), function(d)
	if (d %% 2 == 0) c("tripc", "truth_eval", c12)
	else c("tripc", "truth_unwind", c12, "truth_protected")))
path("R and C in turn, 1 time", trip(1, n), trips(1), "trip", I)
path("R and C in turn, 2 times", trip(2, n), trips(2), "trip", I)
path("R and C in turn, 4 times", trip(4, n), trips(4), "trip", I)
path("R and C in turn, 8 times", trip(8, n), trips(8), "trip", I)
path("compiled R and C in turn, 8 times", tripc(8, n), tripsc(8), "tripc", C)
deep <- function(n) sapply(n, function(i) .Call(C_eval, quote(
	tryCatch(rec(20, i), error = identity)), environment()))
path("sapply, C, tryCatch, recursion", deep(n), "deep", "base::sapply",
     "base::lapply", "FUN", ".Call", "truth_eval", c12, chain, rep("rec", 20), I)

# -------------------------------------------- callbacks from stats' own C code

# The solvers evaluate often; burns on the first evaluation of each round only.
foreign <- c("~[.]External.*", "**stats.so")
leaf_now <- 0
once <- function() if (leaf_now) { n <- leaf_now; leaf_now <<- 0; work(n) }
square <- function(x) { once(); sum((x - 0.3)^2) }
slope <- function(x) { once(); 2 * (x - 0.3) }
path("optimize", { leaf_now <<- n; optimize(square, c(0, 1)) },
     "stats::optimize", foreign, "stats::<anonymous>", "square", "once", "work", I)
path("optim", { leaf_now <<- n; optim(c(1, 1), square, method = "BFGS") },
     "stats::optim", foreign, "stats::<anonymous>", "square", "once", "work", I)
path("optim, gradient", optim(c(1, 1), function(x) sum((x - 0.3)^2),
			      function(x) { leaf_now <<- n; slope(x) },
			      method = "BFGS", control = list(maxit = 1)),
     "stats::optim", foreign, "stats::<anonymous>", "gr", "slope", "once", "work", I)
path("integrate", { leaf_now <<- n; integrate(slope, 0, 1) },
     "stats::integrate", foreign, "stats::<anonymous>", "slope", "once", "work", I)

# ------------------------------------------------------------- odd ones

path("exiting handler", tryCatch(stop("x"), error = function(e) work(n)),
     "base::tryCatch", "tryCatchList", "tryCatchOne",
     "value[[3]]", "work", I)
path("finalizer", { reg.finalizer(new.env(), function(e) work(n)); gc() },
     "base::gc", "**", "<anonymous>", "work", I)
"+.long" <- function(e1, e2) work(unclass(e1))
path("method of `+`", structure(n, class = "long") + 1, "~.+", "+.long", "work",
     I)
path("obj[[\"run\"]]()", obj[["run"]](n), "obj[[run]]", "work", I)
path("list in a list", { o <- list(a = obj); o$a$run(n) }, "o$a$run",
     "work", I)

# -------------------------------------------------------------- other groups

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
for (group in setdiff(groups, "default"))
	source(file.path(dirname(script), paste0("truth_r_", group, ".R")))

# ----------------------------------------------------------------- run

if (verify) {
	source(file.path(dirname(script), "truth_r_verify.R"))
	for (i in seq_along(bodies)) {
		seen <- NULL
		go <- bodies[[i]]
		go()
		hold_against(table[[i]])
	}
	cat(length(table), "paths,", bad, "differ\n")
	quit(status = bad > 0)
}

part <- paste0(args[2], ".part")
writeLines(vapply(table, function(row) paste(row[[1]],
	paste(row[[2]], collapse = ";"), row[[3]], sep = "\t"), ""), part)
invisible(file.rename(part, args[2]))
rm(part)

end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)
	for (go in bodies)
		go()
