# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# A random program in R, and every stack that it can have.
#
#   Rscript --vanilla random_r.R TRUTH_R.SO TABLE SECONDS SEED
#
# As random_tcl.tcl: a tree of calls, each of a function whose name occurs nowhere else, so
# the innermost of them says what all frames outward of it must be.  TABLE: lines `leaf TAB
# stack`.  Every other function is compiled, by chance.  What frames are called is told in
# truth_r.R.  The compiler makes of `local(f())` a call of a function without a name.

args <- commandArgs(trailingOnly = TRUE)
invisible(compiler::enableJIT(0))
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
C_unwind <- getNativeSymbolInfo("truth_unwind", dll)
C_top <- getNativeSymbolInfo("truth_top", dll)
set.seed(as.integer(args[4]))

most <- 150
nodes <- 0
rows <- character()
number <- function() { nodes <<- nodes + 1; nodes }
chance <- function(of) runif(1) < of
pick <- function(of) of[[sample.int(length(of), 1)]]

# These frames may stand inward of the stack: the new stack.
legal <- function(stack, ...)
{
	for (frame in c(...)) {
		stack <- paste(stack, frame, sep = ";")
		rows[[length(rows) + 1]] <<- paste0("-\t", stack)
	}
	stack
}

# What is done on this stack, as calls of a body.
body_on <- function(stack, depth, compiled)
{
	force(stack)
	n <- number()
	out <- list()
	for (part in seq_len(1 + sample.int(3, 1))) {
		what <- pick(c("spin", "leaf", "node", "node", "node"))
		if (what == "spin") {
			out <- c(out, quote(for (i in 1:40) i + 1))
		} else if (what == "leaf" && n < 400) {
			leaf <- sprintf("truth_leaf_%02d", n)
			call <- if (compiled) NULL else ".Call"
			rows[[length(rows) + 1]] <<- paste0(leaf, "\t", paste(c(stack,
				call, "truth_burn", leaf), collapse = ";"))
			out <- c(out, substitute(.Call(C_burn, n, 0.05), list(n = n)))
		} else if (what == "node" && depth > 0 && nodes < most) {
			out <- c(out, node(stack, depth - 1, compiled))
		}
	}
	c(out, quote(invisible(0)))
}

# A function whose calls have this frame; its name.
defined <- function(stack, depth, formals = alist(... = ), name = paste0("n", number()),
		    frame = name, before = NULL, after = NULL)
{
	compiled <- chance(0.5)
	body <- c(quote(`{`), before, body_on(legal(stack, frame), depth, compiled), after)
	f <- as.function(c(formals, as.call(body)), envir = globalenv())
	assign(name, if (compiled) compiler::cmpfun(f) else f, envir = globalenv())
	as.name(name)
}

