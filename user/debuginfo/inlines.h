/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that the compiler has put into another one, from DWARF. */
#ifndef JPBPF_USER_DEBUGINFO_INLINES_H
#define JPBPF_USER_DEBUGINFO_INLINES_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

#include <jpbpf/types.h>

struct buf;

/* The file is without its folders and belongs to libdw; NULL: not known. */
struct source_place {
	const char *file;
	u32 line;
};

#define INLINES_MAX 64 /* at one address */

/* The inlined functions at pc, an address of the DWARF, in the compilation unit,
 * innermost first.  Number of them, at most INLINES_MAX. */
size_t inlines_at(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *out);
/* Append the name of one. false: it has none. */
bool inlines_name(Dwarf_Die *die, struct buf *out);
/* Where the function around it calls it. */
struct source_place inlines_call(Dwarf_Die *unit, Dwarf_Die *die);
/* The place of a line in a file that DWARF names; NULL: it names none. */
struct source_place inlines_place(const char *path, u64 line);

#endif
