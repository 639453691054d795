/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stub table starts with a magic number and a pointer to its hooks, which are
 * pointers to three more tables (generic/tclStubInit.c, core-8-6-13).  Extensions with
 * stubs of their own, such as Tk, have tables of the same form.  No other table has as
 * many slots as Tcl's.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <elf.h>
#include <string.h>

#include <libelf.h>

#include "user/lib/guard.h"

/* generic/tcl.h: TCL_STUB_MAGIC; 9.x adds sizeof(size_t) to 0xfca3bacb. */
#define MAGIC_8 0xfca3bacfu
#define MAGIC_9 0xfca3bad3u

#define MAX_SECTION (64ull << 20)
#define FIRST_SLOT  16
#define MAX_SLOTS   1024
#define MAX_TRIES   4096 /* places where a table may begin */
/* generic/tclDecls.h: Tcl_AppendPrintfToObj is the last slot of 8.5.0, and there is no
 * gap before it in 9.1.0. */
#define LAST_SLOT 579

static bool is_magic(u64 word)
{
	return word == MAGIC_8 || word == MAGIC_9;
}

static u64 hook(const struct module *m, u64 table, u32 i)
{
	return module_pointer(m, module_pointer(m, table + 8) + 8ull * i);
}

static bool has_hooks(const struct module *m, u64 table)
{
	u32 magic, same;

	if (module_read(m, table, &magic, sizeof(magic)))
		return false;
	for (u32 i = 0; i < 3; i++)
		if (module_read(m, hook(m, table, i), &same, sizeof(same)) ||
		    same != magic)
			return false;
	return true;
}

u64 tcl_stubs_slot(const struct module *m, u64 table, u32 slot)
{
	u64 to = module_pointer(m, table + FIRST_SLOT + 8ull * slot);
	struct module_function f;

	if (!to || module_function_at(m, to, &f) || f.start != to)
		return 0;
	return to;
}

/* Whether the table reaches to the last slot, without another table in between. */
static bool is_long(const struct module *m, u64 table)
{
	u64 word[FIRST_SLOT / 8 + LAST_SLOT + 1];

	if (module_read(m, table, word, sizeof(word)))
		return false;
	for (size_t i = 1; i < sizeof(word) / sizeof(word[0]); i++)
		if (is_magic(word[i]))
			return false;
	for (u32 i = LAST_SLOT - 5; i <= LAST_SLOT; i++)
		if (!tcl_stubs_slot(m, table, i))
			return false;
	return true;
}

static bool scan_section(const struct module *m, const char *name,
			 struct tcl_stubs *s)
{
	_cleanup_free_ char *bytes = NULL;
	u64 vaddr, size, word;
	size_t len, tries = 0;

	if (module_section(m, name, &vaddr, &size) || vaddr % 8 ||
	    module_section_copy(m, name, MAX_SECTION, &bytes, &len))
		return false;
	for (size_t at = 0; at + 8 <= len; at += 8) {
		memcpy(&word, bytes + at, sizeof(word));
		if (!is_magic(word))
			continue;
		if (tries++ == MAX_TRIES)
			break;
		if (!has_hooks(m, vaddr + at) || !is_long(m, vaddr + at))
			continue;
		s->table = vaddr + at;
		s->internal = hook(m, s->table, 1);
		s->major = (u32)word == MAGIC_8 ? 8 : 9;
		return true;
	}
	return false;
}

/* Whether the program is loaded at a fixed address.  Then nothing in a constant table has
 * to be relocated, so the table is in .rodata. */
static bool is_fixed(const struct module *m)
{
	Elf64_Ehdr *header = elf64_getehdr(module_handle(m));

	return header && header->e_type == ET_EXEC;
}

int tcl_stubs_find(const struct module *m, struct tcl_stubs *s)
{
	*s = (struct tcl_stubs){ 0 };
	return scan_section(m, ".data.rel.ro", s) ||
	       scan_section(m, ".data", s) ||
	       (is_fixed(m) && scan_section(m, ".rodata", s));
}

static void extend(const struct module *m, u64 table,
		   struct module_function *range)
{
	for (u32 i = 0; i < MAX_SLOTS; i++) {
		u64 to = module_pointer(m, table + FIRST_SLOT + 8ull * i);

		/* 0: the slot is no longer in use. */
		if (to && !module_range_add(m, to, range))
			return;
	}
}

void tcl_stubs_range(const struct module *m, const struct tcl_stubs *s,
		     struct module_function *range)
{
	*range = (struct module_function){ 0 };
	module_range_exports(m, "Tcl_", range);
	extend(m, s->table, range);
	for (u32 i = 0; i < 3; i++)
		extend(m, hook(m, s->table, i), range);
}
