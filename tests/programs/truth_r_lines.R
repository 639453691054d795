# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for R's source lines: what `jpbpf --lines` must show.
#
#   Rscript --vanilla truth_r_lines.R TRUTH_R.SO TABLE SECONDS
#   Rscript --vanilla truth_r_lines.R TRUTH_R.SO --verify
#
# Nobody has counted lines here: before it burns, the program takes every path with
# a leaf that asks sys.calls() for the "srcref" of each call.  Of what is expected
# only the frames are written down, as in truth_r.R; the places come from R.  TABLE
# and SECONDS are those of truth_r.R.  --verify prints the table instead of burning.
#
# What is expected, and why:
#
#  * A frame is where the call of the next function inward was made.  Code that
#    eval() runs, or a promise, counts as the frame's in which it runs: sys.calls()
#    says so.
#  * An interpreted foreign call (.Call) takes its place with it, so R does not know
#    where the function around it is.  We do; it is the line of that function in
#    which `.Call(` stands.
#  * Outermost is the script, with the line of its expression that runs.
#  * (FILE:LINE) with the name that R was given for the file; (#LINE) where the
#    name is empty, as for expressions that are typed; nothing where there is no
#    srcref.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
here <- dirname(script)
source(file.path(here, "truth_r_paths.R"))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) < 2)
	stop("usage: truth_r_lines.R SO TABLE SECONDS")
verify <- args[2] == "--verify"
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
C_unwind <- getNativeSymbolInfo("truth_unwind", dll)
ms <- -1	# asks; later it burns

# Innermost frames of interpreted and of compiled burning.
I <- c(".Call", "truth_burn")
C <- "truth_burn"
c12 <- c("truth_outer", "truth_inner")

source(file.path(here, "truth_r_lines_paths.R"), keep.source = TRUE)

# --------------------------------------------------- what the interpreter says

place <- function(srcref)
{
	file <- attr(srcref, "srcfile")$filename
	if (nzchar(file)) sprintf(" (%s:%d)", file, srcref[[1]])
	else sprintf(" (#%d)", srcref[[1]])
}

# The line of a function in which `.Call(` stands.
foreign_place <- function(fun)
{
	srcref <- attr(fun, "srcref")
	if (is.null(srcref))
		return("")
	at <- grep(".Call(", as.character(srcref), fixed = TRUE)
	if (length(at) != 1)
		stop("not one .Call in a function")
	srcref[[1]] <- srcref[[1]] + at - 1L
	place(srcref)
}

# Of all closures, outermost first: the place, and the name if there is none.
truth_seen <- function(n)
{
	seen <<- character(0)
	written <<- character(0)
	srcref <- attr(sys.call(sys.nframe()), "srcref")
	for (i in rev(seq_len(sys.nframe() - 1))) {
		fun <- sys.function(i)
		if (is.primitive(fun))
			next
		seen <<- c(if (is.null(srcref)) "" else place(srcref), seen)
		written <<- c(anonymous(attr(fun, "srcref")), written)
		if (is.null(srcref) && !is.primitive(fun) &&
		    typeof(body(fun)) == "language" && is_foreign(fun, i))
			seen[1] <<- foreign_place(fun)
		srcref <- attr(sys.call(i), "srcref")
	}
}

# A function without a name is known by the line in which it is written.
anonymous <- function(srcref)
{
	if (is.null(srcref))
		return("<anonymous>")
	file <- basename(attr(srcref, "srcfile")$filename)
	if (nzchar(file)) sprintf("<anonymous %s:%d>", file, srcref[[1]])
	else sprintf("<anonymous #%d>", srcref[[1]])
}

# Has this function of ours made a foreign call that is under way?
is_foreign <- function(fun, i)
	identical(topenv(environment(fun)), globalenv()) &&
		!is.null(attr(fun, "srcref")) &&
		any(grepl(".Call(", as.character(attr(fun, "srcref")),
			  fixed = TRUE))

native <- c(".Call", "eval", "truth_eval", "truth_unwind", "truth_outer",
	    "truth_inner", "truth_protected", "truth_burn")
expect <- function(i)
{
	frames <- table[[i]][[2]]
	go <- bodies[[i]]
	seen <<- NULL
	do.call("go", list(), envir = environment())
	is_r <- !frames %in% native & !grepl("^truth_leaf", frames)
	# Not of the path: do.call, expect and who calls it.
	seen <- tail(seen, sum(is_r))
	written <- tail(written, sum(is_r))
	if (length(seen) != sum(is_r))
		stop("not the frames of ", table[[i]][[3]])
	nameless <- frames[is_r] == "<anonymous>"
	frames[is_r][nameless] <- written[nameless]
	frames[is_r] <- paste0(frames[is_r], seen)
	frames
}

top <- sprintf("source %s (%s:%d)", basename(script), script,
	       grep("# burns$", readLines(script)))
rows <- vapply(seq_along(table),
	       function(i) row_of(table[[i]], c(top, expect(i))), "")
if (verify) {
	writeLines(rows)
	quit()
}
ms <- 3
write_table(args[2], rows)

end <- proc.time()[[3]] + as.numeric(args[3])
while (proc.time()[[3]] < end)	# burns
	for (go in bodies)
		go()
