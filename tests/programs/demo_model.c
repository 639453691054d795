/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C half of demo_model.R: deviance of a regression model whose link function
 * is written in R.
 *
 *   model_deviance(par, x, y, inverse)  x: matrix; inverse: function of a vector
 *   model_resample(n)                   n row numbers, drawn with replacement
 */
#include <math.h>

#define R_NO_REMAP
#include <Rinternals.h>
#include <R_ext/Random.h>
#include <R_ext/Rdynload.h>

SEXP model_deviance(SEXP par, SEXP x, SEXP y, SEXP inverse);
SEXP model_resample(SEXP n);
void R_init_demo_model(DllInfo *dll);

static __attribute__((noinline)) void
predictor(const double *par, int pars, const double *x, int rows, double *eta)
{
	for (int i = 0; i < rows; i++)
		eta[i] = 0;
	for (int j = 0; j < pars; j++)
		for (int i = 0; i < rows; i++)
			eta[i] += x[(size_t)j * rows + i] * par[j];
}

static __attribute__((noinline)) double deviance(const double *y,
						 const double *mu, int rows)
{
	double sum = 0;

	for (int i = 0; i < rows; i++) {
		double m = mu[i] > 1e-9 ? mu[i] : 1e-9;

		sum += m - y[i] + (y[i] > 0 ? y[i] * log(y[i] / m) : 0);
	}
	return 2 * sum;
}

/* Calls the R function: this is where C leads back to R. */
static __attribute__((noinline)) SEXP apply_inverse(SEXP inverse, SEXP eta)
{
	SEXP call = PROTECT(Rf_lang2(inverse, eta));
	SEXP mu = Rf_eval(call, R_GlobalEnv);

	UNPROTECT(1);
	return mu;
}

SEXP model_deviance(SEXP par, SEXP x, SEXP y, SEXP inverse)
{
	int rows = Rf_length(y), pars = Rf_length(par);
	SEXP eta = PROTECT(Rf_allocVector(REALSXP, rows)), mu;
	double d;

	if (!Rf_isReal(par) || !Rf_isReal(x) || !Rf_isReal(y) ||
	    Rf_xlength(x) != (R_xlen_t)rows * pars)
		Rf_error("x must be a matrix with a row for each y");
	predictor(REAL(par), pars, REAL(x), rows, REAL(eta));
	mu = PROTECT(apply_inverse(inverse, eta));
	if (!Rf_isReal(mu) || Rf_length(mu) != rows)
		Rf_error("the inverse link must return a number for each row");
	d = deviance(REAL(y), REAL(mu), rows);
	UNPROTECT(2);
	return Rf_ScalarReal(d);
}

SEXP model_resample(SEXP number)
{
	int n = Rf_asInteger(number);
	SEXP rows = PROTECT(Rf_allocVector(INTSXP, n));

	GetRNGstate();
	for (int i = 0; i < n; i++)
		INTEGER(rows)[i] = 1 + (int)(unif_rand() * n);
	PutRNGstate();
	UNPROTECT(1);
	return rows;
}

static const R_CallMethodDef routines[] = {
	{ "model_deviance", (DL_FUNC)(void *)model_deviance, 4 },
	{ "model_resample", (DL_FUNC)(void *)model_resample, 1 },
	{ NULL, NULL, 0 },
};

void R_init_demo_model(DllInfo *dll)
{
	R_registerRoutines(dll, NULL, routines, NULL, NULL);
	R_useDynamicSymbols(dll, FALSE);
}
