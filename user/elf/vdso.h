/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The vDSO: the code that the kernel maps into every process. */
#ifndef JPBPF_USER_ELF_VDSO_H
#define JPBPF_USER_ELF_VDSO_H

struct module;

/* Opens a copy of jpbpf's own mapping of the vDSO. 0 or -errno. */
int vdso_open(struct module *m, const char *proc);

#endif
