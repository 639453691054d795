# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# Classes of all kinds; part of truth_r.R.

# ------------------------------------------------------- S3: group generics

obj_s3 <- function(n, class) structure(n, class = class)
Ops.money <- function(e1, e2) { work(unclass(e1)); TRUE }
Math.money <- function(x, ...) { work(unclass(x)); x }
Summary.money <- function(..., na.rm = FALSE) { work(unclass(..1)); 1 }
path("Ops: +", obj_s3(n, "money") + 1, "~.+", "Ops.money", "work", I)
path("Ops: <", obj_s3(n, "money") < 1, "~.+", "Ops.money", "work", I)
path("Ops: !", !obj_s3(n, "money"), "~.+", "Ops.money", "work", I)
path("Math: floor", floor(obj_s3(n, "money")), "~.+", "Math.money", "work", I)
path("Math: cumsum", cumsum(obj_s3(n, "money")), "~.+", "Math.money", "work", I)
path("Summary: max", max(obj_s3(n, "money")), "~.+", "Summary.money", "work", I)
path("Summary: range", range(obj_s3(n, "money")), "~.+", "Summary.money",
     "work", I)
opsc <- cmp(function(x) { y <- x + 1; y })
path("Ops in compiled code", opsc(obj_s3(n, "money")), "opsc", "**~.+",
     "Ops.money", "work", I)
Ops.cash <- function(e1, e2) { r <- NextMethod(); r }
path("Ops: NextMethod", obj_s3(n, c("cash", "money")) + 1, "~.+", "Ops.cash",
     "base::NextMethod", "Ops.money", "work", I)

"$.box" <- function(x, name) { work(unclass(x)[[1]]); 1 }
"[[.box" <- function(x, i) { work(unclass(x)[[1]]); 1 }
"[<-.box" <- function(x, i, value) { work(unclass(x)[[1]]); x }
"$<-.box" <- function(x, name, value) { work(unclass(x)[[1]]); x }
path("method of `$`", obj_s3(list(n), "box")$a, "$.box", "work", I)
path("method of `[[`", obj_s3(list(n), "box")[["a"]], "[[.box", "work", I)
path("method of `[<-`", { x <- obj_s3(list(n), "box"); x[1] <- 1 }, "[<-.box",
     "work", I)
path("method of `$<-`", { x <- obj_s3(list(n), "box"); x$a <- 1 }, "$<-.box",
     "work", I)
boxc <- cmp(function(x) { y <- x$a; y })
path("method of `$`, compiled", boxc(obj_s3(list(n), "box")), "boxc", "$.box",
     "work", I)
as.character.box <- function(x, ...) { work(unclass(x)[[1]]); "a" }
path("method of as.character", as.character(obj_s3(list(n), "box")),
     "~as[.]character.*", "as.character.box", "work", I)
c.box <- function(...) { work(unclass(..1)[[1]]); 1 }
path("method of c", c(obj_s3(list(n), "box"), 1), "?c", "c.box", "work", I)
dim.box <- function(x) { work(unclass(x)[[1]]); NULL }
path("method of dim", dim(obj_s3(list(n), "box")), "?dim", "dim.box", "work", I)
format.box <- function(x, ...) { work(unclass(x)[[1]]); "box" }
print.box <- function(x, ...) { format(x); invisible(x) }
path("print that formats", print(obj_s3(list(n), "box")), "base::print",
     "print.box", "base::format", "format.box", "work", I)
xtfrm.box <- function(x) { work(unclass(x)[[1]]); 1 }
path("method of xtfrm, from order", order(obj_s3(list(n), "box")), "base::order",
     "base::lapply", "FUN", "base::as.vector", "?xtfrm", "xtfrm.box", "work", I)
chain3 <- function(x, n) UseMethod("chain3")
chain3.a <- function(x, n) { r <- NextMethod(); r }
chain3.b <- function(x, n) { r <- NextMethod(); r }
chain3.c <- function(x, n) { r <- NextMethod(); r }
chain3.default <- function(x, n) { r <- work(n); r }
path("NextMethod, three times", chain3(obj_s3(1, c("a", "b", "c")), n), "chain3",
     "chain3.a", "base::NextMethod", "chain3.b", "base::NextMethod", "chain3.c",
     "base::NextMethod", "chain3.default", "work", I)
