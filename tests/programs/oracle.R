# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# As oracle.tcl, for R.
#
#   Rscript --vanilla oracle.R TRUTH_R.SO FRAMES NN

invisible(compiler::enableJIT(0))
args <- commandArgs(TRUE)
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
C_unwind <- getNativeSymbolInfo("truth_unwind", dll)
n <- as.integer(args[3])

leaf <- function(...) .Call(C_burn, n, 1e9)
leafc <- compiler::cmpfun(leaf)
down <- function(d) if (d) down(d - 1) else leaf()
chain <- c("base::tryCatch", "tryCatchList", "tryCatchOne", "doTryCatch")

paths <- list(
	list("closures", quote(down(20)), rep("down", 21)),
	list("compiled closures, 3 builtins", {
		downc <- compiler::cmpfun(function(d)
			if (d) eval(quote(downc(d - 1))) else leafc())
		quote(downc(3))
	}, c(rep(c("downc", "base::eval"), 3), "downc"), "leafc"),
	list("apply family and a handler",
	     quote(sapply(1, function(i) tryCatch(leaf(), error = identity))),
	     c("base::sapply", "base::lapply", "FUN", chain)),
	list("R and C in turn", {
		trip <- function(d) {
			if (d == 0) return(leaf())
			e <- call("trip", d - 1)
			.Call(if (d %% 2) C_eval else C_unwind, e, globalenv())
		}
		quote(trip(4))
	}, rep("trip", 5)),
	list("callback of a solver", {
		fn <- function(x) leaf()
		quote(optim(c(1, 1), fn, method = "BFGS"))
	}, c("stats::optim", "stats::<anonymous>", "fn")),
	list("S4 method and a promise", {
		setClass("Shape", representation(x = "numeric"))
		setGeneric("area", function(o, y) standardGeneric("area"))
		setMethod("area", "Shape", function(o, y) y)
		shape <- new("Shape", x = 1)
		quote(area(shape, leaf()))
	}, c("area", "area,Shape-method")),
	list("Reduce, do.call, Map",
	     quote(Reduce(function(a, b) do.call("Map", list(leaf, b)), 1:2)),
	     c("base::Reduce", "f", "base::do.call", "base::Map",
	       "base::mapply")))

p <- paths[[n]]
frames <- c(p[[3]], if (length(p) < 4) "leaf" else p[[4]])
part <- paste0(args[2], ".part")
# R's own record of a routine that a stripped library registers.
routine <- capture.output(print(unclass(stats:::C_optim)$address))[1]
routine <- sub(".*(0x[0-9a-f]+).*", "\\1", routine)
cat(p[[1]], "\t", paste(c("base::eval", frames), collapse = ";"), "\t",
    routine, "\n", sep = "", file = part)
invisible(file.rename(part, args[2]))
eval(p[[2]])
