# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The paths of truth_r_lines.R, which sources this file and keeps its lines.

# ------------------------------------------------------------- closures

work <- function(n) {
	x <- n
	.Call(C_burn,
	      x, ms)
}
workc <- cmp(function(n) {
	x <- n

	y <- .Call(C_burn, x, ms)
	y
})
path("closure", work(n), "work", I)
path("compiled closure", workc(n), "workc", C)
path("body with lines", {
	x <- n

	work(x)
}, "work", I)

f1 <- function(n) {
	f2(n)
}
f2 <- function(n)
	f3(n)
f3 <- function(n) { x <- 1
	x <- work(n); x }
path("closures in a row", f1(n), "f1", "f2", "f3", "work", I)
c1 <- cmp(function(n) {
	c2(n)
})
c2 <- cmp(function(n)
	c3(n))
c3 <- cmp(function(n) { x <- 1
	x <- workc(n); x })
path("compiled closures in a row", c1(n), "c1", "c2", "c3", "workc", C)
m1 <- function(n) {
	x <- m2(n)
	x
}
m2 <- cmp(function(n) {

	x <- m3(n)
	x
})
m3 <- function(n) {
	work(n)
}
path("interpreted and compiled in turn", m1(n), "m1", "m2", "m3", "work", I)
rec <- function(d, n) {
	if (d > 1)
		rec(d - 1, n)
	else if (d > -1)
		work(n)
}
recc <- cmp(rec)
recc <- cmp(function(d, n) {
	if (d > 1) {
		recc(d - 1, n)
	} else {
		workc(n)
	}
})
path("recursion 100 deep", rec(100, n), rep("rec", 100), "work", I)
path("compiled recursion 100 deep", recc(100, n), rep("recc", 100), "workc", C)
long <- function(n) {
	x <- list(a = 1,
		  b = work(n),
		  c = 3)
	x
}
longc <- cmp(long)
path("a call of many lines", long(n), "long", "work", I)
path("a compiled call of many lines", longc(n), "longc", "work", I)

