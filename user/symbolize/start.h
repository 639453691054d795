/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that start a process or a thread, and programs that start an interpreter. */
#ifndef JPBPF_USER_SYMBOLIZE_START_H
#define JPBPF_USER_SYMBOLIZE_START_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct module;
struct walker;

/* How a program starts; all is 0 in a file that is no program. */
struct start {
	u64 entry;  /* vaddr of _start() */
	u64 main;   /* vaddr of main(); 0: the start-up code does not say it */
	bool alone; /* it imports nothing: its C library is in it */
};

struct start start_find(const struct module *m);
/* Is this the name of a function that starts a process or thread? libc: it is in a file
 * with a C library. */
bool start_is_name(const char *name, bool libc);
/* Is it a program that can do no more than start this interpreter? */
bool start_is_shell(const struct module *m, const struct walker *w);

#endif
