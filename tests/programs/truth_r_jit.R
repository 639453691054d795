# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# R's own compiler, which runs when R thinks that a function or a loop is worth it;
# part of truth_r.R.
#
# The compiler is written in R and asks what the names in the code that it compiles
# are bound to.  One of them is an active binding here, and burns: only when the
# compiler asks, for the code does not get there.  Between `<JIT>` and that stand
# the compiler's own functions, any number.

compiling <- "**~((compiler|base)::.*|tryCatch.*|tryCatchOne|doTryCatch|h|FUN|f)"
burns <- c("<JIT>", compiling, "<anonymous>", "work", I)

# R keeps what it has compiled, so each time the code is another.  What is short, it
# does not compile at all (R_CheckJIT() in src/main/eval.c, R-4-2-2).
times <- 0
sum_of <- function(n) {
	times <<- times + 1
	leaf_now <<- n
	Reduce(function(a, b) call("+", a, b), 1:60, times)
}
makeActiveBinding("now", function() { work(leaf_now); identity }, globalenv())
fresh <- function(n, where = new.env(parent = globalenv()))
	eval(bquote(function(x) {
		y <- x + .(sum_of(n))
		if (y < 0) now(x) else y
	}), where)
# Of a function at top level R compiles the first call, of others the second.
jit <- function(f) {
	compiler::enableJIT(3)
	on.exit(compiler::enableJIT(0))
	f(1)
	f(1)
}
path("JIT", jit(fresh(n, globalenv())), "jit", "f", burns)
path("JIT of a closure", jit(fresh(n)), "jit", "f", burns)
jitc <- cmp(jit)
path("JIT, called by compiled code", jitc(fresh(n)), "jitc", "f", burns)
path("JIT in lapply", { f <- fresh(n); compiler::enableJIT(3)
	lapply(1:2, f); compiler::enableJIT(0) }, "base::lapply", "f", burns)
path("JIT in a promise", { f <- fresh(n); compiler::enableJIT(3); f(1)
	takesc(f(1)); compiler::enableJIT(0) }, "takesc", "f", burns)
# A loop at top level is compiled by itself.
path("JIT of a loop", { loop <- bquote(for (turn in 1:2) {
	y <- turn + .(sum_of(n))
	if (y < 0) now(turn)
}); compiler::enableJIT(3); eval(loop, globalenv()); compiler::enableJIT(0) },
     "base::eval", burns)

# What has been compiled so is shown as what was compiled by cmpfun().
path("compiled by the JIT", { f <- eval(bquote(function(m = 0) {
	y <- .(sum_of(n))
	if (m) .Call(C_burn, m, ms)
	y
})); compiler::enableJIT(3); f(); f(); compiler::enableJIT(0); f(n) }, "f", C)
