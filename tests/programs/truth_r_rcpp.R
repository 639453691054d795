# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# C++ with Rcpp; part of truth_r.R.  Needs truth_rcpp.so beside truth_r.so, see
# truth_rcpp.cpp.  Rcpp's templates may be functions of their own or not, as the
# compiler likes: any frames of theirs are right between the named ones.

suppressWarnings(loadNamespace("Rcpp"))
rcpp <- dyn.load(file.path(dirname(args[1]), "truth_rcpp.so"))
for (routine in c("apply", "vector", "throw", "catch", "destroy", "environment",
		  "eval"))
	assign(paste0("Cpp_", routine),
	       getNativeSymbolInfo(paste0("rcpp_", routine), rcpp))
R_ <- "**~(.*Rcpp.*|.*std::.*|.truth_rcpp[.]so.*)"
cpp <- c("truth::outer", "truth::inner", R_)
# Before it could let R's jumps pass, Rcpp called R by these.
evaluated <- if (packageVersion("Rcpp") < "1.0.10")
	c("base::tryCatch", rep(c("tryCatchList", "tryCatchOne", "doTryCatch"), 2),
	  "base::evalq", "eval")
named <- c(evaluated, "work")
nothing <- function(n) n
stops <- function(n) stop("out of R")

path("Rcpp::Function", .Call(Cpp_apply, work, n), ".Call", "rcpp_apply", cpp,
     named, I)
path("Rcpp::Function, compiled", (cmp(function(n) { r <- .Call(Cpp_apply, workc,
     n)
	r }))(n), "<anonymous>", "rcpp_apply", cpp, evaluated, "workc", C)
path("Rcpp in lapply in Rcpp", .Call(Cpp_apply, function(i) lapply(i, function(j)
	.Call(Cpp_apply, work, j)), n), ".Call", "rcpp_apply", cpp,
     evaluated, "<anonymous>", "base::lapply", "FUN", ".Call", "rcpp_apply", cpp,
     named, I)
path("std::transform over a vector", .Call(Cpp_vector, function(x) work(x),
     n + 0),
     ".Call", "rcpp_vector", R_, "<anonymous>", "work", I)
path("handler of a C++ exception", tryCatch(.Call(Cpp_throw, nothing, n),
	error = function(e) work(n)), "base::tryCatch", "tryCatchList",
     "tryCatchOne", "value[[3]]", "work", I)
path("after a C++ exception", { try(.Call(Cpp_throw, nothing, n), silent = TRUE)
	     work(n) }, "work", I)
# The compiler puts handlers elsewhere, where a stripped file has no symbol.
cold <- "~truth::outer|.truth_rcpp[.]so.*"
path("in a C++ handler", .Call(Cpp_catch, work, n), ".Call", "rcpp_catch", cold,
     cpp[-1], named, I)
path("destructor while an R error passes",
     try(.Call(Cpp_destroy, stops, n), silent = TRUE), "base::try", chain,
     ".Call",
     "rcpp_destroy", cold, R_, "?truth::burns_at_end::~burns_at_end",
     "truth::last", R_, named, I)
path("after an R error through C++",
     { try(.Call(Cpp_apply, stops, n), silent = TRUE); work(n) }, "work", I)
path("Rcpp::Environment", .Call(Cpp_environment, n), ".Call", "rcpp_environment",
     R_, named, I)
path("Rcpp_eval", .Call(Cpp_eval, quote(work(n))), ".Call", "rcpp_eval", R_,
     "**~.*", "work", I)
