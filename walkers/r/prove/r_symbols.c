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

/* This is the ELF hash.  Bytes are signed characters. */
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

struct r_object r_symbols_object(pid_t pid, u64 address)
{
	struct r_object o = { .type = ~0u };
	u64 head[R_UNION / 8 + 3];

	if (memory_read(pid, address, head, sizeof(head)))
		return o;
	o.type = head[0] & R_TYPE_MASK;
	memcpy(o.word, head + R_UNION / 8, sizeof(o.word));
	return o;
}

bool r_symbols_type(pid_t pid, u64 object, enum r_type type)
{
	return r_symbols_object(pid, object).type == type;
}

static bool is_named(pid_t pid, const struct r_process *p, u64 symbol,
		     const char *name)
{
	struct r_object o = r_symbols_object(pid, symbol);
	size_t size = strlen(name) + 1;
	char text[MAX_NAME];

	return size <= sizeof(text) && o.type == R_SYMSXP &&
	       r_symbols_type(pid, o.word[0], R_CHARSXP) &&
	       !memory_read(pid, o.word[0] + p->layout.vector_data, text,
			    size) &&
	       !memcmp(text, name, size);
}

u64 r_symbols_find(pid_t pid, const struct r_process *p, const char *name)
{
	struct r_object cell;
	u64 at;

	if (!p->symbol_table || !p->symbol_chains ||
	    memory_read_u64(pid,
			    p->symbol_table + 8 * (r_symbols_hash(name) %
						   p->symbol_chains),
			    &at))
		return 0;
	for (int i = 0; i < MAX_CHAIN && at != p->nil; i++) {
		cell = r_symbols_object(pid, at);
		if (cell.type != R_LISTSXP)
			return 0;
		if (is_named(pid, p, cell.word[0], name))
			return cell.word[0];
		at = cell.word[1];
	}
	return 0;
}
