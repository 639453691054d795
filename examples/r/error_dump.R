# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Errors carry the joint stack of R, C and C++ at the place where they were raised.
#
#   source("error_dump.R")
#   with_dump(EXPR)                     its errors have an element `threads`
#   options(error = dump_at_error)      the same for all errors that nobody handles:
#                                       last_dump() has the stacks
#
# The stacks are the JSON that `jpbpf dump --json` writes.  A calling handler runs before R
# leaves the functions that raised the error, so these are in the stack.

.error_dump <- new.env()

# The stacks of this process as JSON, or why there are none.
dump_now <- function() {
	command <- strsplit(Sys.getenv("JPBPF", "jpbpf"), " +")[[1]]
	json <- suppressWarnings(system2(command[1],
		c(command[-1], "dump", "-q", "-p", Sys.getpid(), "--json"),
		stdout = TRUE, stderr = TRUE))
	if (is.null(attr(json, "status")))
		paste(json, collapse = "\n")
	else
		paste(c("no stacks:", json), collapse = " ")
}

with_dump <- function(expr) {
	withCallingHandlers(expr, error = function(e) {
		if (is.null(e$threads)) {
			e$threads <- dump_now()
			stop(e)
		}
	})
}

dump_at_error <- function() {
	.error_dump$last <- dump_now()
}

last_dump <- function() .error_dump$last
