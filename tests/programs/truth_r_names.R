# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for names of what R itself and packages have in C.
#
#   Rscript --vanilla truth_r_names.R TRUTH_R.SO TABLE SECONDS
#
# Writes TABLE as truth_r.R does, then takes all paths in turn for SECONDS.
#
# What is expected, and why:
#
#  * A builtin whose C function serves several R functions is shown by its own name,
#    whatever the name it was called by.  Methods of builtins bring the path back to
#    where a leaf can burn.#  * Interpreted .Internal() tells nothing: the closure around it has the name.
#  * A routine that a package registers is shown by that name, though its library
#    is stripped; functions that it calls have none.
#  * Finalizers stand under `<finalizer>`, below what allocated.
#  * What R's own compiler does stands under `<JIT>`.

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "truth_r_paths.R"))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 3)
	stop("usage: truth_r_names.R SO TABLE SECONDS")
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
ms <- 3

I <- c("work", ".Call", "truth_burn")

work <- function(n) .Call(C_burn, n, ms)

# ------------------------------------------------- builtins that share C code

burn <- function(x, ...) { work(unclass(x)); 1 }
Math.long <- Summary.long <- Ops.long <- burn
as.character.long <- as.integer.long <- burn
is.numeric.long <- is.array.long <- function(x) { work(unclass(x)); TRUE }
long <- function(n) structure(n, class = "long")

# One function: name, a call of it, and the method that it comes to.
shared <- function(name, expr, method)
{
	expr <- substitute(expr)
	interpreted <- as.function(c(alist(x = ), list(expr)), globalenv())
	compiled <- cmp(interpreted)
	i <- paste0("i_", name)
	c <- paste0("c_", name)
	assign(i, interpreted, globalenv())
	assign(c, compiled, globalenv())
	eval(bquote(path(.(paste(name, "interpreted")),
			 .(as.name(i))(long(n)), .(i), .(name), .(method), I)))
	eval(bquote(path(.(paste(name, "compiled")), .(as.name(c))(long(n)),
			 .(c), .(name), .(method), I)))
}
shared("floor", floor(x), "Math.long")
shared("sqrt", sqrt(x), "Math.long")
shared("cosh", cosh(x), "Math.long")
shared("digamma", digamma(x), "Math.long")
shared("cumsum", cumsum(x), "Math.long")
shared("cummax", cummax(x), "Math.long")
shared("sum", sum(x), "Summary.long")
shared("max", max(x), "Summary.long")
shared("any", any(x), "Summary.long")
shared("all", all(x), "Summary.long")
shared("as.character", as.character(x), "as.character.long")
shared("as.integer", as.integer(x), "as.integer.long")
shared("is.numeric", is.numeric(x), "is.numeric.long")
shared("is.array", is.array(x), "is.array.long")

plus <- function(x) x + 1
path("+ interpreted", plus(long(n)), "plus", "+", "Ops.long", I)
less <- function(x) x < 1
path("< interpreted", less(long(n)), "less", "<", "Ops.long", I)
plusc <- cmp(plus)
# The engine dispatches on these itself.
path("+ compiled", plusc(long(n)), "plusc", "Ops.long", I)
lessc <- cmp(less)
path("< compiled", lessc(long(n)), "lessc", "Ops.long", I)
notc <- cmp(function(x) !x)
path("! compiled", notc(long(n)), "notc", "!", "Ops.long", I)
not <- function(x) !x
path("! interpreted", not(long(n)), "not", "!", "Ops.long", I)

# Builtins in each other: the inner one's leaf, the outer one's name besides.
nested <- function(x) floor(cosh(x))
path("only the inner one runs", nested(long(n)), "nested", "cosh", "Math.long",
     I)
Math.outer <- function(x, ...) { cumsum(structure(unclass(x), class = "long")) }
path("one in the method of another",
     cosh(structure(n, class = "outer")), "cosh", "Math.outer", "cumsum",
     "Math.long", I)