control <- function(n) {
	for (i in 1) {
		repeat {
			while (TRUE) {
				if (i == 1) {
					switch("a", a = {
						x <- 1
						x <- work(n)
					})
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
after <- function(n) {
	x <- base::identity(1)
	for (i in 1:2)
		x <- x + 1
	work(n)
}
path("after other lines", after(n), "after", "work", I)
afterc <- cmp(after)
path("after other lines, compiled", afterc(n), "afterc", "work", I)

# ------------------------------------------------- functions of packages

path("lapply", lapply(n, work), "base::lapply", "work", I)
each <- function(n) {
	lapply(n,
	       function(i) {
		       x <- i
		       work(x)
	       })
}
path("lapply of an anonymous function", each(n), "each", "base::lapply", "FUN",
     "work", I)
eachc <- cmp(each)
path("the same, compiled", eachc(n), "eachc", "base::lapply", "FUN", "work", I)
twice <- function(n) {
	sapply(n, function(i)
		vapply(i, function(j) {
			work(j)
			1
		}, 1))
}
path("sapply and vapply", twice(n), "twice", "base::sapply", "base::lapply",
     "FUN", "base::vapply", "FUN", "work", I)
path("do.call", do.call("f1", list(n)), "base::do.call", "f1", "f2", "f3",
     "work", I)
folds <- function(n) {
	Reduce(function(a, b) {
		b
		work(b)
	}, list(0, n))
}
path("Reduce", folds(n), "folds", "base::Reduce", "f", "work", I)

# ------------------------------------------------------- promises and eval

takes <- function(x) {
	y <- 1
	y <- x
	y
}
gives <- function(n) {
	a <- 1
	takes({
		b <- 2
		work(n)
	})
}
path("promise", takes(work(n)), "takes", "work", I)
path("promise with lines", gives(n), "gives", "takes", "work", I)
takesc <- cmp(takes)
givesc <- cmp(function(n) {
	takesc(
		workc(n))
})
path("compiled promise", givesc(n), "givesc", "takesc", "workc", C)
default <- function(n,
		    x = work(n)) {
	y <- 1
	x
}
path("default argument", default(n), "default", "work", I)
evals <- function(n) {
	e <- quote({
		a <- 1
		work(n)
	})
	eval(e)
}
path("eval", evals(n), "evals", "base::eval", "work", I)
evalsc <- cmp(evals)
path("eval in compiled code", evalsc(n), "evalsc", "base::eval", "work", I)
locals <- function(n) {
	x <- 1
	local({
		x <- 2
		work(n)
	})
}
path("local", locals(n), "locals", "base::local", "base::eval.parent",
     "base::eval", "base::eval", "work", I)
chain <- c("base::tryCatch", "tryCatchList", "tryCatchOne", "doTryCatch")
tries <- function(n) {
	tryCatch({
		x <- 1
		work(n)
	}, error = identity)
}
path("tryCatch", tries(n), "tries", chain, "work", I)
handles <- function(n) {
	tryCatch(stop("x"),
		 error = function(e) {
			 x <- 1
			 work(n)
		 })
}
path("exiting handler", handles(n), "handles", "base::tryCatch", "tryCatchList",
     "tryCatchOne", "<anonymous>", "work", I)
jumps <- function(n) {
	tryCatch({
		stop("out")
	}, error = identity)
	work(n)
}
path("after a jump", jumps(n), "jumps", "work", I)
jumpsc <- cmp(jumps)
path("after a jump, compiled", jumpsc(n), "jumpsc", "work", I)
leaves <- function(n) {
	on.exit({
		x <- 1
		work(n)
	})
	1
}
path("on.exit", leaves(n), "leaves", "work", I)

# ---------------------------------------------------------------- methods

paint <- function(x, n)
	UseMethod("paint")
paint.ink <- function(x, n) {
	y <- 1
	y <- NextMethod()
	y
}
paint.default <- function(x, n) {
	y <- 1
	y <- work(n)
	y
}
path("S3 methods", paint(structure(1, class = "ink"), n), "paint", "paint.ink",
     "base::NextMethod", "paint.default", "work", I)
obj <- list(run = function(n) {

	work(n)
})
path("obj$run()", obj$run(n), "obj$run", "work", I)

# ------------------------------------------------------------- R -> C -> R

back <- function(n) {
	x <- 1
	.Call(C_eval, call("work", n), globalenv())
}
path("Rf_eval", back(n), "back", ".Call", "truth_eval", c12, "work", I)
backc <- cmp(function(n) {
	x <- 1
	.Call(C_unwind, call("workc", n), globalenv())
})
path("R_UnwindProtect, compiled", backc(n), "backc", "truth_unwind", c12,
     "truth_protected", "workc", C)

# ------------------------------------------------------- other files, and none

eval(parse(text = c("none <- function(n) {", "work(n)", "}"),
	   keep.source = FALSE))
path("no srcref", none(n), "none", "work", I)
eval(parse(text = c("texts <- function(n) {", "", "work(n)", "}"),
	   keep.source = TRUE))
path("parse(text=)", texts(n), "texts", "work", I)
eval(parse(text = c("#line 70 \"other.R\"", "named <- function(n) {",
		    "work(n)", "}"), keep.source = TRUE))
path("#line", named(n), "named", "work", I)
local({
	file <- tempfile()
	writeLines(c("elsewhere <<- function(n) {", "  x <- 1", "  f1(n)", "}"),
		   file)
	source(file, keep.source = TRUE)
	unlink(file)
})
path("another file", elsewhere(n), "elsewhere", "f1", "f2", "f3", "work", I)
local({
	src <- srcfilecopy("", c("typed <- function(n) {", "  x <- 1",
				 "  work(n)", "}"))
	eval(parse(text = src$lines, srcfile = src, keep.source = TRUE),
	     globalenv())
})
path("typed", typed(n), "typed", "work", I)
