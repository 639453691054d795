# Calls of all kinds, chosen by a seed.  Each function counts itself: how often it began,
# how often it returned, and how often another call took its place.  The rest was left by a
# jump.  Begins when a line can be read.  In the end writes a line for each function: name,
# begun, and how often it ended by each way, with tabs between.
#
#   Rscript calls.R SEED ROUNDS FILE
args <- commandArgs(TRUE)
set.seed(as.integer(args[1]))
counts <- new.env()
enters <- function(name)
	assign(name, c(1, 0, 0) + get0(name, counts, inherits = FALSE, ifnotfound = c(0, 0, 0)),
		envir = counts)
returns <- function(name) assign(name, c(0, 1, 0) + get(name, counts), envir = counts)
tails <- function(name) assign(name, c(0, 0, 1) + get(name, counts), envir = counts)
some <- function(p) runif(1) < p

leaf <- function(x) { enters("leaf"); returns("leaf"); x }
rec <- function(n) { enters("rec"); r <- if (n <= 0) 0 else 1 + rec(n - 1); returns("rec"); r }
recall <- function(n) {
	enters("recall")
	r <- if (n <= 0) 0 else Recall(n - 1)
	returns("recall")
	r
}
thrower <- function(p) { enters("thrower"); if (some(p)) stop("boom"); returns("thrower"); 1 }
mid <- function(p) { enters("mid"); r <- thrower(p) + leaf(1); returns("mid"); r }
exits <- function(p) {
	enters("exits")
	on.exit({ leaf(1); rec(1) })
	r <- mid(p)
	returns("exits")
	r
}
handler <- function(e) { enters("handler"); returns("handler"); -1 }
catcher <- function(p) {
	enters("catcher")
	r <- tryCatch(exits(p), error = function(e) handler(e), finally = leaf(3))
	returns("catcher")
	r
}
warner <- function(p) { enters("warner"); if (some(p)) warning("w"); returns("warner"); 2 }
muffle <- function(w) { enters("muffle"); invokeRestart("muffleWarning"); returns("muffle") }
calling <- function(p) {
	enters("calling")
	r <- withCallingHandlers(warner(p), warning = function(w) { leaf(1); muffle(w) })
	returns("calling")
	r
}
deep <- function(k, n, p) {
	enters("deep")
	r <- if (n == 0) { if (some(p)) k(7); 3 } else deep(k, n - 1, p)
	returns("deep")
	r
}
escapes <- function(p) {
	enters("escapes")
	r <- callCC(function(k) deep(k, sample(5, 1), p))
	returns("escapes")
	r
}
# An argument is evaluated where it is needed first.
force1 <- function(x) { enters("force1"); r <- x; returns("force1"); r }
force2 <- function(x) { enters("force2"); r <- force1(x); returns("force2"); r }
promised <- function(p) {
	enters("promised")
	if (some(p)) { returns("promised"); force2(return(5)) }
	r <- force2(6)
	returns("promised")
	r
}
loop <- function(p) {
	enters("loop")
	s <- 0
	for (i in 1:4) {
		s <- s + 1
		if (some(p)) force1(break) else if (some(p)) force2(next)
		leaf(i)
	}
	returns("loop")
	s
}
early <- function(p) {
	enters("early")
	if (some(p)) { returns("early"); return(leaf(1)) }
	for (i in 1:3) if (some(p)) { returns("early"); return(i) }
	returns("early")
	0
}
gen <- function(x, ...) { enters("gen"); UseMethod("gen") }
gen.a <- function(x, ...) { enters("gen.a"); r <- NextMethod(); returns("gen.a"); r }
gen.b <- function(x, ...) { enters("gen.b"); r <- thrower(0.2); returns("gen.b"); r }
gen.default <- function(x, ...) { enters("gen.default"); returns("gen.default"); 0 }
dispatches <- function() {
	enters("dispatches")
	class <- sample(list("a", c("a", "b"), "b", "z"), 1)[[1]]
	r <- try(gen(structure(1, class = class)), silent = TRUE)
	if (!inherits(r, "try-error")) returns("gen")
	returns("dispatches")
	r
}
calls <- function() {
	enters("calls")
	r <- do.call("leaf", list(1)) + do.call(leaf, list(2))
	returns("calls")
	r
}
applies <- function() {
	enters("applies")
	r <- c(lapply(1:3, leaf), sapply(1:2, function(i) rec(i)), vapply(1:2, leaf, 0),
		Map(leaf, 1:2), Filter(function(x) leaf(x) > 1, 1:3),
		Reduce(function(a, b) leaf(a) + leaf(b), 1:4))
	returns("applies")
	length(r)
}
evals <- function() {
	enters("evals")
	r <- eval(quote(leaf(1) + leaf(2))) + evalq(leaf(3), new.env()) + local({ rec(2) })
	returns("evals")
	r
}
tries <- function(p) {
	enters("tries")
	try({ exits(p); catcher(p) }, silent = TRUE)
	returns("tries")
	1
}
nested <- function(p) {
	enters("nested")
	r <- tryCatch({
		on.exit(leaf(2))
		tryCatch(mid(p), warning = function(w) 1, finally = rec(1))
	}, error = function(e) tryCatch(mid(p), error = function(e) 9))
	returns("nested")
	r
}
again <- function(p) {
	enters("again")
	r <- tryCatch(tryCatch(mid(p), error = function(e) stop(e)), error = function(e) 4)
	returns("again")
	r
}
restarts <- function() {
	enters("restarts")
	r <- withRestarts(restarting(sample(3, 1)), out = function(v) v)
	returns("restarts")
	r
}
restarting <- function(n) {
	enters("restarting")
	if (n == 0) invokeRestart("out", 5)
	r <- restarting(n - 1)
	returns("restarting")
	r
}
takes_place <- function() { enters("takes_place"); returns("takes_place"); 0 }
if (getRversion() >= "4.4.0") {
	odd <- function(n) {
		enters("odd")
		if (n <= 0) { returns("odd"); FALSE } else { tails("odd"); Tailcall(even, n - 1) }
	}
	even <- function(n) {
		enters("even")
		if (n <= 0) {
			returns("even")
			TRUE
		} else {
			tails("even")
			Exec(quote(odd(n - 1)), environment())
		}
	}
	takes_place <- function() {
		enters("takes_place")
		r <- even(sample(8, 1))
		returns("takes_place")
		r
	}
}

todo <- list(function() rec(sample(6, 1)), function() recall(3), function() catcher(.3),
	function() calling(.5), function() escapes(.5), function() promised(.5),
	function() loop(.3), dispatches, calls, applies, evals, function() early(.3),
	function() tries(.3), function() nested(.3), function() again(.4), restarts, takes_place)
input <- file("stdin")
cat("ready\n")
invisible(readLines(input, 1))
for (i in seq_len(as.integer(args[2]))) todo[[sample(length(todo), 1)]]()

out <- file(args[3], "w")
for (name in sort(ls(counts))) {
	n <- get(name, counts)
	cat(name, n[1], n[2], 0, 0, 0, 0, n[3], n[1] - n[2] - n[3], sep = "\t", file = out)
	cat("\n", file = out)
}
close(out)
