# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for code at the top level of files, which `jpbpf --lines` shows as frames of
# their own, with the line of the expression that runs.
#
#   Rscript --vanilla truth_r_top.R TRUTH_R.SO TABLE BEGIN PART KEPT
#
# KEPT: TRUE, R keeps the source, or FALSE.  PART: truth_r_top_part.R, which is sourced;
# beside it another copy of TRUTH_R.SO.
# TABLE as in truth_r.R; burning begins when the file BEGIN is there.  Each expression has
# a leaf.  A path is written with marks: "f@a" is a frame f at the line that ends in
# `# @a`, where R keeps the source; top("a") is the file's top level, at that line.  The
# test makes many of a line that ends in `fill`.

invisible(compiler::enableJIT(0))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) < 5) stop("usage: truth_r_top.R SO TABLE BEGIN PART KEPT")
dll <- dyn.load(args[1]); C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
part <- args[4]; late <- file.path(dirname(part), basename(args[1]))
kept <- as.logical(args[5])
all <- commandArgs()
script <- c(sub("^--file=", "", grep("^--file=", all, value = TRUE)),
	    all[which(all == "-f") + 1])[1]
script <- gsub("~+~", " ", script, fixed = TRUE)	# as R's front end writes it
text <- list(readLines(script), readLines(part))
setwd("/")	# the name then leads nowhere
ms <- 60; few <- 4
table <- character()

line_of <- function(mark, file)
{
	at <- grep(paste0("# @", mark, "$"), text[[file]])
	if (length(at) != 1)
		stop("mark ", mark, " is not there once")
	at
}
# The frame of a file's top level at a mark.
top <- function(mark, file = 1)
	sprintf("source %s (%s:%d)", basename(c(script, part)[file]),
		c(script, part)[file], line_of(mark, file))
frame_text <- function(frame, file, lines)
{
	name <- sub("@.*", "", frame)
	mark <- sub("!$", "", sub(".*@", "", frame))
	if (!grepl("@", frame) || !lines) return(name)
	sprintf("%s (%s:%d)", name, c(script, part)[file], line_of(mark, file))
}
# One more row.  lines: R keeps the source of the file that the marks are in.
row <- function(n, construct, ..., file = 1, lines = kept)
{
	frames <- c(...)
	at <- grepl("@", frames) & !grepl("^source ", frames)
	frames[at] <- vapply(frames[at], frame_text, "", file, lines)
	table[[length(table) + 1L]] <<- sprintf("truth_leaf_%02d\t%s;truth_leaf_%02d\t%s",
		n, paste(frames, collapse = ";"), n, construct)
}
I <- c(".Call", "truth_burn")
C <- "truth_burn"

# Where R keeps the source, it knows the line in a block; else it is the expression's.
row(1, "a call of C", top("call"), I)
row(2, "a function", top("function"), "work@work", I)
row(3, "a loop", top(if (kept) "in loop" else "loop"), I)
row(4, "a loop that calls", top(if (kept) "in calls" else "calls"), "work@work", I)
row(5, "several expressions on a line", top("several"), "work@work", I)
row(6, "a long one", top(if (kept) "in long" else "long"), I)
row(7, "a very long one", top(if (kept) "in longest" else "longest"), "work@work", I)
row(8, "the same text twice", sprintf("source %s (#1)", basename(script)),
    "work@work", I)
row(9, "an argument of an operator", top("operator"), "work@work", I)
row(10, "C that calls R", top("back"), ".Call", "truth_eval", "truth_outer",
    "truth_inner", "work@work", I)
row(11, "compiled by the JIT", top("jit"), C)
row(12, "a function of R's", top("lapply"), "base::lapply", "work@work", I)
row(13, "eval", top("eval"), "base::eval", "work@work", I)
row(14, "local", top("local"), "base::local", "base::eval.parent", "base::eval", "base::eval@in local", "work@work", I)
row(15, "parse(text=)", top("parse"),
    if (kept) "base::eval (<text>:3)" else "base::eval", "work@work", I)
row(16, "printed", top("print"), "base::print", "print.burnt@method", "work@work", I)
row(17, "C that was just loaded", top("late"), I)
# What is sourced, from the leaf n + 1 on.
part_rows <- function(n, what, lines, ..., jit = C)
{
	at <- function(mark) if (lines) top(mark, 2)
	row2 <- function(i, how, ...)
		row(n + i, paste0(what, how), ..., file = 2, lines = lines)
	row2(1, ", a call of C", ..., at("call"), I)
	row2(2, ", a loop", ..., at("in loop"), I)
	row2(3, ", a function", ..., at("function"), "inner@inner", I)
	row2(4, ", compiled by the JIT", ..., at("jit"), jit)
}
source_frames <- c("base::source", "base::withVisible", "base::eval")
part_rows(20, "source()", TRUE, top("source"), source_frames)
part_rows(30, "source() that keeps none", FALSE, top("none"), source_frames)
# There, the JIT leaves loops as they are.
part_rows(40, "source() in a function", TRUE, top("f"),
	  frame_text("in_f@in f", 1, kept), source_frames, jit = I)
part_rows(50, "sys.source()", TRUE, top("sys"), "base::sys.source", "base::eval")

options(keep.source = kept)
work <- function(n, time = ms) {
	.Call(C_burn, n, time)	# @work
}
print.burnt <- function(x, ...) {
	work(x)	# @method
}
in_f <- function() {
	base <- 40
	source(part, local = TRUE, keep.source = TRUE)	# @in f
}
one <- list(1)
writeLines(unlist(table), paste0(args[2], ".part"))
invisible(file.rename(paste0(args[2], ".part"), args[2]))
while (!file.exists(args[3]))
	Sys.sleep(0.02)
invisible(.Call(C_burn, 1, ms))	# @call
invisible(work(2))	# @function
for (i in 1:20) {	# @loop
	x <- i
	.Call(C_burn, 3, few)	# @in loop
}
for (i in 1:20) {	# @calls
	x <- i
	work(4, few)	# @in calls
}
a <- 1; x <- work(5); b <- 2	# @several
if (a == 1) {	# @long
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	# 3456789012345678901234567890123456789012345678901234567890
	.Call(C_burn, 6, ms)	# @in long
}
if (a == 1) {	# @longest
	# 3456789012345678901234567890123456789012345678901234567890 fill
	work(7)	# @in longest
}
x <- work(8)
x <- work(8)
x <- one[work(9)]	# @operator
x <- .Call(C_eval, quote(work(10)), globalenv())	# @back
invisible(compiler::enableJIT(3))
for (i in 1:20) .Call(C_burn, 11, few)	# @jit
invisible(compiler::enableJIT(0))
x <- lapply(12, work)	# @lapply
x <- eval(quote(work(13)))	# @eval
x <- local({	# @local
	work(14)	# @in local
})
x <- eval(parse(text = c("", "", "x <- work(15)")))	# @parse
structure(16, class = "burnt")	# @print
x <- .Call(getNativeSymbolInfo("truth_burn", dyn.load(late)), 17, few)	# @late
base <- 20; source(part, keep.source = TRUE)	# @source
base <- 30; source(part, keep.source = FALSE)	# @none
in_f()	# @f
base <- 50; sys.source(part, globalenv(), keep.source = TRUE)	# @sys
