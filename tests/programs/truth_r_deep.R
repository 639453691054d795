# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Recursion to where R itself ends it; part of truth_r.R.  How deep that is, is
# found by trying: up to R 4.3 the C stack is the limit, from 4.4 on the nesting
# of expressions.  The trying is done a little deeper than the paths begin.

# --verify needs some room for its own calls.
deepest <- function(dive)
{
	low <- 1
	high <- 6000
	while (high - low > 1) {
		mid <- (low + high) %/% 2
		if (inherits(try(dive(mid), silent = TRUE), "try-error"))
			high <- mid
		else
			low <- mid
	}
	if (verify) low %/% 2 else low
}
at_end <- function() .Call(C_burn, leaf_now, ms)
leaf_now <- 0
sinks <- function(d) if (d > 1) sinks(d - 1) else at_end()
sinksc <- cmp(function(d) if (d > 1) sinksc(d - 1) else at_end())
applies <- function(d) if (d > 1) lapply(d - 1, applies) else at_end()
dives <- function(d) if (d > 1) eval(call("dives", d - 1)) else at_end()
crosses <- function(d)
	if (d > 1) .Call(C_eval, call("crosses", d - 1),
	globalenv()) else at_end()

depth <- lapply(list(sinks = sinks, sinksc = sinksc, applies = applies,
		     dives = dives, crosses = crosses), deepest)
path("recursion to the limit", { leaf_now <<- n; sinks(depth$sinks) },
     rep("sinks", depth$sinks), "at_end", I)
path("compiled recursion to the limit", { leaf_now <<- n; sinksc(depth$sinksc) },
     rep("sinksc", depth$sinksc), "at_end", I)
path("lapply to the limit", { leaf_now <<- n; applies(depth$applies) }, "applies",
     rep(c("base::lapply", "applies"), depth$applies - 1), "at_end", I)
path("eval to the limit", { leaf_now <<- n; dives(depth$dives) },
     rep(c("dives", "base::eval"), depth$dives - 1), "dives", "at_end", I)
path("R and C to the limit", { leaf_now <<- n; crosses(depth$crosses) },
     rep(c("crosses", ".Call", "truth_eval", c12), depth$crosses - 1), "crosses",
     "at_end", I)
