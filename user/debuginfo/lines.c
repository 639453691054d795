/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The units are gone through once, by the address ranges that they say themselves: the
 * file's own index (.debug_aranges) is optional, and clang does not write it.  libdw reads
 * the line table of a unit when the first of its addresses is asked for.
 */
#include "user/debuginfo/lines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/debuginfo/files.h"

#define LEVEL_DONE (~0u) /* of addresses whose unit was found */

struct lines {
	struct inlines *address; /* sorted */
	size_t n;
	bool inlines;
	struct inlines_scope *scopes;
	lines_take *take;
	void *ctx;
};

static void take_line(const struct lines *l, size_t i, Dwarf_Die *unit)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, l->address[i].pc);
	struct source_place place;
	int number;

	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return;
	place = inlines_place(dwarf_linesrc(line, NULL, NULL), (u64)number);
	l->take(l->ctx, i, "", &place);
}

static void take_inlines(struct lines *l, size_t i, Dwarf_Die *unit)
{
	struct inlines *a = &l->address[i];
	_cleanup_buf_ struct buf name = { 0 };

	while (a->n) {
		Dwarf_Die *die = &a->die[--a->n];
		struct source_place call = inlines_call(unit, die);

		buf_reset(&name);
		if (!inlines_name(&l->scopes, die, &name))
			buf_adds(&name, "?");
		l->take(l->ctx, i, buf_text(&name), &call);
	}
	free(a->die);
	a->die = NULL;
}

static void take_unit(struct lines *l, Dwarf_Die *unit)
{
	if (!inlines_find(unit, l->address, l->n, l->inlines))
		return;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->address[i].level || l->address[i].level == LEVEL_DONE)
			continue;
		take_line(l, i, unit);
		take_inlines(l, i, unit);
		l->address[i].level = LEVEL_DONE;
	}
}

/* The file of doublets, if one of those found has the build-id that the link says. */
static void set_alt(Dwarf *dwarf, const struct files *f)
{
	for (size_t i = FILES_ALT; i < FILES_COUNT; i++) {
		Elf *elf = f->fd[i] < 0
				   ? NULL
				   : elf_begin(f->fd[i], ELF_C_READ_MMAP, NULL);
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

void lines_read(Dwfl_Module *mod, const struct files *f, const u64 *vaddr,
		size_t n, bool inlines, lines_take *take, void *ctx)
{
	struct lines l = { NULL, n, inlines, NULL, take, ctx };
	Dwarf_Addr bias = 0;
	Dwarf *dwarf = dwfl_module_getdwarf(mod, &bias);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!dwarf)
		return;
	set_alt(dwarf, f);
	l.address = xcalloc(n, sizeof(*l.address));
	for (size_t i = 0; i < n; i++)
		l.address[i].pc = vaddr[i] - bias;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit ||
		    dwarf_tag(&unit) == DW_TAG_skeleton_unit)
			take_unit(&l, &unit);
	free(l.address);
}
