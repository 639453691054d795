# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# R6; part of truth_r.R.  A method is shown by the class that defines it.

Animal <- R6::R6Class("Animal",
	public = list(
		no = NULL,
		initialize = function(no, burn = FALSE) {
			self$no <- no
			if (burn)
				work(no)
		},
		speak = function() { r <- work(self$no); r },
		twice = function() { r <- self$speak(); r },
		whisper = function() { r <- private$secret(); r },
		chain = function() { self$speak(); invisible(self) }),
	private = list(secret = function() { r <- work(self$no); r },
		finalize = function() if (self$no > 1e4) work(self$no - 1e4)),
	active = list(loud = function(value) {
		if (missing(value)) work(self$no) else work(value)
	}))
Dog <- R6::R6Class("Dog", inherit = Animal, public = list(
	speak = function() { r <- super$speak(); r },
	initialize = function(...) super$initialize(...)))
Puppy6 <- R6::R6Class("Puppy6", inherit = Dog, public = list(
	speak = function() { r <- super$speak(); r }))
Plain6 <- R6::R6Class("Plain6", class = FALSE, portable = FALSE,
     cloneable = FALSE,
	public = list(no = 1, run = function() { r <- work(no); r },
		      outer = function() { r <- run(); r }))

path("R6 method", { a <- Animal$new(n); a$speak() }, "Animal$speak",
     "work", I)
path("R6 method calls method", { a <- Animal$new(n); a$twice() },
     "Animal$twice", "Animal$speak", "work", I)
path("R6 private method", { a <- Animal$new(n); a$whisper() },
     "Animal$whisper", "Animal$secret", "work", I)
path("R6 super$", { d <- Dog$new(n); d$speak() }, "Dog$speak",
     "Animal$speak", "work", I)
path("R6 super$, twice", { p <- Puppy6$new(n); p$speak() },
     "Puppy6$speak", "Dog$speak",
     "Animal$speak", "work", I)
path("R6 active binding", { a <- Animal$new(n); a$loud },
     "<anonymous>",
     "work", I)
path("R6 active binding set", { a <- Animal$new(1); a$loud <- n },
     "<anonymous>", "work", I)
path("R6 initialize", Animal$new(n, TRUE), "Animal$new", "Animal$initialize",
     "work", I)
path("R6 initialize by super$", Dog$new(n, TRUE), "Dog$new",
     "Dog$initialize",
     "Animal$initialize", "work", I)
path("R6 clone", { a <- Animal$new(n); b <- a$clone(); b$speak() },
     "Animal$speak", "work", I)
path("R6 chained calls", { a <- Animal$new(n); a$chain()$speak() },
     "?Animal$chain", "Animal$speak", "work", I)
path("R6 finalizer", { Animal$new(n + 1e4); gc() }, "base::gc", "**~.*", "work",
     I)
path("R6 without class, not portable",
     { x <- Plain6$new(); x$no <- n; x$outer() },
     "x$outer", "run", "work", I)
path("R6 method in sapply", { a <- Animal$new(n); sapply(1,
     function(i) a$speak()) },
     "base::sapply", "base::lapply", "FUN", "Animal$speak", "work", I)
path("R6 method in a list", { a <- Animal$new(n); x <- list(speak = a$speak)
     x$speak() }, "Animal$speak", "work", I)
path("R6 method in a list, by another name", { a <- Animal$new(n)
     x <- list(other = a$speak)
     x$other() }, "x$other", "work", I)
Nameless <- R6::R6Class(NULL, inherit = Animal, public = list(
	own = function() { r <- work(self$no); r }))
path("R6 class without a name", { x <- Nameless$new(n); x$own() }, "x$own",
     "work", I)
Inherits <- R6::R6Class("Inherits", inherit = Puppy6)
path("R6 inherited twice", { x <- Inherits$new(n); x$speak() }, "Puppy6$speak",
     "Dog$speak", "Animal$speak", "work", I)
path("R6 inherited private method", { x <- Inherits$new(n); x$whisper() },
     "Animal$whisper", "Animal$secret", "work", I)
