/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that the compiler has put into another one, from DWARF. */
#ifndef JPBPF_USER_DEBUGINFO_INLINES_H
#define JPBPF_USER_DEBUGINFO_INLINES_H

#include <stdbool.h>
#include <stddef.h>

#include <elfutils/libdw.h>

#include <jpbpf/types.h>

struct buf;
struct inlines_scope; /* opaque */

/* The file is without its folders and belongs to libdw; NULL: not known. */
struct source_place {
	const char *file;
	u32 line;
};

#define INLINES_MAX 64 /* at one address */

/* An address, and the inlined functions that it lies in. */
struct inlines {
	u64 pc; /* of the DWARF */
	/* The unit, and functions and blocks in it, that have been found around the
	 * address. */
	unsigned level;
	Dwarf_Die *die; /* outermost first; the caller frees it */
	size_t n, capacity;
};

/* Looks for those of the addresses that are on level 0 and in the compilation unit; they
 * are on higher levels then.  Finds their inlined functions, at most INLINES_MAX, if all is
 * set.  The addresses are sorted.  false: the unit has none of them. */
bool inlines_find(Dwarf_Die *unit, struct inlines *address, size_t n, bool all);
/* Append the name of one. false: it has none.  known: what it is to remember of the file
 * from call to call, NULL at first, and never freed. */
bool inlines_name(struct inlines_scope **known, Dwarf_Die *die,
		  struct buf *out);
/* Where the function around it calls it. */
struct source_place inlines_call(Dwarf_Die *unit, Dwarf_Die *die);
/* The place of a line in a file that DWARF names; NULL: it names none. */
struct source_place inlines_place(const char *path, u64 line);

#endif
