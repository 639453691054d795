# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# C code of base and stats that calls back, and functions that take functions;
# part of truth_r.R.

path("uniroot", { leaf_now <<- n
	     uniroot(function(x) { once(); x - 0.3 }, c(0, 1)) },
	     "stats::uniroot",
     "f", "once", "work", I)
path("uniroot, in its C code", { calls_left <<- 3
	     uniroot(function(x) { later(n); x - 0.3 }, c(0, 1)) },
     "stats::uniroot", foreign, "stats::<anonymous>", "f", "later", "work", I)
calls_left <- 0
later <- function(n)
	if ((calls_left <<- calls_left - 1) == 0) work(n)
path("nlm", { leaf_now <<- n; nlm(square, 1) }, "stats::nlm", foreign,
     "stats::<anonymous>", "square", "once", "work", I)
path("nlminb", { leaf_now <<- n; nlminb(1, square) }, "stats::nlminb", "**~.*",
     "square", "once", "work", I)
path("optim, Nelder-Mead", { leaf_now <<- n
	     optim(c(1, 1), square, control = list(maxit = 2)) }, "stats::optim",
     foreign, "stats::<anonymous>", "square", "once", "work", I)
path("optim, L-BFGS-B", { leaf_now <<- n
	     optim(c(1, 1), square, method = "L-BFGS-B") }, "stats::optim",
     foreign, "stats::<anonymous>", "square", "once", "work", I)
path("optimHess", { leaf_now <<- n; optimHess(c(1, 1), square) },
     "stats::optimHess", foreign, "stats::<anonymous>", "square", "once", "work", I)
path("integrate in integrate", integrate(function(x) sapply(x, function(y) {
	leaf_now <<- n
	integrate(slope, 0, 1)$value
}), 0, 1), "stats::integrate", foreign, "stats::<anonymous>", "f", "base::sapply",
     "base::lapply", "FUN", "stats::integrate", foreign, "stats::<anonymous>",
     "slope", "once", "work", I)
model <- function(x, a) { once(); a * x }
points <- data.frame(x = 1:6, y = 2 * (1:6) + c(.1, -.1, .2, -.2, .1, 0))
path("nls", { leaf_now <<- n; nls(y ~ model(x, a), points, start = list(a = 1)) },
     "stats::nls", "**~.*", "model", "once", "work", I)
path("model.frame", { leaf_now <<- n; lm(y ~ model(x, 1), points) }, "stats::lm",
     "**~.*", "model", "once", "work", I)
path("deriv, numericDeriv", { leaf_now <<- n
	     numericDeriv(quote(model(1, a)), "a", list2env(list(a = 1))) },
     "stats::numericDeriv", "**~.*", "model", "once", "work", I)

path("rapply", rapply(list(n), work, how = "unlist"), "base::rapply", "**~.*", I)
path("Vectorize", Vectorize(function(a, b) work(a))(n, 1), "base::<anonymous>",
     "base::do.call", "base::mapply", "<anonymous>", "work", I)
path("Position", Position(function(i) { work(n); TRUE }, 1), "base::Position",
     "~f|FUN", "work", I)
path("Reduce with init, right", Reduce(function(a, b) work(n), 1:2, 0,
	right = TRUE, accumulate = FALSE), "base::Reduce", "f", "work", I)
path("Compose by hand", (function(f, g) function(x) g(f(x)))(identity, work)(n),
     "<anonymous>", "work", I)
path("aggregate", aggregate(points$y, list(g = rep(1, 6)), function(v) work(n)),
     "stats::aggregate", "**~.*", "FUN", "work", I)
path("by", by(points, rep(1, 6), function(d) work(n)), "base::by", "**~.*", "FUN",
     "work", I)
path("ave", ave(1:2, c(1, 1), FUN = function(v) work(n)), "stats::ave", "**~.*",
     "FUN", "work", I)
path("sweep", sweep(matrix(1:4, 2), 1, 1:2, function(a, b) work(n)),
     "base::sweep",
     "FUN", "work", I)
path("array apply on two margins",
     apply(array(n, c(1, 1, 1)), c(1, 2), function(v) work(n)), "base::apply",
     "FUN", "work", I)
path("do.call of a package function", do.call(lapply, list(n, work)),
     "base::do.call", "base::lapply", "work", I)
path("do.call with a list of promises", do.call("takes", list(quote(work(n)))),
     "base::do.call", "takes", "work", I)
path("Map of two lists", Map(function(a, b) work(a), n, 1), "base::Map",
     "base::mapply", "<anonymous>", "work", I)
path("sapply with names", sapply(c(a = n), work), "base::sapply", "base::lapply",
     "work", I)
path("sapply in sapply in sapply",
     sapply(1, function(i) sapply(1, function(j) sapply(n, work))),
     rep(c("base::sapply", "base::lapply", "FUN"), 2), "base::sapply",
     "base::lapply", "work", I)
path("regmatches<- and gsub of a promise", gsub("a", "b", { work(n); "a" }),
     "base::gsub", "?is.factor", "**~.*", "work", I)
path("environment functions: sys.call, match.call",
     (function(...) { match.call(); sys.call(); work(n) })(1), "<anonymous>",
     "work", I)
path("task of a connection", { con <- textConnection("work(leaf_now)")
	     leaf_now <<- n
	     source(con, local = FALSE)
	     close(con) }, "base::source", "base::withVisible", "base::eval",
	     "work", I)
path("sys.source", { leaf_now <<- n
	     sys.source(script_file, globalenv()) }, "base::sys.source", "**~.*",
     "work", I)
script_file <- tempfile()
writeLines("work(leaf_now)", script_file)
path("compiled by hand", (compiler::cmpfun(function(n) workc(n)))(n),
     "<anonymous>", "workc", C)
path("compiled expression", eval(compiler::compile(quote(workc(n)))),
     "base::eval", "workc", C)
path("trace()d function", traced(n), "traced", "work", I)
traced <- function(n) { r <- work(n); r }
# R 4.0 has a function of its own for that.
visible <- if (any(grepl("evalVis", deparse(capture.output))))
	c("evalVis", "base::withVisible", "base::eval") else "base::withVisible"
path("printing that is captured", capture.output(work(n)),
     "utils::capture.output", visible, "work", I)
# Syntax since R 4.1.
if (getRversion() >= "4.1.0") {
	eval(parse(text = 'path("pipe", n |> work(), "work", I)'))
	eval(parse(text = 'path("lambda", (\\(x) work(x))(n), "<anonymous>",
	"work", I)'))
}
