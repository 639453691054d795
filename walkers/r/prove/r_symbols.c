/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_SymbolTable (src/main/names.c) is an array of HSIZE pairlists.  The hash of the name
 * (R_Newhashpjw() in src/main/envir.c) is the index.  New symbols go to the head of their
 * list, and no symbol is ever freed.  So a list can be read while R runs.  A symbol that
 * is found is checked by its type and its name.
 */
#include "walkers/r/prove/r_prove.h"

#include <string.h>

#include "user/target/memory.h"

#define MAX_NAME 32
/* With 49157 buckets even a chain of ten is rare. */
#define MAX_CHAIN 4096

/* The ELF hash, of the bytes as signed characters. */
u32 r_symbols_hash(const char *name)
{
	u32 h = 0, top;

	for (; *name; name++) {
		h = (h << 4) + (u32)(signed char)*name;
		top = h & 0xf0000000u;
		h ^= top >> 24;
		h ^= top;
	}
	return h;
}

bool r_symbols_type(pid_t pid, u64 object, enum r_type type)
{
	u32 info;

	return !memory_read_u32(pid, object, &info) &&
	       (info & R_TYPE_MASK) == type;
}

static bool is_named(pid_t pid, const struct r_process *p, u64 symbol,
		     const char *name)
{
	size_t size = strlen(name) + 1;
	char text[MAX_NAME];
	u64 print_name;

	return size <= sizeof(text) && r_symbols_type(pid, symbol, R_SYMSXP) &&
	       !memory_read_u64(pid, symbol + R_UNION, &print_name) &&
	       r_symbols_type(pid, print_name, R_CHARSXP) &&
	       !memory_read(pid, print_name + p->layout.vector_data, text,
			    size) &&
	       !memcmp(text, name, size);
}

u64 r_symbols_find(pid_t pid, const struct r_process *p, const char *name)
{
	u64 cell, pair[2]; /* car, cdr */

	if (!p->symbol_table || !p->symbol_chains ||
	    memory_read_u64(pid,
			    p->symbol_table + 8 * (r_symbols_hash(name) %
						   p->symbol_chains),
			    &cell))
		return 0;
	for (int i = 0; i < MAX_CHAIN && cell != p->nil; i++) {
		if (!r_symbols_type(pid, cell, R_LISTSXP) ||
		    memory_read(pid, cell + R_UNION, pair, sizeof(pair)))
			return 0;
		if (is_named(pid, p, pair[0], name))
			return pair[0];
		cell = pair[1];
	}
	return 0;
}
