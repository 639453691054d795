/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions as .eh_frame delimits them; stripped files keep .eh_frame.
 *
 * Every FDE gives the start and length of its code, so the section is walked from
 * end to end. In a file without sections, .eh_frame_hdr gives its start. libdw
 * parses the entries. pointer.c decodes the pointers in them, whose encoding the
 * CIE gives.
 */
#include "user/elf/module_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/elf/cie.h"
#include "user/elf/pointer.h"

#define MAX_FUNCTIONS (8UL << 20)

/* A copy of .eh_frame, and the functions gathered from it. */
struct frames {
	const struct module *m;
	u64 vaddr;
	Elf_Data data;
	bool too_large;
	u64 cie; /* offset of the CIE that encoding belongs to */
	int encoding;
	struct module_function *function;
	size_t n, capacity;
};

static int fde_encoding(struct frames *f, u64 cie)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (f->cie == cie)
		return f->encoding;
	if (cie_next(&f->data, true, cie, &next, &entry) ||
	    !dwarf_cfi_cie_p(&entry))
		return -EBADMSG;
	f->cie = cie;
	f->encoding = cie_encoding(&entry.cie);
	return f->encoding;
}

static int read_fde(struct frames *f, u64 offset, const Dwarf_FDE *fde,
		    struct module_function *out)
{
	const u8 *bytes = f->data.d_buf;
	int encoding = fde_encoding(f, fde->CIE_pointer);
	struct pointer_cursor c = {
		.at = fde->start,
		.end = fde->end,
		.vaddr = f->vaddr + (fde->start - bytes),
	};
	u64 len;

	if (encoding < 0 ||
	    pointer_take(&c, encoding, module_file(f->m)->eh_hdr_vaddr,
			 &out->start) ||
	    pointer_take_value(&c, encoding & 0x07, &len))
		return -EBADMSG;
	out->end = out->start + len;
	out->fde = f->vaddr + offset;
	return 0;
}

/* Linkers leave FDEs of discarded code, at address 0 or near it. */
static void keep(struct frames *f, const struct module_function *fn)
{
	if (f->n == MAX_FUNCTIONS ||
	    !module_file_executable(f->m, fn->start, fn->end))
		return;
	f->function = xgrow(f->function, f->n, &f->capacity, sizeof(*fn));
	f->function[f->n++] = *fn;
}

static void walk_section(struct frames *f)
{
	u64 offset = 0, size = f->data.d_size;

	while (offset < size) {
		Dwarf_CFI_Entry entry;
		Dwarf_Off next = 0;
		struct module_function fn;
		int rc = cie_next(&f->data, true, offset, &next, &entry);

		/* The terminator from crtend may stand in the middle of the
		 * section. */
		if (rc > 0)
			next = offset + 4;
		else if (!rc && !dwarf_cfi_cie_p(&entry) &&
			 !read_fde(f, offset, &entry.fde, &fn))
			keep(f, &fn);
		if (next <= offset)
			break;
		offset = next;
	}
}

/* Loads .eh_frame at vaddr, or by its section if vaddr is 0. Without a section the
 * end is not known, so the rest of the segment is taken. */
static int load_frames(struct frames *f, u64 vaddr)
{
	u64 size = module_file_bytes(f->m, vaddr), at, len;

	if (!module_section(f->m, ".eh_frame", &at, &len) &&
	    (at == vaddr || !vaddr)) {
		vaddr = at;
		size = len;
	} else if (!vaddr) {
		return -ENOENT;
	}
	if (size > MODULE_TABLE_MAX) {
		f->too_large = true;
		return -E2BIG;
	}
	f->data.d_buf = module_file_copy(f->m, vaddr, size);
	if (!f->data.d_buf)
		return -ENOENT;
	f->data.d_type = ELF_T_BYTE;
	f->data.d_version = EV_CURRENT;
	f->data.d_size = size;
	f->data.d_align = 1;
	f->vaddr = vaddr;
	f->cie = -1;
	return 0;
}

/* The vaddr of .eh_frame that .eh_frame_hdr gives; 0: none. */
static u64 read_hdr(const struct module *m)
{
	u64 vaddr = module_file(m)->eh_hdr_vaddr, at = 0;
	u8 bytes[12] = { 0 };
	struct pointer_cursor c = { bytes + 4, bytes + sizeof(bytes),
				    vaddr + 4 };

	if (!vaddr || module_read(m, vaddr, bytes, sizeof(bytes)) ||
	    bytes[0] != 1 || bytes[1] == DW_EH_PE_omit ||
	    pointer_take(&c, bytes[1], vaddr, &at))
		return 0;
	return at;
}

static int by_start(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Sorts the functions and keeps the longest one for each start. */
static size_t sort_functions(struct module_function *fn, size_t n)
{
	size_t i, kept = 0;

	if (!n)
		return 0;
	qsort(fn, n, sizeof(*fn), by_start);
	for (i = 1; i < n; i++) {
		if (fn[i].start != fn[kept].start)
			kept++;
		fn[kept] = fn[i];
	}
	return kept + 1;
}

static void build_functions(const struct module *m, struct module_file *file)
{
	struct frames f = { .m = m };

	if (!load_frames(&f, read_hdr(m)))
		walk_section(&f);
	file->functions_err = f.too_large ? -E2BIG : f.n ? 0 : -ENOENT;
	file->frames_vaddr = f.vaddr;
	file->frames_size = f.data.d_size;
	free(f.data.d_buf);
	file->n_function = sort_functions(f.function, f.n);
	file->function = f.function;
}

int module_functions(const struct module *m, const struct module_function **fn,
		     size_t *n)
{
	struct module_file *f = module_file(m);

	if (!f->functions_done) {
		f->functions_done = true;
		build_functions(m, f);
	}
	*fn = f->function;
	*n = f->n_function;
	return f->functions_err;
}

void *module_frames(const struct module *m, u64 *vaddr, size_t *size)
{
	const struct module_function *fn;
	struct module_file *f = module_file(m);

	if (module_functions(m, &fn, size))
		return NULL;
	*vaddr = f->frames_vaddr;
	*size = f->frames_size;
	return module_file_copy(m, *vaddr, *size);
}

int module_function_at(const struct module *m, u64 vaddr,
		       struct module_function *out)
{
	const struct module_function *fn;
	size_t low, n;

	if (module_functions(m, &fn, &n))
		return -ENOENT;
	low = SEARCH(fn, n, start, vaddr);
	if (!low || vaddr >= fn[low - 1].end)
		return -ENOENT;
	*out = fn[low - 1];
	return 0;
}

bool module_range_add(const struct module *m, u64 vaddr,
		      struct module_function *range)
{
	struct module_function fn;

	if (module_function_at(m, vaddr, &fn) || fn.start != vaddr)
		return false;
	if (!range->end || fn.start < range->start)
		range->start = fn.start;
	if (fn.end > range->end)
		range->end = fn.end;
	return true;
}

struct exports {
	const struct module *m;
	const char *prefix;
	struct module_function *range;
};

static int take_export(void *ctx, const char *name, u64 vaddr)
{
	struct exports *e = ctx;

	if (vaddr && !strncmp(name, e->prefix, strlen(e->prefix)))
		module_range_add(e->m, vaddr, e->range);
	return 0;
}

void module_range_exports(const struct module *m, const char *prefix,
			  struct module_function *range)
{
	struct exports e = { m, prefix, range };

	module_each_symbol(m, take_export, &e);
}
