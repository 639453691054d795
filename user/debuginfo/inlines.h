/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that the compiler has put into another one, from DWARF. */
#ifndef JPBPF_USER_DEBUGINFO_INLINES_H
#define JPBPF_USER_DEBUGINFO_INLINES_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

struct buf;

#define INLINES_MAX 64 /* at one address */

/* The inlined functions at pc, an address of the DWARF, in the compilation unit,
 * innermost first.  Number of them, at most INLINES_MAX. */
size_t inlines_at(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *out);
/* Append the name of one. false: it has none. */
bool inlines_name(Dwarf_Die *die, struct buf *out);
/* Append "file.c:12", where the function around it calls it. false: not known. */
bool inlines_call(Dwarf_Die *unit, Dwarf_Die *die, struct buf *out);

#endif
