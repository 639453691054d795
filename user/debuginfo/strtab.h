/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Does a name that libdwfl gives end within its file's table of strings? */
#ifndef JPBPF_USER_DEBUGINFO_STRTAB_H
#define JPBPF_USER_DEBUGINFO_STRTAB_H

#include <stdbool.h>
#include <stddef.h>

#include <libelf.h>

/* { 0 } first. */
struct strtab {
	const char *table; /* the one last met */
	const char *last;  /* its last NUL; NULL: it has none */
	size_t len;
	size_t strays; /* names in no table */
};

/* elf: the file of the name, as libdwfl says. */
bool strtab_holds(struct strtab *s, Elf *elf, const char *name);

#endif
