/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Finds functions that start a process or a thread, and programs that only start an
 * interpreter. */
#ifndef JPBPF_USER_SYMBOLIZE_START_H
#define JPBPF_USER_SYMBOLIZE_START_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct module;
struct walker;

/* How a program starts.  All members are 0 for a file that is no program. */
struct start {
	u64 entry; /* vaddr of _start() */
	u64 main;  /* vaddr of main(); 0: not found in the start-up code */
	/* The program imports nothing: it contains its C library. */
	bool alone;
};

struct start start_find(const struct module *m);
/* Whether name is that of a function that starts a process or thread.  libc: the
 * function's file contains a C library. */
bool start_is_name(const char *name, bool libc);
/* Whether m is a program that can do no more than start w's interpreter. */
bool start_is_shell(const struct module *m, const struct walker *w);

#endif
