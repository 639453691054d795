# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# R, Tcl and a third language that tells its activations, in one process, which call each other:
# R in_r R Tcl in_tcl Tcl R.
#
#   Rscript --vanilla told.R TOLD_R.SO TOLD_TCL.SO
args <- commandArgs(trailingOnly = TRUE)
suppressWarnings(library(tcltk))
told_r <- getNativeSymbolInfo("told_r", dyn.load(args[1]))
invisible(.Tcl(paste0("load {", normalizePath(args[2]), "} Told")))
spin <- function() {
	n <- 0
	for (i in 1:20000) n <- n + i
	n
}
back <- function() {
	spin()
	""
}
.Tcl(paste0("proc inner {} {", .Tcl.callback(back), "}; proc outer {} { told inner }"))
middle <- function() .Tcl("outer")
first <- function() .Call(told_r, quote(middle()), environment())
repeat first()
