# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# R code that runs, each function on lines of its own:
#
#   Rscript --vanilla spin_lines.R TABLE SECONDS
#
# Writes TABLE (function, first and last line of it; separated by tabs), then runs
# the functions in turn: those named ...c as bytecode, the others by the
# interpreter.  While it does, a sample of a function must be on one of its lines.
# (The program sources itself, because Rscript keeps no lines.)
if (!exists("again")) {
	again <- TRUE
	self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
	source(self, keep.source = TRUE)
	quit()
}
invisible(compiler::enableJIT(0))
args <- commandArgs(TRUE)

numbers <- function() {
	x <- 0
	for (i in 1:3000) {
		x <- (i * 7) %% 13
		if (x > 11) {
			y <- x / 2
		}
	}
}
texts <- function() {
	s <- ""
	for (i in 1:300) {
		s <- paste0(s, "x")
		n <- nchar(s)
		if (substr(s, 1, 1) == "y")
			s <- ""
	}
}
vectors <- function() {
	l <- list()
	for (i in 1:500) {
		l[[i]] <- i
		n <- length(l)
		e <- l[[n]]
	}
	while (n > 0) {
		n <- n - 1
		e <- sum(
			sqrt(n),
			exp(-n))
	}
}
called <- function(x) {
	x
}
calls <- function() {
	for (i in 1:3000) {
		called(2)
		x <- called(1)
	}
}
calledc <- compiler::cmpfun(function(x) {
	x
})
callsc <- compiler::cmpfun(function() {
	for (i in 1:3000) {
		calledc(2)
		x <- calledc(1)
	}
})
rows <- character(0)
for (name in c("numbers", "texts", "vectors"))
	assign(paste0(name, "c"), compiler::cmpfun(get(name)))
for (name in c("numbers", "texts", "vectors", "called", "calls"))
	for (name in paste0(name, c("", "c"))) {
		at <- attr(get(name), "srcref")
		rows <- c(rows, paste(name, at[1], at[3], sep = "\t"))
	}
writeLines(rows, paste0(args[1], ".new"))
invisible(file.rename(paste0(args[1], ".new"), args[1]))
end <- proc.time()[[3]] + as.numeric(args[2])
while (proc.time()[[3]] < end) {
	numbers()
	texts()
	vectors()
	calls()
	for (i in 1:4) {
		numbersc()
		textsc()
		vectorsc()
		callsc()
	}
}
