/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Can libdwfl and libdw be let at a file that may be made to exhaust the memory? */
#ifndef JPBPF_USER_DEBUGINFO_BEARABLE_H
#define JPBPF_USER_DEBUGINFO_BEARABLE_H

#include <stdbool.h>

struct module;

/* The module's symbol tables, and those of the file packed within it. */
bool bearable_symbols(const struct module *m);
/* The module's debug information. */
bool bearable_dwarf(const struct module *m);
/* All of an ELF file, which is read from its start; fd remains the caller's. */
bool bearable_file(int fd);

#endif
