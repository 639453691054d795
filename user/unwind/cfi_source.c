/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * .eh_frame is what a module normally has; its ranges are the module's
 * functions.  Go's functions are in a table of their own, beside C's.  A file built without unwind tables but with debug information has
 * .debug_frame instead, which nothing indexes: its entries are read here, for
 * their ranges only.
 */
#include "user/unwind/cfi_source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "user/lib/mem.h"

#define MAX_RANGES (4u << 20)

static int by_start(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static Elf_Data *section_data(Elf *elf, const char *wanted, u64 *vaddr)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, strings, shdr.sh_name);
		if (!name || strcmp(name, wanted))
			continue;
		*vaddr = shdr.sh_addr;
		return elf_getdata(scn, NULL);
	}
	return NULL;
}

/* Addresses are eight plain bytes each in .debug_frame. */
static bool read_range(const Dwarf_FDE *fde, struct module_function *out)
{
	u64 start, size;

	if (fde->end - fde->start < (ptrdiff_t)(sizeof(start) + sizeof(size)))
		return false;
	memcpy(&start, fde->start, sizeof(start));
	memcpy(&size, fde->start + sizeof(start), sizeof(size));
	if (!start || !size || size > UINT64_MAX - start)
		return false;
	*out = (struct module_function){ .start = start, .end = start + size };
	return true;
}

static int read_ranges(struct cfi_source *s, Elf *elf)
{
	const unsigned char *ident = (void *)elf_getident(elf, NULL);
	u64 vaddr;
	Elf_Data *data = section_data(elf, ".debug_frame", &vaddr);
	Dwarf_Off at = 0, next = 0;
	size_t capacity = 0;

	if (!ident || !data || !data->d_buf)
		return -ENOENT;
	for (;; at = next) {
		Dwarf_CFI_Entry entry;
		int err = dwarf_next_cfi(ident, data, false, at, &next, &entry);

		if (err > 0 || next <= at)
			break;
		if (err < 0 || dwarf_cfi_cie_p(&entry))
			continue;
		if (s->ranges >= MAX_RANGES)
			return -E2BIG;
		s->own = xgrow(s->own, s->ranges, &capacity, sizeof(*s->own));
		s->ranges += read_range(&entry.fde, &s->own[s->ranges]);
	}
	if (!s->ranges)
		return -ENOENT;
	qsort(s->own, s->ranges, sizeof(*s->own), by_start);
	s->range = s->own;
	return 0;
}

static int open_debug_frame(struct cfi_source *s)
{
	s->range = NULL;
	s->ranges = 0;
	s->dwarf = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dwarf)
		s->cfi = dwarf_getcfi(s->dwarf);
	return s->cfi ? read_ranges(s, s->elf) : -ENOENT;
}

static int open_frames(struct cfi_source *s, const struct module *m)
{
	if (module_functions(m, &s->range, &s->ranges) || !s->ranges)
		return -ENOENT;
	s->cfi = dwarf_getcfi_elf(s->elf);
	if (!s->cfi)
		return -ENOENT;
	s->frames = section_data(s->elf, ".eh_frame", &s->frames_vaddr);
	s->ident = (void *)elf_getident(s->elf, NULL);
	return 0;
}

int cfi_source_open(struct cfi_source *s, const struct module *m)
{
	int err;

	*s = (struct cfi_source){ 0 };
	/* One of its own: what libelf reads for it is not kept with the module. */
	s->elf = m->code ? NULL : module_elf(m);
	if (!s->elf)
		return -ENOENT;
	err = open_frames(s, m);
	/* Go's .debug_frame is made of its table, and says less. */
	if (!golang_open(&s->golang, m)) {
		s->ranges = err ? 0 : s->ranges;
		err = 0;
	}
	if (err)
		err = open_debug_frame(s);
	if (err)
		cfi_source_close(s);
	return err;
}

void cfi_source_close(struct cfi_source *s)
{
	if (s->dwarf)
		dwarf_end(s->dwarf);
	else if (s->cfi)
		dwarf_cfi_end(s->cfi);
	elf_end(s->elf);
	golang_close(&s->golang);
	free(s->own);
	*s = (struct cfi_source){ 0 };
}
