/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A program with an interpreter of its own, Toy, and with R:
 *
 *   toy FILE   waits until FILE is there, works for a while, and ends
 *
 * A Toy program is a list of operations.  toy_run() keeps a record on its stack for
 * each function that is running, from toy_top outward; an operation with two names is
 * a call of a function that calls another one, in one native frame.  Toy calls R, R
 * calls Toy, and so on.  tests/toy is the walker.
 */
#define R_NO_REMAP
#include <stdio.h>
#include <unistd.h>

#include "Rinternals.h" /* not in <>: this is no extension */
#include <R_ext/Rdynload.h>
#include <Rembedded.h>

#include "truth_leaf.h"

#define ROUNDS 30
#define MS     2

SEXP R_ParseEvalString(const char *text, SEXP env);
extern int R_SignalHandlers;

struct toy_record {
	struct toy_record *outer;
	const char *name;
};

struct toy_op {
	const char *name, *inner;
	const struct toy_op *body; /* either this ... */
	void (*call)(int number);  /* ... or this */
	int number;
};

void toy_run(const struct toy_op *op);
void toy_leaf(int number);
void toy_ask(int number);
SEXP toy_burn(SEXP number);
SEXP toy_again(SEXP number);

struct toy_record *toy_top;
static unsigned long turns;

/* The outer one has the higher address: the stack grows downward. */
TRUTH_EXPORT void toy_run(const struct toy_op *op)
{
	for (; op->name; op++) {
		struct toy_record record[2] = {
			{ &record[1], op->inner },
			{ toy_top, op->name },
		};

		*(struct toy_record *volatile *)&toy_top =
			&record[op->inner ? 0 : 1];
		__asm__ volatile("" : : "r"(record) : "memory");
		if (op->body)
			toy_run(op->body);
		else
			op->call(op->number);
		__asm__ volatile("" : : "r"(record) : "memory");
		toy_top = record[1].outer;
	}
}

TRUTH_EXPORT void toy_leaf(int number)
{
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT SEXP toy_burn(SEXP number)
{
	truth_leaf[Rf_asInteger(number)](turns);
	TRUTH_KEEP_FRAME();
	return R_NilValue;
}

static SEXP call_of(const char *function, int number)
{
	return Rf_lang2(Rf_install(function), Rf_ScalarInteger(number));
}

/* From Toy into R: an even number is R's own to burn. */
TRUTH_EXPORT void toy_ask(int number)
{
	SEXP call = Rf_protect(call_of(number & 1 ? "again" : "work", number));

	Rf_eval(call, R_GlobalEnv);
	Rf_unprotect(1);
	TRUTH_KEEP_FRAME();
}

/* From R into Toy. */
TRUTH_EXPORT SEXP toy_again(SEXP number)
{
	int n = Rf_asInteger(number);
	const struct toy_op last[] = {
		{ .name = "last",
		  .call = n == 5 ? toy_leaf : toy_ask,
		  .number = n == 5 ? 5 : 6 },
		{ 0 },
	};

	toy_run(last);
	TRUTH_KEEP_FRAME();
	return R_NilValue;
}

static const struct toy_op inside[] = {
	{ .name = "plain", .call = toy_leaf, .number = 2 },
	{ .name = "pair", .inner = "twin", .call = toy_leaf, .number = 3 },
	{ .name = "asks", .call = toy_ask, .number = 4 },
	{ .name = "asks", .inner = "again", .call = toy_ask, .number = 5 },
	{ .name = "asks", .call = toy_ask, .number = 7 },
	{ 0 },
};
static const struct toy_op program[] = {
	{ .name = "first", .call = toy_leaf, .number = 1 },
	{ .name = "outer", .inner = "middle", .body = inside },
	{ 0 },
};

static void start(void)
{
	static const R_CallMethodDef routines[] = {
		{ "toy_burn", (DL_FUNC)toy_burn, 1 },
		{ "toy_again", (DL_FUNC)toy_again, 1 },
		{ NULL, NULL, 0 },
	};
	char *argv[] = { "R", "--vanilla", "--no-echo" };

	R_SignalHandlers = 0;
	Rf_initEmbeddedR(3, argv);
	R_registerRoutines(R_getEmbeddingDllInfo(), NULL, routines, NULL, NULL);
	R_ParseEvalString(
		"{ compiler::enableJIT(0)\n"
		"burn <- function(n) invisible(.Call('toy_burn', n))\n"
		"work <- function(n) burn(n)\n"
		"again <- function(n) .Call('toy_again', n) }",
		R_GlobalEnv);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	turns = truth_measure() * MS;
	while (access(argv[1], F_OK))
		usleep(5000);
	start();
	for (int i = 0; i < ROUNDS; i++)
		toy_run(program);
	return 0;
}