outerc <- cmp(function(x) cosh(x))
path("the same, the outer one compiled",
     outerc(structure(n, class = "outer")), "outerc", "cosh", "Math.outer",
     "cumsum", "Math.long", I)
other <- function(x) { cosh <- floor; cosh(x) }
path("by another name of its own group", other(long(n)), "other", "floor",
     "Math.long", I)
alias <- function(x) { f <- floor; f(x) }
path("by a name of one's own", alias(long(n)), "alias", "floor", "Math.long", I)
otherc <- cmp(other)
path("by another name, compiled", otherc(long(n)), "otherc", "floor",
     "Math.long", I)
aliasc <- cmp(alias)
path("by a name of one's own, compiled", aliasc(long(n)), "aliasc", "floor",
     "Math.long", I)
nestedc <- cmp(function(x) f(cosh(x)))
f <- floor
path("only the inner one runs, compiled", nestedc(long(n)), "nestedc", "cosh",
     "Math.long", I)
path("from lapply", lapply(list(long(n)), floor), "base::lapply", "floor",
     "Math.long", I)
path("from sapply", sapply(list(long(n)), is.numeric), "base::sapply",
     "base::lapply", "is.numeric", "is.numeric.long", I)
path("from vapply", vapply(list(long(n)), cosh, 1), "base::vapply", "cosh",
     "Math.long", I)
path("from Map", Map(cosh, list(long(n))), "base::Map", "base::mapply", "cosh",
     "Math.long", I)
path("from do.call", do.call("cosh", list(long(n))), "base::do.call", "cosh",
     "Math.long", I)
path("from Reduce", Reduce(`+`, list(long(n), 1)), "base::Reduce", "+",
     "Ops.long", I)

# ------------------------------------------------------------ package routines

leaf_now <- 0
once <- function() if (leaf_now) { n <- leaf_now; leaf_now <<- 0; work(n) }
square <- function(x) { once(); sum((x - 0.3)^2) }
slope <- function(x) { once(); 2 * (x - 0.3) }
inner <- "**stats.so"
path("optim", { leaf_now <<- n; optim(c(1, 1), square, method = "BFGS") },
     "stats::optim", ".External2", "optim", inner, "stats::<anonymous>", "square", "once",
     I)
path("optimHess", { leaf_now <<- n; optimHess(c(1, 1), square) },
     "stats::optimHess", ".External2", "optimhess", inner, "stats::<anonymous>", "square",
     "once", I)
path("optimize", { leaf_now <<- n; optimize(square, c(0, 1)) },
     "stats::optimize", ".External2", "do_fmin", inner, "stats::<anonymous>", "square",
     "once", I)
path("integrate", { leaf_now <<- n; integrate(slope, 0, 1) },
     "stats::integrate", ".External", "call_dqags", inner, "stats::<anonymous>", "slope",
     "once", I)
path("uniroot", { leaf_now <<- n
	uniroot(slope, c(0, 1), f.lower = -1, f.upper = 1) }, "stats::uniroot",
     ".External2", "zeroin2", inner, "stats::<anonymous>", "slope",
     "once", I)

# ---------------------------------------------------- what R does by itself

path("finalizer", { reg.finalizer(new.env(), function(e) work(n)); gc() },
     "base::gc", "<finalizer>", "<anonymous>", I)

# ------------------------------------------------- what was handed over as FUN

median.long <- function(x, ...) { work(unclass(x)); 1 }
rev.long <- function(x) { work(unclass(x)); 1 }
M <- c("median.long", I)
V <- c("rev.long", I)
path("package function in lapply", lapply(list(long(n)), median), "base::lapply",
     "stats::median", M)
path("in sapply", sapply(list(long(n)), median), "base::sapply", "base::lapply",
     "stats::median", M)
path("in sapply, by its full name", sapply(list(long(n)), stats::median),
     "base::sapply", "base::lapply", "stats::median", M)
