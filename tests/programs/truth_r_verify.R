# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Holds what truth_r.R expects against what R itself says; part of it (--verify).
#
# Each path is taken once, by truth_r.R itself, with a leaf that asks sys.call() and sys.function() instead
# of burning.  These know closures alone; of the C functions, only those that are
# certain to be no closures are left out of the comparison.

# What the interpreter itself says: closures, outermost first.
# sys.function() makes a copy, with the same body; identical() would also take functions
# for the same that are written alike.
C_same <- getNativeSymbolInfo("truth_same", dll)
code_of <- function(f) .Internal(bodyCode(f))
same <- function(f, g) typeof(g) == "closure" &&
	identical(environment(f), environment(g)) &&
	.Call(C_same, code_of(f), code_of(g))
# The one name that a function's environment has for it.
own_name <- function(f, called)
{
	env <- environment(f)
	if (same(f, get0(called, env, inherits = FALSE)))
		return(called)
	if (!identical(env, globalenv()) && !isNamespace(env))
		return(NULL)
	names <- Filter(function(name) same(f, get(name, env)),
			setdiff(ls(env, all.names = TRUE), burns_if_asked))
	if (length(names) == 1) names
}
burns_if_asked <- "now"
is_text <- function(x) is.symbol(x) || is.character(x)
# NULL: by no name; with a `?` in front: by that of an object that has none.
called_as <- function(head)
	if (is_text(head)) as.character(head) else
		if (is.call(head) && length(head) == 3 && is_text(head[[1]]) &&
		    is_text(head[[3]])) paste0(
			if (is_text(head[[2]])) head[[2]] else "?", head[[1]],
			head[[3]], if (identical(head[[1]], quote(`[[`))) "]]")
# What leads to it; the same of what has no name of its own, which needs more of it than
# an element where something else is known.
around <- function(env)
{
	while (!isNamespace(env)) {
		if (identical(env, globalenv()) || identical(env, baseenv()))
			return(NULL)
		env <- parent.env(env)
	}
	paste0(getNamespaceName(env), "::")
}
operators <- c("::", ":::", "$", "@", "[[")
is_path <- function(head) is.call(head) && is.symbol(head[[1]]) &&
	as.character(head[[1]]) %in% operators
path_of <- function(x)
{
	if (is_path(x))
		paste0(path_of(x[[2]]), x[[1]], path_of(x[[3]]),
		       if (x[[1]] == "[[") "]]")
	else
		sub("L$", "", deparse(x))
}
nameless <- function(f, head)
{
	space <- around(environment(f))
	if (is_path(head) && (is.call(head[[2]]) || is.null(space)))
		path_of(head)
	else
		paste0(space, "<anonymous>")
}
# `go` may hand on one of its own variables: that has no name but this.
given_as <- function(f)
{
	env <- sys.frame(1)
	Filter(function(name) same(f, env[[name]]), ls(env))
}
frame_name <- function(f, head)
{
	if (identical(head, quote(compiler:::tryCmpfun)) ||
	    identical(head, quote(compiler:::tryCompile)))
		return("<JIT>")
	if (is(f, "MethodDefinition"))
		return(paste0(f@generic, ",", paste(f@defined, collapse = ","),
			      "-method"))
	called <- c(called_as(head), "?")[1]
	if (is(f, "refMethodDef") &&
	    sub("^.*[$]", "", called) == f@name)
		return(paste0(f@refClassName, "$", f@name))
	own <- own_name(f, called)
	space <- environment(f)
	if (grepl("^[a-z]+::[^:]", called))
		return(called)
	if (is.null(own))
		return(c(given_as(f), if (startsWith(called, "?")) nameless(f, head)
			 else called)[1])
	if (isNamespace(space)) paste0(getNamespaceName(space), "::", own) else own
}
truth_seen <- function(n)
{
	frames <- Filter(function(i) {
		f <- sys.function(i)
		is.function(f) && !is.primitive(f)
	}, seq_len(sys.nframe() - 1))
	seen <<- vapply(frames, function(i) frame_name(sys.function(i),
		sys.call(i)[[1]]), "")
}

# The C frames of an expected stack.  Those that are patterns may be R's or C's.
native <- c(".Call", "eval", "length", ".signalCondition", "standardGeneric",
	    "R_nextMethodCall", "<finalizer>")
pattern <- function(frame)
{
	if (frame == "**")
		return("([^;]*;)*")
	if (frame %in% native || startsWith(frame, "?"))
		return(paste0("(\\Q", sub("^[?]", "", frame), "\\E;)?"))
	if (grepl("^(truth_|rcpp_|truth::|[*][*]?[^*~])", frame))
		return("")
	times <- if (startsWith(frame, "**")) "*" else "?"
	if (grepl("~", substr(frame, 1, 3), fixed = TRUE))
		paste0("((", sub("^[*]*~", "", frame), ");)", times)
	else
		paste0("(methods::)?\\Q", frame, "\\E;")
}

bad <- 0
hold_against <- function(row)
{
	want <- row[[2]]
	re <- paste0("^", paste(vapply(want, pattern, ""), collapse = ""), "$")
	if (want[1] != "go" ||
	    grepl(re, paste0(seen, ";", collapse = ""), perl = TRUE))
		return(invisible())
	bad <<- bad + 1
	cat("differs:", row[[3]], "\n  want", want, "\n  seen", seen, "\n")
}
