/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The address ranges of all compilation units are put into one sorted index: the
 * file's own (.debug_aranges) is optional, and clang does not write it.  libdw
 * then reads the line table of a unit when the first of its addresses is asked
 * for, and keeps it.
 */
#include "user/debuginfo/lines.h"

#include <dwarf.h>
#include <stdlib.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/debuginfo/files.h"

struct range {
	u64 start, end; /* vaddr */
	u64 unit;	/* offset of its DIE */
};

struct lines {
	Dwarf *dwarf;
	u64 bias;	     /* vaddr less it is an address of the DWARF */
	struct range *range; /* sorted by start */
	size_t n, capacity;
};

static void add_unit(struct lines *l, Dwarf_Die *die)
{
	u64 unit = dwarf_dieoffset(die);
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		l->range =
			xgrow(l->range, l->n, &l->capacity, sizeof(*l->range));
		l->range[l->n++] =
			(struct range){ start + l->bias, end + l->bias, unit };
	}
}

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void read_units(struct lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (!dwarf_get_units(l->dwarf, cu, &cu, NULL, NULL, &die, NULL))
		if (dwarf_tag(&die) == DW_TAG_compile_unit ||
		    dwarf_tag(&die) == DW_TAG_skeleton_unit)
			add_unit(l, &die);
	if (l->n)
		qsort(l->range, l->n, sizeof(*l->range), compare);
}

/* The file of doublets, if one of those found has the build-id that the link says. */
static void set_alt(Dwarf *dwarf, const struct files *f)
{
	for (size_t i = 0; i < FILES_ALT; i++) {
		Elf *elf = f->alt[i] < 0 ? NULL
					 : elf_begin(f->alt[i], ELF_C_READ_MMAP,
						     NULL);
		const void *id;
		ssize_t len = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;

		if (len == (ssize_t)f->alt_id_len &&
		    !memcmp(id, f->alt_id, f->alt_id_len)) {
			dwarf_setalt(dwarf,
				     dwarf_begin_elf(elf, DWARF_C_READ, NULL));
			return;
		}
		elf_end(elf);
	}
}

struct lines *lines_new(Dwfl_Module *mod, const struct files *f)
{
	struct lines *l;
	Dwarf_Addr bias = 0;
	Dwarf *dwarf = dwfl_module_getdwarf(mod, &bias);

	if (!dwarf)
		return NULL;
	set_alt(dwarf, f);
	l = xcalloc(1, sizeof(*l));
	l->dwarf = dwarf;
	l->bias = bias;
	read_units(l);
	return l;
}

/* The range that covers vaddr; units do not overlap in a sound file. */
static const struct range *find(const struct lines *l, u64 vaddr)
{
	size_t low = SEARCH(l->range, l->n, start, vaddr);

	return low && vaddr < l->range[low - 1].end ? &l->range[low - 1] : NULL;
}

struct source_place lines_place(const struct lines *l, u64 vaddr)
{
	const struct range *r = find(l, vaddr);
	Dwarf_Line *line;
	Dwarf_Die die;
	int number;

	if (!r || !dwarf_offdie(l->dwarf, r->unit, &die))
		return (struct source_place){ 0 };
	line = dwarf_getsrc_die(&die, vaddr - l->bias);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return (struct source_place){ 0 };
	return inlines_place(dwarf_linesrc(line, NULL, NULL), (u64)number);
}

void lines_inlines(const struct lines *l, u64 vaddr, lines_inlined *fn,
		   void *ctx)
{
	const struct range *r = find(l, vaddr);
	Dwarf_Die unit, die[INLINES_MAX];
	struct buf name = { 0 };
	size_t n;

	if (!r || !dwarf_offdie(l->dwarf, r->unit, &unit))
		return;
	n = inlines_at(&unit, vaddr - l->bias, die);
	for (size_t i = 0; i < n; i++) {
		struct source_place call = inlines_call(&unit, &die[i]);

		buf_reset(&name);
		if (!inlines_name(&die[i], &name))
			buf_adds(&name, "?");
		fn(ctx, buf_text(&name), &call);
	}
	buf_release(&name);
}
