# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Functions and objects that come and go as fast as R can make them.
#
#   Rscript --vanilla churn.R TRUTH_R.SO TABLE SECONDS [TORTURE]
#
# TABLE is as in truth_r.R.  Everything comes in pairs, ..._a and ..._b, never
# alive
# together, with a collection of garbage between: the second gets the memory of
# the first.  Each burns in a leaf of its own, so a name that was read for an
# address
# and used after the address was used again is seen as a wrong stack.  With
# TORTURE, every so many allocations there is one more collection (gctorture2).

invisible(compiler::enableJIT(0))
args <- commandArgs(trailingOnly = TRUE)
dll <- dyn.load(args[1])
C_flash <- getNativeSymbolInfo("truth_flash", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
C_silent <- getNativeSymbolInfo("truth_silent", dll)
torture <- if (length(args) > 3) as.integer(args[4]) else 0L
flash <- c(".Call", "truth_flash")
c12 <- c("truth_outer", "truth_inner")
table <- character()
rounds <- list()

# Runs its expression for a and for b: in every name of it, `_x` is the letter,
# and
# `leaf` is the number of the leaf.
pair <- function(construct, expr, ...)
{
	text <- deparse(substitute(expr))
	for (x in c("a", "b")) {
		n <- length(table) + 1L
		leaf <- sprintf("truth_leaf_%02d", n)
		frames <- gsub("_x", paste0("_", x), c("go", ..., leaf))
		table[n] <<- paste(leaf, paste(frames, collapse = ";"),
				   sprintf("%s (%s)", construct, x), sep = "\t")
		body <- gsub("\\bleaf\\b", n, gsub("_x", paste0("_", x), text))
		rounds[[n]] <<- as.function(list(parse(text = body)[[1]]),
					    envir = globalenv())
	}
}
remove <- function(...) rm(..., envir = globalenv())
def <- function(name, text)
	assign(name, eval(parse(text = text)), envir = globalenv())

pair("function removed and made", {
	def("f_x", "function(n) .Call(C_flash, n)")
	f_x(leaf)
	remove("f_x")
}, "f_x", flash)
pair("names made at run time, never the same", {
	serial <<- serial + 1L
	def("fresh", "function(n) .Call(C_flash, n)")
	fresh(leaf)
	remove("fresh")
}, "fresh", flash)
serial <- 0L
pair("compiled function removed and made", {
	def("fc_x", "compiler::cmpfun(function(n) { r <- .Call(C_flash, n); r })")
	fc_x(leaf)
	remove("fc_x")
}, "fc_x", "truth_flash")
pair("function replaced while it runs", {
	def("self_x",
	"function(n) { def('self_x', 'function(n) 0'); gc_now(); .Call(C_flash, n) }")
	self_x(leaf)
	remove("self_x")
}, "self_x", flash)
pair("function removed while it runs", {
	def("gone_x", "function(n) { remove('gone_x'); .Call(C_flash, n) }")
	gone_x(leaf)
}, "gone_x", flash)
pair("one function by two names", {
	assign("alias_x", shared, envir = globalenv())
	alias_x(leaf)
	remove("alias_x")
}, "alias_x", flash)
shared <- function(n) .Call(C_flash, n)
pair("call that is made and thrown away", {
	eval(as.call(list(as.name("made_x"), leaf)))
}, "base::eval", "made_x", flash)
made_a <- function(n) .Call(C_flash, n)
made_b <- function(n) .Call(C_flash, n)
pair("object$method of a new list", {
	o_x <- list(run_x = function(n) .Call(C_flash, n))
	o_x$run_x(leaf)
}, "o_x$run_x", flash)
pair("closures that a function returns", {
	k_x <- maker(leaf)
	k_x()
}, "k_x", flash)
maker <- function(n) function() .Call(C_flash, n)
pair("S3 method defined and removed", {
	def("churn.c_x", "function(x, n) .Call(C_flash, n)")
	churn(structure(1, class = "c_x"), leaf)
	remove("churn.c_x")
}, "churn", "churn.c_x", flash)
churn <- function(x, n) UseMethod("churn")
pair("do.call by a new name", {
	def("called_x", "function(n) .Call(C_flash, n)")
	do.call("called_x", list(leaf))
	remove("called_x")
}, "base::do.call", "called_x", flash)
pair("environment made and dropped", {
	e_x <- new.env()
	assign("m_x", function(n) .Call(C_flash, n), envir = e_x)
	e_x$m_x(leaf)
	evalq(m_x(leaf), e_x)
	rm(e_x)
}, "~e_x.m_x|base::evalq", "?eval", "?m_x", flash)
pair("error through C, then a call", {
	.Call(C_silent, quote(stop("x")), globalenv())
	after_x(leaf)
}, "after_x", flash)
after_a <- function(n) .Call(C_flash, n)
after_b <- function(n) .Call(C_flash, n)
pair("C and a function that goes", {
	def("inner_x", "function(n) { remove('inner_x'); .Call(C_flash, n) }")
	.Call(C_eval, quote(inner_x(leaf)), globalenv())
}, ".Call", "truth_eval", c12, "inner_x", flash)
# The collection of gc_now() does not find an object that one made by torture has put in
# an older generation: the finalizer runs wherever a later one comes then.  R says which;
# leaf 0 belongs to no path.
pair("finalizer", {
	reg.finalizer(new.env(), function(e) {
		callers <- as.list(sys.calls())[seq_len(sys.nframe() - 1)]
		last_x(if (identical(callers, finalizing)) leaf else 0)
	})
	gc_now()
}, "gc_now", "base::gc", "<finalizer>", "<anonymous>", "last_x", flash)
finalizing <- list(quote(go()), quote(gc_now()), quote(gc(full = FALSE)))
last_a <- function(n) .Call(C_flash, n)
last_b <- function(n) .Call(C_flash, n)

# Slow to make: not in every round.
often <- length(rounds)
pair("S4 class made and removed", {
	setClass("K_x", representation(no = "numeric"), where = globalenv())
	setMethod("area", "K_x", function(x) .Call(C_flash, x@no))
	area(new("K_x", no = leaf))
	removeMethod("area", "K_x")
	removeClass("K_x", where = globalenv())
}, "area", "standardGeneric", "**methods.so", "area,K_x-method", flash)
invisible(setGeneric("area", function(x) standardGeneric("area")))
if (requireNamespace("R6", quietly = TRUE))
	pair("R6 class made and dropped", {
		R_x <- R6::R6Class("R_x", public = list(m_x = function(n)
			.Call(C_flash, n)))
		r_x <- R_x$new()
		r_x$m_x(leaf)
	}, "~(r_x|R_x)[$]m_x", flash)
pair("reference class object", {
	r5_x <- Ref$new()
	r5_x$m_x(leaf)
}, "~(r5_x|Ref)[$]m_x", flash)
Ref <- setRefClass("Ref", methods = list(m_a = function(n) .Call(C_flash, n),
					 m_b = function(n) .Call(C_flash, n)))

gc_now <- function() invisible(gc(full = FALSE))
go <- NULL
if (torture)
	table <- table[seq_len(often)]
part <- paste0(args[2], ".part")
writeLines(table, part)
invisible(file.rename(part, args[2]))
if (torture)
	invisible(gctorture2(torture))
end <- proc.time()[[3]] + as.numeric(args[3])
turn <- 0
while (proc.time()[[3]] < end) {
	turn <- turn + 1
	for (go in if (!torture && turn %% 10 == 1) rounds else rounds[seq_len(often)])
		go()
	gc_now()
}
cat("done\n")
