/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A service that has R in it:
 *
 *   embed_r FILE   waits until FILE is there, serves for a while, and ends
 *
 * R is started, used in every way that a program has, and drives the program's own
 * console at the end.  All functions of the service are to be seen: those that stand
 * outside R, those that R calls back, and those that go into R again.
 */
#define R_NO_REMAP
#define R_INTERFACE_PTRS 1
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "Rinternals.h" /* not in <>: this is no extension */
#include <R_ext/Parse.h>
#include <R_ext/Rdynload.h>
#include <Rembedded.h>
#include <Rinterface.h>

#include "truth_leaf.h"

#define ROUNDS 30
#define MS     2

/* Not declared for programs. */
SEXP R_ParseEvalString(const char *text, SEXP env);
void run_Rmainloop(void);
extern int R_SignalHandlers;

void service_wait(const char *name);
void service_start(void);
void service_prepare(void);
void service_loop(void);
void service_request(int number);
void service_body(void *data);
void service_console(void);
void service_main_loop(void);
int service_read(const char *prompt, unsigned char *buffer, int size,
		 int history);
void service_write(const char *text, int size);
SEXP service_burn(SEXP number);
SEXP service_again(SEXP call);
SEXP service_deep(SEXP call);

static unsigned long turns;
static int lines, console; /* what the console still has; its leaf */

TRUTH_EXPORT void service_wait(const char *name)
{
	while (access(name, F_OK))
		usleep(5000);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT SEXP service_burn(SEXP number)
{
	truth_leaf[Rf_asInteger(number)](turns);
	TRUTH_KEEP_FRAME();
	return R_NilValue;
}

/* From R into the service, and from there into R again. */
TRUTH_EXPORT SEXP service_deep(SEXP call)
{
	SEXP result = Rf_eval(call, R_GlobalEnv);

	TRUTH_KEEP_FRAME();
	return result;
}

TRUTH_EXPORT SEXP service_again(SEXP call)
{
	SEXP result = service_deep(call);

	TRUTH_KEEP_FRAME();
	return result;
}

/* The console takes its time to come up with a line. */
TRUTH_EXPORT int service_read(const char *prompt, unsigned char *buffer,
			      int size, int history)
{
	(void)prompt;
	(void)history;
	if (lines-- <= 0)
		return 0;
	truth_leaf[console](turns);
	snprintf((char *)buffer, size, "outer(%dL)\n", console + 1);
	return 1;
}

TRUTH_EXPORT void service_write(const char *text, int size)
{
	(void)size;
	if (!strcmp(text, "burn"))
		truth_leaf[6](turns);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void service_prepare(void)
{
	static const R_CallMethodDef routines[] = {
		{ "service_burn", (DL_FUNC)service_burn, 1 },
		{ "service_again", (DL_FUNC)service_again, 1 },
		{ NULL, NULL, 0 },
	};

	R_registerRoutines(R_getEmbeddingDllInfo(), NULL, routines, NULL, NULL);
	ptr_R_ReadConsole = service_read;
	ptr_R_WriteConsole = service_write;
	R_Outputfile = NULL;
	R_Consolefile = NULL;
	R_ParseEvalString(
		"{ compiler::enableJIT(0)\n"
		"work <- function(n) invisible(.Call('service_burn', n))\n"
		"outer <- function(n) work(n)\n"
		"again <- function(n) .Call('service_again', call('outer', n))\n"
		"talk <- function() cat('burn') }",
		R_GlobalEnv);
	truth_leaf[1](turns * 20);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void service_start(void)
{
	char *argv[] = { "R", "--vanilla", "--no-echo" };

	R_SignalHandlers = 0;
	Rf_initEmbeddedR(3, argv);
	service_prepare();
	TRUTH_KEEP_FRAME();
}

static SEXP call_of(const char *function, int number)
{
	return Rf_lang2(Rf_install(function), Rf_ScalarInteger(number));
}

TRUTH_EXPORT void service_body(void *data)
{
	Rf_eval(data, R_GlobalEnv);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void service_request(int number)
{
	SEXP call =
		Rf_protect(call_of(number == 5 ? "again" : "outer", number));
	int failed = 0;

	switch (number) {
	case 2:
		R_tryEval(call, R_GlobalEnv, &failed);
		break;
	case 3:
	case 5:
		Rf_eval(call, R_GlobalEnv);
		break;
	case 4:
		failed = !R_ToplevelExec(service_body, call);
		break;
	case 6:
		R_ParseEvalString("talk()", R_GlobalEnv);
		break;
	}
	Rf_unprotect(1);
	if (failed)
		_exit(1);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void service_loop(void)
{
	for (int i = 0; i < ROUNDS; i++)
		for (int number = 2; number <= 6; number++)
			service_request(number);
	TRUTH_KEEP_FRAME();
}

/* R's loop, a line at a time. */
TRUTH_EXPORT void service_console(void)
{
	lines = ROUNDS;
	console = 7;
	R_ReplDLLinit();
	while (R_ReplDLLdo1() > 0)
		;
	TRUTH_KEEP_FRAME();
}

/* R's own loop, which ends the process. */
TRUTH_EXPORT void service_main_loop(void)
{
	lines = ROUNDS;
	console = 9;
	run_Rmainloop();
	TRUTH_KEEP_FRAME();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	turns = truth_measure() * MS;
	service_wait(argv[1]);
	service_start();
	service_loop();
	service_console();
	service_main_loop();
	return 1;
}