sapplyc <- cmp(function(x) { y <- sapply(x, stats::median); y })
path("in sapply, compiled", sapplyc(list(long(n))), "sapplyc", "base::sapply",
     "base::lapply", "stats::median", M)
path("base function in vapply", vapply(list(long(n)), rev, 1), "base::vapply",
     "base::rev", V)
path("in Map", Map(rev, list(long(n))), "base::Map", "base::mapply", "base::rev",
     V)
path("in do.call", do.call(rev, list(long(n))), "base::do.call", "base::rev", V)
path("in do.call, by a text", do.call("rev", list(long(n))), "base::do.call",
     "base::rev", V)
path("in tapply", tapply(1, 1, function(i) rev(long(n))), "base::tapply",
     "base::lapply", "FUN", "base::rev", V)
hands <- function(f, x) passes_on(f, x)
passes_on <- function(g, x) tryCatch(lapply(x, g), error = stop)
path("handed on by two functions", hands(rev, list(long(n))), "hands",
     "passes_on", "base::tryCatch", "tryCatchList", "tryCatchOne", "doTryCatch",
     "base::lapply", "base::rev", V)
handsc <- cmp(function(f, x) { y <- passesc(f, x); y })
passesc <- cmp(function(g, x) { y <- lapply(x, g); y })
path("handed on by two, compiled", handsc(rev, list(long(n))), "handsc",
     "passesc", "base::lapply", "base::rev", V)
named <- function(x) { h <- rev; lapply(x, h) }
path("by a name of one's own", named(list(long(n))), "named", "base::lapply",
     "base::rev", V)
called_so <- function(h, x) h(x)
path("called by the argument's name", called_so(rev, long(n)), "called_so",
     "base::rev", V)
path("one's own function", lapply(n, work), "base::lapply", I)
factory <- function(k) function(n) work(n + 0 * k)
made <- factory(1)
path("of a factory, with a name", sapply(n, made), "base::sapply", "base::lapply",
     "made", I)
path("of a factory, without", sapply(n, factory(1)), "base::sapply",
     "base::lapply", "FUN", I)
path("without a name", sapply(n, function(n) work(n)), "base::sapply",
     "base::lapply", "FUN", I)
holds <- list(run = function(n) work(n))
path("of a list", sapply(n, holds$run), "base::sapply", "base::lapply", "FUN", I)
path("to the right of a pipe", Reduce(function(x, f) f(x), list(rev), long(n)),
     "base::Reduce", "f", "base::rev", V)
changed <- function(n) { inner <- function(n) work(n); Filter(inner, n) }
path("a function in a function", changed(n), "changed", "base::Filter",
     "base::unlist", "base::lapply", "inner", I)

# Where nothing on the stack has ever named it, its environment does.
calls <- function(f, x) f(x)
B <- c("base::rev", V)
S <- c("stats::median", M)
path("by a text, lapply", lapply(list(long(n)), "median"), "base::lapply", S)
path("by a text, sapply", sapply(list(long(n)), "rev"), "base::sapply",
     "base::lapply", B)
path("by a text, vapply", vapply(list(long(n)), "rev", 1), "base::vapply", B)
path("by a text, Map", Map("median", list(long(n))), "base::Map", "base::mapply",
     S)
path("by a text, mapply", mapply(FUN = "rev", list(long(n))), "base::mapply", B)
path("by a text, do.call", do.call("median", list(long(n))), "base::do.call", S)
path("by a text, Filter", Filter("rev", list(long(n))), "base::Filter",
     "base::unlist", "base::lapply", B)
path("by a text, outer", outer(list(long(n)), 1, "joins"), "base::outer", "joins",
     I)
joins <- function(a, b) work(unclass(a[[1]]))
path("by a text, Reduce", Reduce("joins", list(list(n), 1)), "base::Reduce",
     "joins", I)
path("by a text, one's own", sapply(n, "work"), "base::sapply", "base::lapply",
     I)
