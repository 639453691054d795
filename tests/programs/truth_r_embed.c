/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R inside another program: evaluates a script, one expression after the other.
 *
 *   truth_r_embed main|thread SCRIPT ARGUMENT...
 *
 * With `thread`, R is initialised and runs on a thread that is not the main one,
 * where R's own idea of the C stack would be wrong and is switched off.  The
 * program is not position-independent, so the linker moves R's variables that it
 * uses into it (COPY relocations).  commandArgs(TRUE) are the ARGUMENTs.
 */
#define R_NO_REMAP
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Rinternals.h" /* not in <>: this is no extension */
#include <Rembedded.h>
#include <R_ext/Parse.h>

#define TRUTH_EXPORT	   __attribute__((noipa, visibility("default")))
#define TRUTH_KEEP_FRAME() __asm__ volatile("" : : : "memory")
#define MAX_ARGUMENTS	   30

/* In a header that is for programs that replace R's console. */
extern uintptr_t R_CStackLimit;
extern int R_SignalHandlers;

struct start {
	int argc;
	char **argv;
	int in_thread;
	int status;
};

void truth_script(SEXP expressions, int *failed);
void *truth_run(void *data);

static SEXP parse_file(const char *name)
{
	ParseStatus status;
	SEXP text, result;
	FILE *file = fopen(name, "r");
	char *all = NULL;
	size_t size = 0;

	if (!file || getdelim(&all, &size, '\0', file) < 0) {
		perror(name);
		exit(1);
	}
	fclose(file);
	text = Rf_protect(Rf_mkString(all));
	free(all);
	result = R_ParseVector(text, -1, &status, R_NilValue);
	Rf_unprotect(1);
	if (status != PARSE_OK) {
		fprintf(stderr, "%s: not R\n", name);
		exit(1);
	}
	return result;
}

TRUTH_EXPORT void truth_script(SEXP expressions, int *failed)
{
	for (int i = 0; i < Rf_length(expressions) && !*failed; i++)
		R_tryEval(VECTOR_ELT(expressions, i), R_GlobalEnv, failed);
	TRUTH_KEEP_FRAME();
}

TRUTH_EXPORT void *truth_run(void *data)
{
	struct start *start = data;
	char *argv[MAX_ARGUMENTS + 4] = { "R", "--vanilla", "--no-echo",
					  "--args" };
	int argc = 4, failed = 0;
	SEXP expressions;

	for (int i = 3; i < start->argc && i < MAX_ARGUMENTS; i++)
		argv[argc++] = start->argv[i];
	R_SignalHandlers = 0;
	/* Rf_initEmbeddedR, in its two parts. */
	Rf_initialize_R(argc, argv);
	if (start->in_thread)
		R_CStackLimit = (uintptr_t)-1;
	setup_Rmainloop();
	expressions = Rf_protect(parse_file(start->argv[2]));
	truth_script(expressions, &failed);
	Rf_unprotect(1);
	start->status = failed;
	TRUTH_KEEP_FRAME();
	return NULL;
}

int main(int argc, char **argv)
{
	struct start start = { argc, argv, 0, 1 };
	pthread_t thread;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "thread") != 0) {
		truth_run(&start);
		return start.status;
	}
	start.in_thread = 1;
	if (pthread_create(&thread, NULL, truth_run, &start))
		return 1;
	pthread_join(thread, NULL);
	return start.status;
}
