/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The symbols of one module, sorted by address. */
#ifndef JPBPF_USER_SYMBOLIZE_SYMBOLS_H
#define JPBPF_USER_SYMBOLIZE_SYMBOLS_H

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

struct module;
struct symbols; /* opaque */

/* mod NULL: those of m that libdwfl does not know.  m and mod outlive what is returned.
 * To be called in a jail (user/debuginfo/jail.h), which frees it all when it ends. */
struct symbols *symbols_read(const struct module *m, Dwfl_Module *mod);
/* The name of the symbol that covers vaddr, without a version, malloc'ed, and where it
 * starts; NULL: none does. */
char *symbols_find(const struct symbols *s, u64 vaddr, u64 *start);

#endif