path("match.fun", match.fun("rev")(long(n)), B)
path("match.fun, one's own", match.fun("work")(n), I)
path("get", get("median")(long(n)), S)
funs <- list(m = median, r = rev, w = function(n) work(n))
path("an element of a list, called there", funs[[1]](long(n)), S)
path("an element by its name, called there", funs$r(long(n)), B)
path("an element by a text, called there", funs[["r"]](long(n)), B)
path("an element that has no name", funs$w(n), "funs$w", I)
path("an element handed over", sapply(list(long(n)), funs$r), "base::sapply",
     "base::lapply", B)
path("elements of a list, one by one", lapply(funs[1], function(f) f(long(n))),
     "base::lapply", "FUN", S)
path("elements of a list, by Map", Map(function(f, x) f(x), funs[2],
	list(long(n))), "base::Map", "base::mapply", "<anonymous>", B)
path("elements of a list, by Reduce", Reduce(function(x, f) f(x), funs[1],
	long(n)), "base::Reduce", "f", S)
callsc <- cmp(function(f, x) { y <- f(x); y })
path("elements of a list, compiled", lapply(funs[2], callsc, long(n)),
     "base::lapply", "callsc", B)
path("an element by do.call", do.call(funs$m, list(long(n))), "base::do.call", S)
path("an element by do.call, called so", do.call(funs[["r"]], list(long(n))),
     "base::do.call", B)
path("of a function", (function() median)()(long(n)), S)
path("by a choice", (if (n > 0) rev else median)(long(n)), B)
path("by a local name", local({ g <- stats::median; g(long(n)) }), "base::local",
     "base::eval.parent", "base::eval", "base::eval", S)
path("in an environment", { e <- list2env(funs[2]); e$r(long(n)) }, B)
path("from C", .Call(C_eval, as.call(list(median, long(n))), globalenv()),
     ".Call", "truth_eval", "truth_outer", "truth_inner", S)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
path("Vectorize", vectorized(list(long(n))), "vectorized", "base::do.call",
     "base::mapply", S)
vectorized <- Vectorize(median, "x")
again <- function(d, n) if (d > 1) Recall(d - 1, n) else work(n)
path("Recall in a function out of a list", lapply(list(again), function(f)
	f(2, n)), "base::lapply", "FUN", "again", "base::Recall", "again", I)
path("optim, fn out of a list", { leaf_now <<- n; optim(c(1, 1),
	list(square)[[1]], method = "BFGS") }, "stats::optim", ".External2",
     "optim", inner, "stats::<anonymous>", "square", "once", I)
path("method of S3, handed over", lapply(list(long(n)), list(rev.long)[[1]]),
     "base::lapply", "rev.long", I)

# With two names it has none of its own, and is what it is called.
twin <- other_twin <- function(n) work(n)
path("one of two names", lapply(n, twin), "base::lapply", "twin", I)
path("the other of two names", lapply(n, other_twin), "base::lapply",
     "other_twin", I)
path("which of two names is not known", lapply(list(twin), function(f) f(n)),
     "base::lapply", "FUN", "f", I)
# What a function was called before is forgotten with that name.
kept <- list(function(n) work(n))
path("a function that gets a name", { first <<- kept[[1]]
	lapply(kept, calls, n)
	rm(first, envir = globalenv()) }, "base::lapply", "calls", "first", I)
path("a function that gets another name", { second <<- kept[[1]]
	lapply(kept, calls, n)
	rm(second, envir = globalenv()) }, "base::lapply", "calls", "second", I)

# Where a function without a name is written.
written <- function(file, text, env = globalenv())
{
	lines <- strsplit(text, "\n")[[1]]
	eval(parse(text = lines, keep.source = TRUE,
		   srcfile = srcfilecopy(file, lines)), env)
}
nameless <- written("in/some/made.R", "list(\nfunction(n) work(n),
cmp(function(n) workn(n)))")
workn <- cmp(function(n) { x <- work(n); x })
path("function without a name", nameless[[1]](n), "<anonymous made.R:2>", I)
path("function without a name, compiled", nameless[[2]](n),
     "<anonymous made.R:3>", "workn", I)
