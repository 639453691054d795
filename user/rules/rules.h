/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Rules: which frames of a profile are shown, and what they are called.
 *
 * A rule is a line.  KIND is tcl, r, c, inlined, jit, kernel, interpreter, marker or any;
 * NAME is a pattern as a shell has it, or /REGEX/ (extended), for what reports show; IN is
 * one for the package, namespace or file with code.
 *
 *   hide KIND NAME... [in IN]      no frame; its own time is its caller's
 *   keep KIND NAME... [in IN]      it is shown, whatever later rules hide
 *   stop KIND NAME... [in IN]      what is beneath it is not shown
 *   rename KIND /REGEX/ TEXT       TEXT for what matches; \1 is the first group
 *   collapse KIND IN...            frames of it that follow each other become one, IN
 *   join TEXT                      between a command and its subcommand
 *   subcommand NAME...             while sampling: of these Tcl commands and procs, read the
 *                                  first argument, too: add becomes "add wave"
 *   merge recursion                frames that are the same and follow each other are one
 *
 * The order is: hide and keep, where the first rule that fits decides; stop; rename, the
 * first that fits; join; collapse; merge.  So a rule is written for the name as it was
 * recorded, and what is merged reads the same.
 */
#ifndef JPBPF_USER_RULES_RULES_H
#define JPBPF_USER_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct profile;
struct rules; /* opaque */

/* What each stack's thread is called: its own name, or its process's or its own. */
enum rules_by { RULES_BY_COMM, RULES_BY_PROCESS, RULES_BY_THREAD };

struct rules_options {
	enum rules_by by; /* needs PROFILE_BY_PID, PROFILE_BY_TID */
	bool annotate;	  /* Tcl's and R's frames have suffixes of their own */
	/* Leave out what may be private: expressions, folders, the host, options. */
	bool redact;
	const char *join; /* as the rule; NULL: as in the rules */
};

struct rules *rules_new(void);
void rules_free(struct rules *r);
/* Add the rules of a file.  0, or -errno after log_err(): none was added. */
int rules_read(struct rules *r, const char *path);
/* Add the built-in ones; those that were added before go first. */
void rules_builtin(struct rules *r);
size_t rules_count(const struct rules *r);
/* At most RULES_ASKED names of commands that have subcommands, and NULL; valid as long as
 * the rules. */
#define RULES_ASKED 128
void rules_asked(const struct rules *r, const char *asked[RULES_ASKED + 1]);
/* All rules, as they are read.  0 or -errno. */
int rules_print(const struct rules *r, FILE *out);
/* enum profile_by: what the options need a profile to tell apart. */
unsigned rules_needs(const struct rules_options *options);
/* Make the profile what rules and options say.  Values and times are all kept. */
void rules_use(const struct rules *r, const struct rules_options *options,
	       struct profile *p);

#endif