path("implicit class", (function(x) { kinds(x, n) })(matrix(1)), "<anonymous>",
     "kinds", "kinds.matrix", "work", I)
kinds <- function(x, n) UseMethod("kinds")
kinds.matrix <- function(x, n) { r <- work(n); r }

# ---------------------------------------------------------------------- S4

# A generic of methods that got methods here is another object than the one that
# the namespace binds, so it is shown without the package.
std <- c("standardGeneric", "**methods.so")
init <- function(class) c("initialize", std, sprintf("initialize,%s-method", class))
checks <- c("methods::validObject", "anyStrings", "base::isTRUE", "valid")
super <- function(class) c("methods::callNextMethod", "R_nextMethodCall",
	sprintf("speak,%s-method", class))
valid <- function(object) { if (length(object@no)) work(object@no); TRUE }
setClass("Checked", representation(no = "numeric"), validity = valid)
path("S4 validity, from new", new("Checked", no = n), "methods::new",
     init("ANY"), checks, "work", I)
path("S4 validObject", { x <- checked; x@no <- n; validObject(x) },
     checks, "work", I)
checked <- new("Checked")
setClass("Made", representation(no = "numeric"))
setMethod("initialize", "Made", function(.Object, ..., no) {
	work(no)
	.Object@no <- no
	.Object
})
path("S4 initialize", new("Made", no = n), "methods::new", init("Made"), ".local",
     "work", I)
setClass("Animal", representation("VIRTUAL", no = "numeric"))
setClass("Dog", contains = "Animal")
setClass("Puppy", contains = "Dog")
invisible(setGeneric("speak", function(x, ...) standardGeneric("speak")))
setMethod("speak", "Animal", function(x, ...) { r <- work(x@no); r })
setMethod("speak", "Dog", function(x, ...) { r <- callNextMethod(); r })
setMethod("speak", "Puppy", function(x, ...) { r <- callNextMethod(); r })
path("S4 inherited method", speak(new("Dog", no = n)), "speak", std, "speak,Dog-method",
     super("Animal"), "work", I)
path("S4 callNextMethod, twice", speak(new("Puppy", no = n)), "speak", std,
     "speak,Puppy-method", super("Dog"), super("Animal"), "work", I)
path("S4 virtual class", (function() {
	isVirtualClass("Animal")
	work(n)
})(), "<anonymous>", "work", I)
setMethod("show", "Puppy", function(object) work(object@no))
path("S4 show", show(new("Puppy", no = n)), "show", std,
     "show,Puppy-method", "work", I)
path("S4 show, from print", print(new("Puppy", no = n)), "base::print",
     "base::print.default", "?print.default", "methods::<anonymous>", std,
     "show,Puppy-method", "work", I)
setMethod("+", signature("Puppy", "numeric"), function(e1, e2) work(e1@no))
path("S4 method of `+`", new("Puppy", no = n) + 1, "~[+].*", "**methods.so",
     "+", std, "+,Puppy,numeric-method", "work", I)
setMethod("Arith", signature("Dog", "Dog"), function(e1, e2) work(e1@no))
path("S4 group generic", new("Dog", no = n) * new("Dog", no = 1), "~.*[*].*",
     "**methods.so", "*", std, "Arith,Dog,Dog-method", "work", I)
setMethod("length", "Dog", function(x) { work(x@no); 1L })
path("S4 method of length", length(new("Dog", no = n)), "length", "length,Dog-method",
     "work", I)
setMethod("[", "Dog", function(x, i, ...) { work(x@no); 1 })
path("S4 method of `[`", new("Dog", no = n)[1], "[,Dog-method", "work", I)
invisible(setGeneric("meet", function(x, y) standardGeneric("meet")))
setMethod("meet", signature("Dog", "ANY"), function(x, y) work(x@no))
path("S4 method for two arguments", meet(new("Dog", no = n), 1), "meet", std,
     "meet,Dog-method", "work", I)
