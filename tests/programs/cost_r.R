# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Closures, interpreted, over a C routine that burns: every sample finds the same
# stack.
#
#   Rscript --vanilla cost_r.R TRUTH_R.SO SECONDS CLOSURES READY
#
# Writes the file READY when it begins to burn.
invisible(compiler::enableJIT(0))
args <- commandArgs(trailingOnly = TRUE)
burn <- getNativeSymbolInfo("truth_burn", dyn.load(args[1]))
ms <- 1000 * as.numeric(args[2])

down <- function(n) {
	if (n > 1)
		return(down(n - 1))
	cat("ready\n", file = args[4])
	.Call(burn, 1, ms)
}
invisible(down(as.numeric(args[3])))
