# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for the lines of a script that R was started with: R keeps neither
# its name nor where in it an expression stands, `jpbpf --lines` finds both.
#
#   Rscript --vanilla truth_r_script.R TRUTH_R.SO TABLE SECONDS
#   Rscript --vanilla truth_r_script.R TRUTH_R.SO --verify
#
# A path is written with marks: "f@a" is a frame f at the line that ends in
# `# @a`.  Lines are counted here, in the script itself; "f#2" is a frame whose line
# cannot be told, the second of its expression, and "f" one without a line.  The
# arguments are those of truth_r.R.

options(keep.source = TRUE)
invisible(compiler::enableJIT(0))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) < 2)
	stop("usage: truth_r_script.R SO TABLE SECONDS")
# --file=NAME, or -f NAME.
all <- commandArgs()
script <- c(sub("^--file=", "", grep("^--file=", all, value = TRUE)),
	    all[which(all == "-f") + 1])[1]
text <- readLines(script)
setwd("/")	# the name then leads nowhere
verify <- args[2] == "--verify"
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
ms <- 3
cmp <- function(f) compiler::cmpfun(f)
table <- character(0)
bodies <- list()

line_of <- function(mark)
{
	at <- grep(paste0("# @", mark, "$"), text)
	if (length(at) != 1)
		stop("mark ", mark, " is not there once")
	at
}
frame_text <- function(frame)
{
	if (grepl("@", frame))
		sprintf("%s (%s:%d)", sub("@.*", "", frame), script,
			line_of(sub(".*@", "", frame)))
	else
		sub("#(.*)", " (#\\1)", frame)
}
top <- sprintf("source %s (%s:%d)", basename(script), script, line_of("top"))
# One more path.  n in expr becomes the number of its leaf.
path <- function(construct, expr, ...)
{
	n <- length(table) + 1L
	expr <- eval(call("substitute", substitute(expr), list(n = n)))
	frames <- vapply(c(...), frame_text, "")
	table[[n]] <<- sprintf("truth_leaf_%02d\t%s;truth_leaf_%02d\t%s", n,
			       paste(c(top, "go", frames), collapse = ";"), n,
			       construct)
	bodies[[n]] <<- as.function(list(expr), envir = globalenv())
	attr(bodies[[n]], "srcref") <<- NULL
}
I <- c(".Call", "truth_burn")
C <- "truth_burn"

work <- function(n) {
	x <- n

	.Call(C_burn, x, ms) # @work
}
# A comment before, which is no expression.

workc <- cmp(function(n) {
	x <- n
	y <- .Call(C_burn, x, ms) # @workc
	y
})
path("closure", work(n), "work@work", I)
f1 <- function(n) {
	"ein Text; mit ümläuten"
	f2(n) # @f1
}
# Without braces R knows where the function begins.
f2 <- function(n) # @f2
	f3(n)
f3 <- function(n) { x <- 1
	x <- work(n); x # @f3
}
path("closures in a row", f1(n), "f1@f1", "f2@f2", "f3@f3", "work@work", I)
g1 <- cmp(function(n) {
	x <- workc(n) # @g1
	x
})
path("compiled closures", g1(n), "g1@g1", "workc@workc", C)
a <- 1; h1 <- function(n) {
	h2(n) # @h1
}; h2 <- function(n) {
	work(n) # @h2
}; b <- 2
path("several expressions on a line", h1(n), "h1@h1", "h2@h2", "work@work", I)

# The same text twice: nobody can say which of them runs.
twin <- function(n) {
	work(n)
}
twin <- function(n) {
	work(n)
}
path("the same text twice", twin(n), "twin#2", "work@work", I)

# Long ones: alike in their first 255 bytes, of different lengths.
long <- function(n) {
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	stop("not this one")
}
long <- function(n) {
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	work(n) # @long
}
path("long ones that begin alike", long(n), "long@long", "work@work", I)

# Code that is not of the script, however much it looks like it.
eval(parse(text = c("texts <- function(n) {", "", "work(n)", "}"),
	   keep.source = TRUE))
path("parse(text=)", texts(n), "texts (<text>:3)", "work@work", I)
local({
	lines <- c("typed <- function(n) {", "\tx <- 1", "\twork(n)", "}")
	eval(parse(text = lines, srcfile = srcfilecopy("", lines),
		   keep.source = TRUE), globalenv())
})
path("typed", typed(n), "typed#3", "work@work", I)
named <- function(n) {
#line 70 "other.R"
	work(n)
}
path("#line", named(n), "named (other.R:70)", "work@work", I)

if (verify) {
	writeLines(table)
	quit()
}
part <- paste0(args[2], ".part")
writeLines(table, part)
invisible(file.rename(part, args[2]))
rm(part)

options(keep.source = FALSE)
end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)	# @top
	for (go in bodies)
		go()
