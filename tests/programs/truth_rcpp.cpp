// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// Routines written with Rcpp, for truth_r_rcpp.R: R functions called back from C++
// of several frames, C++ exceptions, and R errors that pass through C++.
//
//   rcpp_apply(f, n)     f(n), from truth::outer and truth::inner
//   rcpp_vector(f, n)    the same in std::transform over a NumericVector
//   rcpp_throw(f, n)     throws out of them after f(0), for R to catch
//   rcpp_catch(f, n)     throws, and calls f(n) in the handler
//   rcpp_destroy(f, n)   R's error f() passes; a destructor calls `last`(n)
//   rcpp_environment(n)  finds `work` in the global environment, and calls it
//   rcpp_eval(call)      Rcpp::Rcpp_eval
//
// Built by tests/root/test_r_packages.sh.
#include <algorithm>
#include <stdexcept>

#include <Rcpp.h>

#define EXPORT __attribute__((noipa, visibility("default")))
#define KEEP_FRAME() __asm__ volatile("" : : : "memory")

namespace truth {

struct request {
	SEXP function;
	int number;
	int what;
};
enum { CALL, THROW, CATCH, DESTROY };

struct burns_at_end {
	int number;
	~burns_at_end() noexcept(false);
};

EXPORT void last(int number)
{
	Rcpp::Function f("work");

	f(number);
	KEEP_FRAME();
}

burns_at_end::~burns_at_end() noexcept(false)
{
	last(number);
}

EXPORT void inner(request *r)
{
	Rcpp::Function f(r->function);

	f(r->number);
	if (r->what == THROW)
		throw std::runtime_error("thrown");
	KEEP_FRAME();
}

EXPORT void outer(request *r)
{
	if (r->what == DESTROY) {
		burns_at_end object = { r->number };

		r->number = 0;
		inner(r);
	} else if (r->what == CATCH) {
		try {
			throw std::out_of_range("caught");
		} catch (std::exception &e) {
			inner(r);
		}
	} else {
		inner(r);
	}
	KEEP_FRAME();
}

} // namespace truth

#define ROUTINE(name, kind)                                           \
	extern "C" EXPORT SEXP name(SEXP f, SEXP n)                   \
	{                                                             \
		BEGIN_RCPP                                            \
		truth::request r = { f, Rcpp::as<int>(n), kind };     \
		truth::outer(&r);                                     \
		return n;                                             \
		END_RCPP                                              \
	}

ROUTINE(rcpp_apply, truth::CALL)
ROUTINE(rcpp_throw, truth::THROW)
ROUTINE(rcpp_catch, truth::CATCH)
ROUTINE(rcpp_destroy, truth::DESTROY)

extern "C" EXPORT SEXP rcpp_vector(SEXP f, SEXP n)
{
	BEGIN_RCPP
	Rcpp::Function function(f);
	Rcpp::NumericVector in(n), out(in.size());

	std::transform(in.begin(), in.end(), out.begin(), [&](double x) {
		return Rcpp::as<double>(function(x));
	});
	return out;
	END_RCPP
}

extern "C" EXPORT SEXP rcpp_environment(SEXP n)
{
	BEGIN_RCPP
	Rcpp::Environment global = Rcpp::Environment::global_env();
	Rcpp::Function work = global["work"];

	return work(n);
	END_RCPP
}

extern "C" EXPORT SEXP rcpp_eval(SEXP call)
{
	BEGIN_RCPP
	SEXP result = Rcpp::Rcpp_eval(call, R_GlobalEnv);

	KEEP_FRAME();
	return result;
	END_RCPP
}
