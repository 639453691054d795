/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The process or file that `jpbpf info` is asked about, and the interpreters found
 * in it. */
#ifndef JPBPF_USER_CLI_SUBJECT_H
#define JPBPF_USER_CLI_SUBJECT_H

#include <sys/types.h>

#include "user/cli/options.h"
#include "user/elf/module.h"
#include "user/target/maps.h"

struct fact;
struct module;

struct subject {
	pid_t pid; /* 0: the subject is a file */
	struct maps maps;
	struct fact *facts; /* all that is known */
	/* Of these facts: a list with a group for each interpreter in each file.  Such
	 * a group has "language", "file" and, where an interpreter can have one,
	 * "configuration". */
	struct fact *languages;
	/* What a file that is a jpbpf program says of its build; else empty. */
	struct fact *build;
	struct module_key first; /* of the file */
};

/* 0, or an exit status of the program after log_err().
 * subject_release() in either case. */
int subject_open_process(struct subject *s, pid_t pid);
int subject_open_file(struct subject *s, const char *path);
void subject_release(struct subject *s);

/* Reads the mappings of the process of the thread *pid, which is set to it, for this verb.
 * 0, or an exit status of the program after log_err().  maps_release() in either case. */
int subject_maps(pid_t *pid, enum verb verb, struct maps *maps);
/* Add the module's build-id, if it has one. */
void subject_build_id(const struct module *m, struct fact *out);

#endif
