/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Modules for code in no file: what a process made in anonymous memory, and the vDSO,
 * which the kernel maps into every process. */
#ifndef JPBPF_USER_ELF_CODE_H
#define JPBPF_USER_ELF_CODE_H

#include <sys/types.h>

#include "user/elf/module.h"

/* Fills the key of the module that holds the process's code at an address. 0 or
 * -errno. */
int code_key(const char *proc, pid_t pid, u64 address, struct module_key *key);
/* Opens the module with this key.  file: see module_open_code(). */
void code_open(struct module *m, const char *proc, pid_t pid,
	       const struct module_key *key, const char *file);

/* Opens a copy of jpbpf's own mapping of the vDSO. 0 or -errno. */
int vdso_open(struct module *m);

#endif
