/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* .Call("told_r", call, env): a function of a third language, which evaluates the call. */
#include <Rinternals.h>

#include <jpbpf-interp.h>

SEXP told_r(SEXP call, SEXP env);

static const struct jpi_method method = JPI_METHOD("in_r", "third", "told_r.c");

SEXP told_r(SEXP call, SEXP env)
{
	jpi_mark mark = jpi_enter(&method, 0);
	SEXP value = eval(call, env);

	jpi_leave(mark);
	return value;
}
