# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Raises errors and warnings in every way that R has, and says how many.
#
#   Rscript errors.R TABLE
#
# TABLE: lines `count TAB message`, as errors.tcl says.

table <- commandArgs(TRUE)[1]
times <- 100
quiet <- function(expr) tryCatch(expr, error = function(e) NULL)
own <- function(class, message)
	structure(class = c(class, "condition"), list(message = message, call = NULL))
signals <- function(class) signalCondition(own(class, paste("a", class)))
deep <- function(n) if (n) deep(n - 1) else stop("deep ", n)
constructs <- list(
	list("from stop N", 1, function() quiet(stop("from stop 12"))),
	list("deep N", 1, function() quiet(deep(5))),
	list("own", 1, function() quiet(stop(own(c("mine", "error"), "own")))),
	list("again", 2, function()
		quiet(tryCatch(stop("again"), error = function(e) stop(e)))),
	list("in sapply", 1, function() quiet(sapply(1, function(i) stop("in sapply")))),
	list("in try", 1, function() try(stop("in try"), silent = TRUE)),
	list("in optimize", 1, function()
		quiet(stats::optimize(function(x) stop("in optimize"), c(0, 1)))),
	list("non-numeric argument to mathematical function", 1, function() quiet(log("a"))),
	list("subscript out of bounds", 1, function() quiet(list(1)[[3]])),
	list("object 'nothing' not found", 1, function() quiet(nothing)),
	list("non-numeric argument to binary operator", 1, function() quiet(table + 1)),
	list("a error", 1, function() signals("error")),
	list("in a handler", 1, function()
		quiet(withCallingHandlers(warning("first"),
			warning = function(w) stop("in a handler")))),
	list("first", 1, NULL),
	list("a warning N", 1, function() suppressWarnings(warning("a warning 3"))),
	list("NAs introduced by coercion", 1, function() suppressWarnings(as.numeric("a"))),
	list("NaNs produced", 1, function() suppressWarnings(log(-1))),
	list("a message", 0, function() suppressMessages(message("a message"))),
	list("a note", 0, function() signals("note"))
)
run <- function() for (c in constructs) if (!is.null(c[[3]])) c[[3]]()
run()
rows <- vapply(constructs, function(c) paste0(c[[2]] * times, "\t", c[[1]]), "")
writeLines(rows, paste0(table, ".new"))
invisible(file.rename(paste0(table, ".new"), table))
while (!file.exists(paste0(table, ".go"))) Sys.sleep(0.02)
for (i in seq_len(times)) run()
invisible(file.create(paste0(table, ".done")))
Sys.sleep(60)
