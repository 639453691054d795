/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Code that a process made itself: modules that are no file. */
#ifndef JPBPF_USER_ELF_CODE_H
#define JPBPF_USER_ELF_CODE_H

#include <sys/types.h>

#include "user/elf/module.h"

/* What tells the module of the code at an address of a process apart from all
 * others. 0 or -errno. */
int code_key(const char *proc, pid_t pid, u64 address, struct module_key *key);
/* That module. */
void code_open(struct module *m, const char *proc, pid_t pid,
	       const struct module_key *key);

#endif
