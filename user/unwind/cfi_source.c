/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds a module's call frame information.
 *
 * A module normally has .eh_frame; its ranges are the module's functions. Go's
 * functions have a table of their own, beside C's. A file built without unwind
 * tables but with debug information has .debug_frame instead. Nothing indexes
 * .debug_frame, so its entries are read here, for their ranges only.
 */
#include "user/unwind/cfi_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/elf/cie.h"

#define MAX_FRAMES (64u << 20) /* bytes of .debug_frame, uncompressed */

static int by_start(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int cfi_source_entry(const struct cfi_source *s, u64 offset,
		     Dwarf_CFI_Entry *out)
{
	Dwarf_Off next;

	return offset >= s->frames.d_size || cie_next(&s->frames, !s->debug,
						      offset, &next, out)
		       ? -EBADMSG
		       : 0;
}

static void set_frames(struct cfi_source *s, void *bytes, size_t size)
{
	s->frames = (Elf_Data){
		.d_buf = bytes,
		.d_size = size,
		.d_type = ELF_T_BYTE,
		.d_version = EV_CURRENT,
		.d_align = 1,
	};
}

/* In .debug_frame an address is eight plain bytes. */
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

static int read_ranges(struct cfi_source *s)
{
	size_t capacity = 0;
	Dwarf_Off at = 0, next = 0;

	for (;; at = next) {
		struct module_function f;
		Dwarf_CFI_Entry entry;
		int err = cie_next(&s->frames, false, at, &next, &entry);

		if (err > 0 || next <= at)
			break;
		if (err < 0 || dwarf_cfi_cie_p(&entry) ||
		    !read_range(&entry.fde, &f))
			continue;
		f.fde = at;
		s->own = xgrow(s->own, s->ranges, &capacity, sizeof(*s->own));
		s->own[s->ranges++] = f;
	}
	if (!s->ranges)
		return -ENOENT;
	qsort(s->own, s->ranges, sizeof(*s->own), by_start);
	s->range = s->own;
	return 0;
}

static int open_debug_frame(struct cfi_source *s, const struct module *m)
{
	size_t size;
	char *bytes = NULL;
	int err = module_section_copy(m, ".debug_frame", MAX_FRAMES, &bytes,
				      &size);

	if (err)
		return err;
	set_frames(s, bytes, size);
	s->debug = true;
	return read_ranges(s);
}

static int open_frames(struct cfi_source *s, const struct module *m)
{
	int err = module_functions(m, &s->range, &s->ranges);
	size_t size = 0;
	void *bytes;

	if (err)
		return err;
	bytes = module_frames(m, &s->frames_vaddr, &size);
	set_frames(s, bytes, size);
	return bytes ? 0 : -ENOENT;
}

int cfi_source_open(struct cfi_source *s, const struct module *m)
{
	int err;

	*s = (struct cfi_source){ 0 };
	if (m->code)
		return -ENOENT;
	err = open_frames(s, m);
	/* Go's .debug_frame is made from its table, and says less. */
	if (!golang_open(&s->golang, m)) {
		s->ranges = err ? 0 : s->ranges;
		err = 0;
	}
	if (err == -ENOENT) {
		s->ranges = 0;
		err = open_debug_frame(s, m);
	}
	if (err)
		cfi_source_close(s);
	return err;
}

void cfi_source_close(struct cfi_source *s)
{
	free(s->frames.d_buf);
	golang_close(&s->golang);
	free(s->own);
	*s = (struct cfi_source){ 0 };
}
