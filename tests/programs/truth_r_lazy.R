# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Promises, environments, evaluation, and how functions end; part of truth_r.R.

# -------------------------------------------------------------- promises

third <- function(z) { r <- z; r }
second <- function(y) third(y)
path("promise forced three calls on", passes(second(work(n))), "passes", "takes",
     "second", "third", "work", I)
path("promise that calls a function with a promise",
     takes(takes(takes(work(n)))), "takes", "takes", "takes", "work", I)
dots <- function(...) { r <- ..1; r }
passdots <- function(...) dots(...)
path("..1", dots(work(n)), "dots", "work", I)
path("... handed on", passdots(work(n)), "passdots", "dots", "work", I)
path("list(...)", (function(...) list(...))(work(n)), "<anonymous>", "work", I)
# Its C function ends by a jump to the evaluator.
path("...elt()", (function(...) ...elt(1))(work(n)), "<anonymous>", "?...elt",
     "work", I)
optional <- function(x, n) if (missing(x)) work(n) else stop("not reached")
path("missing", optional(n = n), "optional", "work", I)
skips <- function(x, n) optional(x, n)
path("missing that was handed on", skips(n = n), "skips", "optional", "work", I)
circular <- function(n, a = b, b = work(n)) { r <- a; r }
path("default that needs a default", circular(n), "circular", "work", I)
deferred <- function(n) { delayedAssign("later", work(n)); second(later) }
path("delayedAssign, forced elsewhere", deferred(n), "deferred", "second",
     "third", "work", I)
delayed <- new.env()
arrives <- function(e) { r <- get("later", e); r }
path("delayedAssign, forced by get",
     { delayedAssign("later", work(n), assign.env = delayed); arrives(delayed) },
     "arrives", "base::get", "work", I)
path("forced by mget",
     { delayedAssign("later", work(n), assign.env = delayed)
	     mget("later", envir = delayed) }, "base::mget", "work", I)
path("forced by as.list",
     { delayedAssign("later", work(n), assign.env = delayed)
	     as.list(delayed) }, "base::as.list", "base::as.list.environment",
     "?env2list", "work", I)
path("forced by eapply",
     { delayedAssign("later", work(n), assign.env = delayed)
	     eapply(delayed, identity) }, "base::eapply", "work", I)
made <- function(x) function() x
path("promise forced by the closure that keeps it",
     { kept <- made(work(n)); kept() }, "kept", "work", I)
active <- new.env()
makeActiveBinding("now", function() work(leaf_now), active)
path("active binding", { leaf_now <<- n; active$now }, "<anonymous>", "work", I)
path("active binding, by name", { leaf_now <<- n; with(active, now) },
     "base::with", "base::with.default", "base::eval", "<anonymous>", "work", I)
path("switch, &&, ||, if on a promise",
     (function(x) if (x > 0 && TRUE) 1)(work(n)), "<anonymous>", "work", I)
path("argument of a builtin", sum(work(n), 1), "work", I)
path("argument of a builtin, compiled", (cmp(function(n) sum(workc(n), 1)))(n),
     "<anonymous>", "workc", C)
path("argument of a package closure", paste("a", work(n)), "base::paste",
     "work", I)
path("index of an assignment", { x <- 1:9; x[work(n) * 0 + 1] <- 2L }, "work", I)
path("promise of match.arg", stats::median(x = work(n)), "stats::median", "work",
     I)

# ------------------------------------------------------- environments, eval

path("eval in a new environment", eval(quote(work(n)), new.env()), "base::eval",
     "work", I)
path("eval in a list", eval(quote(work(a)), list(a = n)), "base::eval", "work", I)
path("eval of parsed text", eval(parse(text = paste0("work(", n, ")"))),
     "base::eval", "work", I)
path("evalq in a function's environment", (function(m) evalq(work(m)))(n),
     "<anonymous>", "base::evalq", "eval", "work", I)
path("eval in eval", eval(quote(eval(quote(work(n))))), "base::eval",
     "base::eval", "work", I)
path("local with a function of its own", local({ own <- function() work(n)
	own() }), "base::local", "base::eval.parent", "base::eval", "base::eval",
     "own", "work", I)
path("eval.parent", (function() eval.parent(quote(work(n))))(), "<anonymous>",
     "base::eval.parent", "base::eval", "work", I)
path("within", within(data.frame(a = 1), b <- work(n)), "base::within",
     "base::within.data.frame", "base::eval", "work", I)
path("withVisible", withVisible(work(n)), "base::withVisible", "work", I)
path("substitute, then eval", (function(x) eval(substitute(x)))(work(n)),
     "<anonymous>", "base::eval", "work", I)
path("sys.function", (function(k) if (k) sys.function()(0) else work(n))(1),
     "<anonymous>", "<anonymous>", "work", I)
path("match.fun", match.fun("work")(n), "work", I)
path("bquote, then eval", eval(bquote(work(.(n)))), "base::eval", "work", I)
path("with a formula's environment", eval((~ work(n))[[2]]), "base::eval", "work",
     I)

# -------------------------------------------------------- how functions end

added <- function(n) { on.exit(work(n)); on.exit(1, add = TRUE); 1 }
path("on.exit, added to", added(n), "added", "work", I)
returns <- function(n) { on.exit(work(n)); return(1) }
path("on.exit after return", returns(n), "returns", "work", I)
fails <- function(n) { on.exit(work(n)); stop("out") }
path("on.exit after an error", try(fails(n), silent = TRUE), "base::try", chain,
     "fails", "work", I)
failsc <- cmp(function(n) { on.exit(workc(n)); stop("out") })
path("on.exit after an error, compiled", try(failsc(n), silent = TRUE),
     "base::try", chain, "failsc", "workc", C)
path("on.exit after an error, twice",
     try((function() { on.exit(1); fails(n) })(), silent = TRUE),
     "base::try", chain, "<anonymous>", "fails", "work", I)
path("on.exit of a function that on.exit calls",
     (function() on.exit(leaves(n)))(), "<anonymous>", "leaves", "work", I)
path("callCC", callCC(function(k) { work(n); k(1) }), "base::callCC",
     "fun", "work", I)
path("after callCC", { callCC(function(k) k(1)); work(n) }, "work", I)
path("after break in an argument",
     { for (i in 1) takes(break); work(n) }, "work", I)
againc <- cmp(function(d, n)
	if (d > 1) Recall(d - 1, n) else .Call(C_burn, n, ms))
path("Recall, compiled", againc(3, n), "againc", "base::Recall", "againc",
     "base::Recall", "againc", C)

# Both since R 4.4: the caller is gone.
if (exists("Tailcall", baseenv())) {
	ends <- function(n) Tailcall(work, n)
	path("Tailcall", ends(n), "work", I)
	counts <- function(d, n) if (d) Tailcall(counts, d - 1, n) else work(n)
	path("Tailcall, 1000 times", counts(1000, n), "counts", "work", I)
	executes <- function(n) Exec(quote(work(n)), environment())
	path("Exec", executes(n), "work", I)
}
