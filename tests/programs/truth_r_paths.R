# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# What the ground-truth programs for R that have a table of their own stand on;
# sourced, not run.  A path is a construct, an expression that gets to a leaf, in
# which n stands for the leaf's number, and the frames that are expected.
# (truth_r.R can run inside a program that has no script beside it, and in
# truth_r_script.R the lines are counted: they have their own.)

invisible(compiler::enableJIT(0))
cmp <- function(f) compiler::cmpfun(f)
table <- list()	# rows: leaf, frames, construct
bodies <- list()

# Frames from the outermost on, as they are to be shown.
shown <- function(frames, n) c("go", frames)
path <- function(construct, expr, ...)
{
	n <- length(table) + 1L
	expr <- eval(call("substitute", substitute(expr), list(n = n)))
	leaf <- sprintf("truth_leaf_%02d", n)
	table[[n]] <<- list(leaf, c(shown(c(...), n), leaf), construct)
	bodies[[n]] <<- as.function(list(expr), envir = globalenv())
}

# One line of the table.
row_of <- function(row, frames = row[[2]])
	paste(row[[1]], paste(frames, collapse = ";"), row[[3]], sep = "\t")
# Whoever waits for the file finds all of it.
write_table <- function(file, rows = vapply(table, row_of, ""))
{
	part <- paste0(file, ".part")
	writeLines(rows, part)
	invisible(file.rename(part, file))
}
