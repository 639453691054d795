/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * An inlined function is a DIE of its own inside the function that it was put into,
 * with the addresses of its code and the place of the call.  The way to an address
 * leads from the unit through namespaces and types to the function, and from there
 * through blocks and inlined functions to the innermost.  dwarf_getscopes() does not enter
 * namespaces (elfutils 0.188), where Rust has its functions.
 */
#include "user/debuginfo/inlines.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
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

/* A file says itself which sibling is next; more are not looked at for one address. */
#define DIES_MAX (1u << 20)

struct search {
	Dwarf_Addr pc;
	size_t dies;
	Dwarf_Die found[INLINES_MAX]; /* outermost first */
	size_t n;
};

static void note(struct search *s, Dwarf_Die *die, int tag)
{
	/* A function within a function is no part of its caller. */
	if (tag == DW_TAG_subprogram)
		s->n = 0;
	if (tag == DW_TAG_inlined_subroutine && s->n < INLINES_MAX)
		s->found[s->n++] = *die;
}

/* Enter what holds the address. true: it was found. */
static bool search(struct search *s, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (is_code(tag) && dwarf_haspc(&die, s->pc) > 0) {
			note(s, &die, tag);
			search(s, &die);
			return true;
		}
		if (is_space(tag) && search(s, &die))
			return true;
	} while (++s->dies < DIES_MAX && !dwarf_siblingof(&die, &die));
	return false;
}

size_t inlines_at(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *out)
{
	struct search s = { .pc = pc };

	search(&s, unit);
	for (size_t i = 0; i < s.n; i++)
		out[i] = s.found[s.n - 1 - i];
	return s.n;
}

/* A function that only its file knows has no other name than in the source: append the
 * names of what stands around it, each with "::". */
static void add_scope(Dwarf_Die *die, struct buf *out)
{
	static const unsigned leads[] = { DW_AT_abstract_origin,
					  DW_AT_specification };
	Dwarf_Die origin = *die, *scope = NULL;
	Dwarf_Attribute attr;
	int n;

	for (size_t i = 0; i < 2; i++)
		if (dwarf_attr(&origin, leads[i], &attr))
			dwarf_formref_die(&attr, &origin);
	n = dwarf_getscopes_die(&origin, &scope);
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

bool inlines_name(Dwarf_Die *die, struct buf *out)
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
	add_scope(die, out);
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