setClassUnion("DogOrNumber", c("Dog", "numeric"))
invisible(setGeneric("either", function(x, n) standardGeneric("either")))
setMethod("either", "DogOrNumber", function(x, n) work(n))
path("S4 class union", either(1, n), "either", std,
     "either,DogOrNumber-method", "work", I)
invisible(setGeneric("nickname<-", function(x, value)
	standardGeneric("nickname<-")))
setMethod("nickname<-", "Dog", function(x, value) { work(value); x })
path("S4 replacement", { x <- new("Dog", no = 1); nickname(x) <- n },
     "nickname<-", std, "nickname<-,Dog-method", "work", I)
setMethod("summary", "Dog", function(object, ...) work(object@no))
path("S4 method of an S3 generic", summary(new("Dog", no = n)),
     "summary",
     std, "summary,Dog-method", "work", I)
setAs("Dog", "character", function(from) { work(from@no); "dog" })
path("S4 as", as(new("Dog", no = n), "character"), "methods::as", "coerce,Dog,character-method",
     "work",
     I)
setClass("Callable", contains = "function")
path("S4 object that is a function", (new("Callable", function(n) work(n)))(n),
     "<anonymous>", "work", I)

# ------------------------------------------------------------ reference classes

# A method is shown by the class that defines it, also where another method calls it
# by its name alone.
Base <- suppressMessages(setRefClass("Base", fields = list(no = "numeric",
	slow = function(value) if (missing(value)) work(no) else work(value)),
	methods = list(
		run = function(...) { r <- work(no); r },
		inner = function() { r <- run(); r },
		again = function() .self$run(),
		finalize = function() if (length(no) && no > 1e4) work(no - 1e4))))
Derived <- setRefClass("Derived", contains = "Base", methods = list(
	run = function(...) { r <- callSuper(...); r },
	initialize = function(..., burn = 0) {
		if (burn)
			work(burn)
		callSuper(...)
	}))
path("reference class: callSuper", { d <- Derived$new(no = n); d$run() },
     "Derived$run",
     "callSuper", "work", I)
path("reference class: method calls method", { b <- Base$new(no = n); b$inner() },
     "Base$inner", "Base$run", "work", I)
path("reference class: .self", { b <- Base$new(no = n); b$again() }, "Base$again",
     "Base$run", "work", I)
# From its second call on, which is the one below, the evaluator finds the method
# without the generic.
path("reference class: active field", { b <- Base$new(no = n); b$slow },
     "$,envRefClass-method", "base::get", "<anonymous>", "work", I)
path("reference class: active field set", { b <- Base$new(no = 1); b$slow <- n },
     "$<-,envRefClass-method",
     "methods::envRefSetField", "base::assign", "<anonymous>",
     "work", I)
path("reference class: initialize", Derived$new(burn = n), "refGeneratorSlot$new",
     "methods::new", init("envRefClass"), "Derived$initialize",
     "work", I)
Plain <- setRefClass("Plain", fields = list(no = "numeric"),
		     methods = list(run = function() { r <- work(no); r }))
path("reference class: copy", { b <- Plain$new(no = n); x <- b$copy(); x$run() },
     "Plain$run", "work", I)
path("reference class: copy that reads an active field",
     { b <- Base$new(no = n); b$copy() }, "envRefClass$copy",
     "~base::(get|assign)",
     "<anonymous>", "work", I)
path("reference class: finalizer", { Base$new(no = n + 1e4); gc() }, "base::gc",
     "<finalizer>", "methods::<anonymous>", "Base$finalize", "work", I)
Derived$methods(late = function() { r <- run(); r })
path("reference class: method added", { d <- Derived$new(no = n); d$late() },
     "Derived$late", "Derived$run", "callSuper", "work", I)

invisible(local({ b <- Base$new(no = 0); b$slow; b$slow <- 0 }))