ways <- list(
	call = function(stack, depth, ...)
		as.call(list(defined(stack, depth))),
	deep = function(stack, depth, ...)
	{
		name <- paste0("n", number())
		levels <- sample.int(40, 1)
		for (i in seq_len(levels - 1))
			stack <- legal(stack, name)
		defined(stack, depth, alist(left = ), name, before = list(
			substitute(if (left > 1) return(f(left - 1)),
				   list(f = as.name(name)))))
		call(name, levels)
	},
	lapply = function(stack, depth, ...)
		substitute(lapply(1:2, f),
			   list(f = defined(legal(stack, "base::lapply"), depth))),
	vapply = function(stack, depth, ...)
		substitute(vapply(1:2, f, 0),
			   list(f = defined(legal(stack, "base::vapply"), depth))),
	sapply = function(stack, depth, ...)
		substitute(sapply(1:2, f), list(f = defined(legal(stack,
			"base::sapply", "base::lapply"), depth))),
	mapply = function(stack, depth, ...)
		substitute(mapply(f, 1:2, 1:2),
			   list(f = defined(legal(stack, "base::mapply"), depth))),
	do.call = function(stack, depth, ...)
		substitute(do.call(f, list(1)), list(f = as.character(
			defined(legal(stack, "base::do.call"), depth)))),
	tryCatch = function(stack, depth, ...)
	{
		f <- defined(legal(stack, "base::tryCatch", "tryCatchList",
			"tryCatchOne", "doTryCatch"), depth,
			after = if (chance(0.5)) quote(stop("no")))
		substitute(tryCatch(f(), error = identity), list(f = f))
	},
	handler = function(stack, depth, ...)
		substitute(tryCatch(stop("no"), error = f), list(f = defined(
			legal(stack, "base::tryCatch", "tryCatchList", "tryCatchOne"),
			depth))),
	suppress = function(stack, depth, ...)
		substitute(suppressWarnings(f()), list(f = defined(legal(stack,
			"base::suppressWarnings", "base::withCallingHandlers"), depth))),
	eval = function(stack, depth, ...)
		substitute(eval(quote(f())),
			   list(f = defined(legal(stack, "base::eval"), depth))),
	local = function(stack, depth, compiled)
	{
		frames <- if (compiled) "<anonymous>" else
			c("base::local", "base::eval.parent", "base::eval", "base::eval")
		substitute(local(f()), list(f = defined(legal(stack, frames), depth)))
	},
	promise = function(stack, depth, ...)
	{
		name <- paste0("n", number())
		inner <- defined(legal(stack, name), depth)
		compiled <- chance(0.5)
		f <- as.function(alist(x = , { y <- 1; x; y }), envir = globalenv())
		assign(name, if (compiled) compiler::cmpfun(f) else f, envir = globalenv())
		as.call(list(as.name(name), as.call(list(inner))))
	},
	exit = function(stack, depth, ...)
	{
		name <- paste0("n", number())
		inner <- defined(legal(stack, name), depth)
		defined(stack, 0, name = name, before = list(
			substitute(on.exit(f()), list(f = inner))))
		call(name)
	},
	method = function(stack, depth, ...)
	{
		generic <- paste0("g", number())
		method <- paste0(generic, ".c1")
		f <- as.function(c(alist(x = ), call("UseMethod", generic)),
				 envir = globalenv())
		assign(generic, f, envir = globalenv())
		defined(legal(stack, generic), depth, alist(x = ), method)
		call(generic, quote(structure(1, class = "c1")))
	},
	repeats = function(stack, depth, ...)
	{
		f <- defined(stack, depth)
		substitute(for (k in 1:2) { if (k > 1) next; f() }, list(f = f))
	},
	callcc = function(stack, depth, ...)
	{
		f <- defined(legal(stack, "base::callCC"), depth, alist(leave = ),
			     after = quote(leave(1)))
		substitute(callCC(f), list(f = f))
	},
	c_eval = function(stack, depth, ...)
	{
		way <- pick(c("eval", "unwind", "top"))
		routine <- paste0("truth_", way)
		body <- c(eval = character(), unwind = "truth_protected", top = "truth_body")
		name <- paste0("n", number())
		inside <- legal(stack, name, ".Call", routine, "truth_outer", "truth_inner",
			body[way][!is.na(body[way])])
		f <- defined(inside, depth)
		g <- as.function(list(substitute(.Call(C, quote(f()), globalenv()),
			list(C = as.name(paste0("C_", way)), f = f))), envir = globalenv())
		assign(name, g, envir = globalenv())
		call(name)
	},
	reference = function(stack, depth, ...)
	{
		name <- paste0("o", number())
		f <- defined(legal(stack, paste0(name, "$run")), depth)
		assign(name, list(run = as.function(list(as.call(list(f))),
			envir = globalenv())), envir = globalenv())
		as.call(list(call("$", as.name(name), as.name("run"))))
	})

node <- function(stack, depth, compiled) pick(ways)(stack, depth, compiled)

tops <- list(quote(`{`))
while (nodes < most)
	tops <- c(tops, node("main0", 7, FALSE))
main0 <- as.function(list(as.call(tops)), envir = globalenv())
writeLines(c(rows, "-\tmain0"), paste0(args[2], ".part"))
invisible(file.rename(paste0(args[2], ".part"), args[2]))
end <- Sys.time() + as.numeric(args[3])
while (Sys.time() < end)
	main0()
