/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The process or file that `jpbpf info` is asked about, and the interpreters found
 * in it. */
#ifndef JPBPF_USER_CLI_SUBJECT_H
#define JPBPF_USER_CLI_SUBJECT_H

#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "user/target/maps.h"
#include "user/elf/module.h"

struct fact;
struct walker;

/* One interpreter in one file. */
struct subject_part {
	const struct walker *walker;
	const struct module *m;
	void *data;    /* from probe(); NULL: refused */
	char *refused; /* reason of the refusal, or NULL */
	u64 bias;      /* address of the file's vaddr 0 in the process */
};

struct subject {
	const char *proc; /* root of the proc file system */
	pid_t pid;	  /* 0: the subject is a file */
	struct maps maps;
	struct module **module; /* with parts; a file itself first */
	size_t modules, module_capacity;
	struct subject_part *part;
	size_t parts, part_capacity;
};

/* 0, or an exit status of the program after log_err().  proc must outlive s.
 * subject_release() in either case. */
int subject_open_process(struct subject *s, const char *proc, pid_t pid);
int subject_open_file(struct subject *s, const char *path);
void subject_release(struct subject *s);

/* All known facts; the caller calls fact_free(). */
struct fact *subject_facts(const struct subject *s);
/* The embedded configuration of the first part that can have one, as a group of
 * texts. *which is that part; NULL: there is none. */
struct fact *subject_config(const struct subject *s,
			    const struct subject_part **which);

#endif
