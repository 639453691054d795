/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An inlined function is a DIE of its own inside the function that it was put into,
 * with the addresses of its code and the place of the call.  The way to an address
 * leads from the unit through namespaces and types to the function, and from there
 * through blocks and inlined functions to the innermost.  A unit is searched once for all
 * addresses: one can have a hundred thousand DIEs.  dwarf_getscopes() does not enter
 * namespaces (elfutils 0.188), where Rust has its functions.
 */
#include "user/debuginfo/inlines.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/hash.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/debuginfo/demangle.h"

/* What holds functions without having addresses of its own. */
static bool is_space(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_module;
}

static bool is_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

struct inlines_scope {
	UT_hash_handle hh;
	void *of; /* the DIE */
	char *text;
};

/* A file says itself which sibling is next, and may lead to one DIE in many ways. */
#define DIES_MAX (1u << 23)

struct search {
	struct inlines *address; /* sorted */
	size_t n;
	size_t dies;
};

static void note(struct inlines *a, Dwarf_Die *die, int tag)
{
	/* A function within a function is no part of its caller. */
	if (tag == DW_TAG_subprogram)
		a->n = 0;
	if (tag != DW_TAG_inlined_subroutine || a->n == INLINES_MAX)
		return;
	a->die = xgrow(a->die, a->n, &a->capacity, sizeof(*a->die));
	a->die[a->n++] = *die;
}

/* Note the addresses that the DIE holds.  Of two on one level the first has them. */
static bool enter(struct search *s, Dwarf_Die *die, int tag, unsigned level)
{
	Dwarf_Addr base, start, end;
	bool found = false;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		size_t i = start ? SEARCH(s->address, s->n, pc, start - 1) : 0;

		for (; i < s->n && s->address[i].pc < end; i++) {
			if (s->address[i].level != level)
				continue;
			s->address[i].level++;
			note(&s->address[i], die, tag);
			found = true;
		}
	}
	return found;
}

static void search_children(struct search *s, Dwarf_Die *parent, unsigned level)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (is_space(tag))
			search_children(s, &die, level);
		else if (is_code(tag) && enter(s, &die, tag, level))
			search_children(s, &die, level + 1);
	} while (++s->dies < DIES_MAX && !dwarf_siblingof(&die, &die));
}

bool inlines_find(Dwarf_Die *unit, struct inlines *address, size_t n, bool all)
{
	struct search s = { address, n, 0 };

	if (!enter(&s, unit, DW_TAG_compile_unit, 0))
		return false;
	if (all)
		search_children(&s, unit, 1);
	return true;
}

static void add_scopes(Dwarf_Die *origin, struct buf *out)
{
	Dwarf_Die *scope = NULL;
	int n = dwarf_getscopes_die(origin, &scope);

	while (n-- > 1) {
		const char *name;

		if (!is_space(dwarf_tag(&scope[n])))
			continue;
		name = dwarf_diename(&scope[n]);
		buf_adds(out, name && *name ? name : "(anonymous)");
		buf_adds(out, "::");
	}
	free(scope);
}

/* What stands around the function's declaration, each with "::".  To find it, libdw goes
 * through the whole unit, so it is kept. */
static const char *scope_of(struct inlines_scope **known, Dwarf_Die *die)
{
	static const unsigned leads[] = { DW_AT_abstract_origin,
					  DW_AT_specification };
	Dwarf_Die origin = *die;
	struct inlines_scope *s;
	_cleanup_buf_ struct buf text = { 0 };
	Dwarf_Attribute attr;

	for (size_t i = 0; i < 2; i++)
		if (dwarf_attr(&origin, leads[i], &attr))
			dwarf_formref_die(&attr, &origin);
	HASH_FIND_PTR(*known, &origin.addr, s);
	if (s)
		return s->text;
	add_scopes(&origin, &text);
	s = xcalloc(1, sizeof(*s));
	s->of = origin.addr;
	s->text = xstrdup(buf_text(&text));
	HASH_ADD_PTR(*known, of, s);
	return s->text;
}

/* A function that only its file knows has no other name than in the source. */
bool inlines_name(struct inlines_scope **known, Dwarf_Die *die, struct buf *out)
{
	static const unsigned linkage[] = { DW_AT_linkage_name,
					    DW_AT_MIPS_linkage_name };
	Dwarf_Attribute attr;
	const char *name;

	for (size_t i = 0; i < 2; i++) {
		name = dwarf_formstring(
			dwarf_attr_integrate(die, linkage[i], &attr));
		if (name && *name && demangle_symbol(name, out))
			return true;
	}
	name = dwarf_diename(die);
	if (!name || !*name)
		return false;
	buf_adds(out, scope_of(known, die));
	buf_adds(out, name);
	return true;
}

struct source_place inlines_place(const char *path, u64 line)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	/* Line 0: made by the compiler from no line at all. */
	if (!path || !*path || !line || line > UINT32_MAX)
		return (struct source_place){ 0 };
	return (struct source_place){ slash && slash[1] ? slash + 1 : path,
				      (u32)line };
}

struct source_place inlines_call(Dwarf_Die *unit, Dwarf_Die *die)
{
	Dwarf_Word file = 0, line = 0;
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	size_t n;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) ||
	    dwarf_getsrcfiles(unit, &files, &n) || file >= n)
		return (struct source_place){ 0 };
	return inlines_place(dwarf_filesrc(files, file, NULL, NULL), line);
}
