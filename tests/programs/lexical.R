# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Calls whose callers by the text are not those that called them, and R's own answer:
#
#   Rscript --vanilla lexical.R TABLE SECONDS
#
# Writes TABLE, the stacks that Rprof(filter.callframes = TRUE) sees, outermost frame
# first, joined by ";"; then goes on for SECONDS.  All is compiled: Rprof would
# add frames to builtins that are interpreted.
burn <- compiler::cmpfun(function(n) {
	x <- 0
	for (i in 1:n)
		x <- x + i
	x
})
hand <- compiler::cmpfun(function(x) take(x))
take <- compiler::cmpfun(function(x) x)
again <- compiler::cmpfun(function(n, d) {
	if (d == 0)
		burn(n)
	else
		take(again(n, d - 1))
})
paint <- compiler::cmpfun(function(x, n) UseMethod("paint"))
paint.default <- compiler::cmpfun(function(x, n) burn(n))
promises <- compiler::cmpfun(function(n) hand(burn(n)))
tries <- compiler::cmpfun(function(n) tryCatch(burn(n), error = identity))
quiet <- compiler::cmpfun(function(n) suppressWarnings(hand(burn(n))))
each <- compiler::cmpfun(function(n) lapply(1, function(i) burn(n)))
evals <- compiler::cmpfun(function(n) eval(quote(burn(n))))
calls <- compiler::cmpfun(function(n) do.call("burn", list(n)))
methods <- compiler::cmpfun(function(n) hand(paint(1, n)))
main <- compiler::cmpfun(function(seconds) {
	n <- 2e5
	end <- proc.time()[[3]] + seconds
	while (proc.time()[[3]] < end) {
		promises(n)
		tries(n)
		quiet(n)
		each(n)
		evals(n)
		calls(n)
		methods(n)
		again(n, 3)
	}
})

args <- commandArgs(TRUE)
own <- tempfile()
Rprof(own, interval = 0.01, filter.callframes = TRUE)
main(5)
Rprof(NULL)
seen <- grep("^\"burn\" ", readLines(own), value = TRUE)
seen <- unique(vapply(strsplit(gsub("\"", "", seen), " "),
		      function(s) paste(rev(s), collapse = ";"), ""))
part <- paste0(args[1], ".part")
writeLines(seen, part)
invisible(file.rename(part, args[1]))
main(as.numeric(args[2]))
