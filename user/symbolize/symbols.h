/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The symbols of one module, sorted by address. */
#ifndef JPBPF_USER_SYMBOLIZE_SYMBOLS_H
#define JPBPF_USER_SYMBOLIZE_SYMBOLS_H

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

struct module;
struct symbols; /* opaque */

/* Reads the symbols of m.  mod NULL: only those that libdwfl does not know.  m and mod
 * must outlive the result.  To be called in a jail (user/debuginfo/jail.h), which
 * frees all memory when it ends. */
struct symbols *symbols_read(const struct module *m, Dwfl_Module *mod);
/* The name, without a version, of the symbol that covers vaddr, and its start in
 * *start.  The caller frees the name.  NULL if no symbol covers vaddr. */
char *symbols_find(const struct symbols *s, u64 vaddr, u64 *start);

#endif
