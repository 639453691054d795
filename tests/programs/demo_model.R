# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# How do visits depend on distance and price?  Fits the same data with lm, glm,
# nls and optim, and bootstraps the last.  optim minimises an R function that
# calls C (demo_model.c), which calls the model's link function, in R.
#
#   Rscript --vanilla demo_model.R DEMO_MODEL.SO SECONDS

args <- commandArgs(trailingOnly = TRUE)
dll <- dyn.load(args[1])
C_deviance <- getNativeSymbolInfo("model_deviance", dll)
C_resample <- getNativeSymbolInfo("model_resample", dll)

simulate_visits <- function(rows)
{
	d <- data.frame(distance = runif(rows, 0, 10), price = rexp(rows, 1 / 20),
			town = factor(sample(letters[1:5], rows, TRUE)))
	d$visits <- rpois(rows, softplus(3 - 0.3 * d$distance + 0.02 * d$price)) + 0
	d
}

softplus <- function(eta) log1p(exp(pmin(eta, 30)))

objective <- function(x, y)
	function(par) .Call(C_deviance, par, x, y, softplus)

fit_softplus <- function(x, y)
	optim(rep(0, ncol(x)), objective(x, y), method = "BFGS",
	      control = list(maxit = 30))$par

bootstrap <- function(x, y, rounds)
	vapply(seq_len(rounds), function(i) {
		rows <- .Call(C_resample, length(y))
		fit_softplus(x[rows, ], y[rows])
	}, numeric(ncol(x)))

fit_linear <- function(d)
	summary(lm(sqrt(visits) ~ distance * town + price, d))

fit_poisson <- function(d)
	anova(glm(visits ~ distance + price + town, poisson, d), test = "Chisq")

fit_decay <- function(d)
	tryCatch(nls(visits ~ a * exp(-b * distance), d,
		     start = list(a = 3, b = 0.1)),
		 error = function(e) NULL)

by_town <- function(d)
	sapply(split(d, d$town), function(part) {
		x <- model.matrix(~ distance + price, part)
		fit_softplus(x, part$visits)
	})

analyse <- function(rows)
{
	d <- simulate_visits(rows)
	x <- model.matrix(~ distance + price, d)
	list(linear = fit_linear(d), poisson = fit_poisson(d),
	     decay = fit_decay(d), towns = by_town(d),
	     spread = apply(bootstrap(x, d$visits, 20), 1, sd))
}

end <- Sys.time() + as.numeric(args[2])
set.seed(1)
rounds <- 0
while (Sys.time() < end) {
	result <- analyse(2000)
	rounds <- rounds + 1
}
cat(rounds, "analyses; spread of the last:", format(result$spread, digits = 2),
    "\n")