typed <- written("", "list(\nfunction(n) work(n))")
path("function without a name, typed",
     typed[[1]](n), "<anonymous #2>", I)


# ------------------------------------------------------- what leads to a function

deep <- list(a = list(b = list(run = function(n) work(n), own = rev)),
	     b = list(run = function(n) work(n)), fs = list(function(n) work(n)))
get_deep <- function(...) deep
which_run <- "run"
path("a path", deep$a$b$run(n), "deep$a$b$run", I)
deepc <- cmp(function(n) { x <- deep$a$b$run(n); x })
path("a path, compiled", deepc(n), "deepc", "deep$a$b$run", I)
path("a path, do.call", do.call(deep$a$b$run, list(n)), "base::do.call",
     "<anonymous>", I)
path("a path by strings", deep[["a"]]$b[["run"]](n), "deep[[\"a\"]]$b[[\"run\"]]", I)
path("a path by a variable", deep$a$b[[which_run]](n), "deep$a$b[[which_run]]", I)
path("a path by a number", deep$fs[[1]](n), "deep$fs[[1]]", I)
path("a path by an integer", deep$fs[[1L]](n), "deep$fs[[1]]", I)
path("a path by what is computed", deep$b[[paste0("ru", "n")]](n),
     "deep$b[[paste0(\"ru\", \"n\")]]", I)
path("a path from a call", get_deep()$b$run(n), "get_deep()$b$run", I)
path("a path from a call with arguments", get_deep(1, 2)$fs[[1]](n),
     "get_deep(1, 2)$fs[[1]]", I)
path("a path in parentheses", (deep$b$run)(n), "<anonymous>", I)
path("a path through a call", getter$get()$value(n), "getter$get()$value", I)
path("a path through calls", getter$get()$get(1)$value(n), "...$get(1)$value", I)
getter <- new.env()
getter$get <- function(...) getter
getter$value <- function(n) work(n)
path("a path from a package", base::globalenv()$run_it(n),
     "base::globalenv()$run_it", I)
run_it <- other_run_it <- function(n) work(n)
path("a path from what is in parentheses", (deep)$b$run(n), "(deep)$b$run", I)
path("a path from what is in braces", { deep }$b$run(n), "{...}$b$run", I)
path("a path of four operators", getter$e$e$e$value(n), "...$e$e$value", I)
getter$e <- getter
path("a path that is cut in a call", getter$get(1, 2, 3, 4, 5, 6, 7)$value(n),
     "getter$get(1, 2, 3, 4, 5, ...)$...", I)
