# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What truth_r_top.R sources.

invisible(.Call(C_burn, base + 1, ms))	# @call
for (i in 1:20) {
	x <- i
	.Call(C_burn, base + 2, few)	# @in loop
}
inner <- function(n) {
	.Call(C_burn, n, ms)	# @inner
}

x <- inner(base + 3)	# @function
invisible(compiler::enableJIT(3))
for (i in 1:20) .Call(C_burn, base + 4, few)	# @jit
invisible(compiler::enableJIT(0))
