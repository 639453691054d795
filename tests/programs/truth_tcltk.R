# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Ground truth for R and Tcl in one process: call paths that cross between them.
#
#   Rscript --vanilla truth_tcltk.R TRUTH_R.SO TRUTH_TCL.SO TABLE SECONDS
#
# TABLE is as in truth_r.R, and so are the rules of both languages (see there and
# truth_tcl.tcl).  tcltk works without a display, only Tk does not.  Going over
# takes, in this R:
#
#   R to Tcl   the closure tcltk::.Tcl (or .Tcl.objv), base::structure, which
#              forces .External, and static C functions of tcltk.so
#   Tcl to R   the Tcl command R_call of tcltk.so, which calls the function in
#              base::try; the function has no name there

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "truth_r_paths.R"))
args <- commandArgs(trailingOnly = TRUE)
if (length(args) != 4)
	stop("usage: truth_tcltk.R TRUTH_R.SO TRUTH_TCL.SO TABLE SECONDS")
suppressWarnings(library(tcltk))
dll <- dyn.load(args[1])
C_burn <- getNativeSymbolInfo("truth_burn", dll)
C_eval <- getNativeSymbolInfo("truth_eval", dll)
ms <- 3
invisible(.Tcl(paste0("load {", normalizePath(args[2]), "} Truth; set ms 3")))

to_tcl <- c("tcltk::.Tcl", "base::structure", "~[.]External.*", "**tcltk.so")
to_tcl_objv <- c("tcltk::tcl", "tcltk::.Tcl.objv", to_tcl[-1])
to_r <- c("R_call", "**tcltk.so", "base::try", "base::tryCatch",
	  "tryCatchList", "tryCatchOne", "doTryCatch",
	  "<anonymous>")
by_r <- c("work", ".Call", "truth_burn")
by_tcl <- "::truth::burn"

work <- function(n) .Call(C_burn, n, ms)
number <- 0	# the leaf of a callback: those of tcltk have no arguments here
# Tcl has only their addresses: here they are kept, in a list, where they have no name.
kept <- list(function() work(number), function() down())
callback <- .Tcl.callback(kept[[1]])
descend <- .Tcl.callback(kept[[2]])
depth <- 0
down <- function()
{
	depth <<- depth - 1
	if (depth > 0) .Tcl("descend") else work(number)
}
invisible(.Tcl(paste0("
	proc burn n {::truth::burn $n $::ms}
	proc outer n {burn $n; return}
	proc back {} {", callback, "}
	proc back_by_c {} {truth::call back; return}
	proc descend {} {", descend, "; return}
	proc compare {a b} {back; return 0}
	namespace eval app {proc sorts {} {lsort -command compare {2 1}}}
	interp create kid
	interp alias kid up {} back
	kid eval {proc climbs {} {up; return}}
")))

path("R to Tcl", .Tcl(paste("outer", n)), to_tcl, "outer", "burn", by_tcl)
path("R to Tcl, words", tcl("outer", n), to_tcl_objv, "outer", "burn", by_tcl)
path("R, sapply, Tcl", sapply(n, function(i) .Tcl(paste("burn", i))),
     "base::sapply", "base::lapply", "FUN", to_tcl, "burn", by_tcl)
path("R to Tcl to R", { number <<- n; .Tcl("back") }, to_tcl, "back", to_r, by_r)
path("R to Tcl to C to Tcl to R", { number <<- n; .Tcl("back_by_c") }, to_tcl,
     "back_by_c", "::truth::call", "truth_outer", "truth_inner", "back", to_r,
     by_r)
path("R to C to R to Tcl to R", { number <<- n
		.Call(C_eval, quote(.Tcl("back")), globalenv()) },
     ".Call", "truth_eval", "truth_outer", "truth_inner", to_tcl, "back", to_r,
     by_r)
path("lsort with an R function", { number <<- n; .Tcl("app::sorts") }, to_tcl,
     "::app::sorts", "lsort", "compare", "back", to_r, by_r)
path("R from a child interpreter", { number <<- n; .Tcl("kid eval climbs") },
     to_tcl, "kid", "climbs", "up", "back", to_r, by_r)
path("R and Tcl in turn, 4 times", { number <<- n; depth <<- 5; down() },
     "down", rep(c(to_tcl, "descend", to_r, "down"), 4), by_r)
path("event loop", { number <<- n
		.Tcl("after 0 {back; set done 1}; vwait done") },
     to_tcl, "vwait", "back", to_r, by_r)

write_table(args[3])

end <- proc.time()[[3]] + as.numeric(args[4])
while (proc.time()[[3]] < end)
	for (go in bodies)
		go()