setClass("Slots", representation(s = "ANY"))
slots <- new("Slots", s = new("Slots", s = function(n) work(n)))
path("a path of slots", slots@s@s(n), "slots@s@s", I)
long_name <- strrep("n", 90)
assign(long_name, function(n) work(n), getter)
eval(parse(text = sprintf('path("a path of a long name", getter$e$%s(n),
	"getter$e$%s...", I)', long_name, strrep("n", 68))))
path("a path to a function that has a name", deep$a$b$own(long(n)), B)
path("an element by a number", funs[[3]](n), "funs[[3]]", I)
path("an element by an integer", funs[[3L]](n), "funs[[3]]", I)
path("an element of what is computed", list(function(n) work(n))[[1]](n),
     "list(function(...))[[1]]", I)
path("handler of an error", tryCatch(stop("x"), error = function(e) work(n)),
     "base::tryCatch", "tryCatchList", "tryCatchOne", "value[[3]]", I)
path("an element, where its line is known", nameless[[c(1)]](n),
     "<anonymous made.R:2>", I)
path("a path, where its line is known", list(nameless)[[1]][[1]](n),
     "list(nameless)[[1]][[1]]", I)

# In which package a function without a name was made, in whatever function of it.
P <- c("base::<anonymous>", I)
path("made in a package", Negate(work)(n), P)
path("made in a package, compiled", negatedc(n), "negatedc", P)
negatedc <- cmp(function(n) { y <- Negate(work)(n); y })
path("made in a package, by do.call", do.call(Negate(work), list(n)),
     "base::do.call", P)
path("made in a package, from C", .Call(C_eval, as.call(list(Negate(work), n)),
	globalenv()), ".Call", "truth_eval", "truth_outer", "truth_inner", P)
path("made in a package, a path to it", list(1, Negate(work))[[2]](n),
     "list(1, Negate(work))[[2]]", P[-1])
negated <- list(Negate(work))
path("made in a package, an element", negated[[1]](n), P)
path("made in a package, by a name", lapply(n, Negate(work)), "base::lapply", "FUN",
     P[-1])
wrapped <- Vectorize(work)
path("made in a package, of a name", wrapped(n), "wrapped", "base::do.call",
     "base::mapply", I)

# Just inside so many environments, the outermost of which is inside space.
lies <- function(depth, space)
{
	env <- space
	for (i in seq_len(depth))
		env <- new.env(hash = i %% 2 == 0, parent = env)
	as.function(alist(n = , work(n)), env)
}
stats <- asNamespace("stats")
lying <- list(lies(0, stats), lies(1, stats), lies(15, stats), lies(16, stats),
	      lies(0, .BaseNamespaceEnv), lies(1, .BaseNamespaceEnv))
path("in a namespace", (lying[[1]])(n), "stats::<anonymous>", I)
path("in an environment in a namespace", (lying[[2]])(n), "stats::<anonymous>", I)
path("in 15 environments in a namespace", (lying[[3]])(n), "stats::<anonymous>",
     I)
path("in too many environments in a namespace", (lying[[4]])(n), "<anonymous>",
     I)
path("in that of base", (lying[[5]])(n), "base::<anonymous>", I)
path("in an environment in that of base", (lying[[6]])(n), "base::<anonymous>", I)
# Sandboxes lie there; what is in them is not base.
sandboxed <- lies(1, baseenv())
assign("work", work, environment(sandboxed))
path("in base's environment", (list(sandboxed)[[1]])(n), "<anonymous>", I)
inside <- written("in/some/made.R", "list(\nfunction(n) work(n))", stats)
path("in a namespace, where its line is known", inside[[1]](n),
     "stats::<anonymous made.R:2>", I)
inside_typed <- written("", "list(\nfunction(n) work(n))", stats)
path("in a namespace, typed", inside_typed[[1]](n), "stats::<anonymous #2>", I)

# ----------------------------------------------------------- whose method it is

Base <- suppressMessages(setRefClass("Base", fields = list(no = "numeric"),
	methods = list(bare = function() run(no),
	run = function(n) work(n), twice = function(n) .self$run(n))))
Derived <- suppressMessages(setRefClass("Derived", contains = "Base",
	methods = list(own = function(n) work(n),
		       twice = function(n) callSuper(n))))
base <- Base$new()
derived <- Derived$new()
path("reference class", base$run(n), "Base$run", I)
path("reference class, by .self", base$twice(n), "Base$twice", "Base$run", I)
path("reference class, inherited", derived$run(n), "Base$run", I)
path("reference class, of its own", derived$own(n), "Derived$own", I)
path("reference class, callSuper", derived$twice(n), "Derived$twice",
     "callSuper", "Base$run", I)
path("reference class, without the object", {
	base$no <- n
	base$bare()
}, "Base$bare", "Base$run", I)
holder <- list(run = base$run, moved = base$run)
path("a path to a method", list(holder)[[1]]$run(n), "Base$run", I)
path("the method in a list", holder$run(n), "Base$run", I)
path("the method in a list, by another name", holder$moved(n), "holder$moved", I)

# ----------------------------------------------------------------- run

write_table(args[2])

end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)
	for (go in bodies)
		go()
