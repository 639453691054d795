/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions as call frame information delimits them; stripped files keep .eh_frame.
 *
 * Every FDE gives the start and length of its code, so the section is walked from end
 * to end. In a file without sections, .eh_frame_hdr gives the start of .eh_frame. A
 * file that was built without unwind tables but with debug information has
 * .debug_frame instead. libdw parses the entries. pointer.c decodes the pointers in
 * them, whose encoding the CIE gives by letters (Linux Standard Base 5.0, Core,
 * 10.6.1.1.1).
 */
#include "user/elf/frames.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/elf/module_file.h"
#include "user/elf/pointer.h"

struct walk {
	const struct module *m;
	struct frames *f;
	u64 cie; /* offset of the CIE that encoding belongs to */
	int encoding;
	size_t capacity;
};

/* dwarf_next_cfi() reads only the class and the byte order of the ident. */
int frames_entry(const struct frames *f, u64 offset, Dwarf_Off *next,
		 Dwarf_CFI_Entry *out)
{
	static const unsigned char ident[EI_NIDENT] = {
		[EI_CLASS] = ELFCLASS64, [EI_DATA] = ELFDATA2LSB
	};

	return dwarf_next_cfi(ident, (Elf_Data *)&f->data, !f->debug, offset,
			      next, out);
}

int frames_encoding(const Dwarf_CIE *cie)
{
	const char *a = cie->augmentation;
	struct pointer_cursor c = { .at = cie->augmentation_data };
	u8 byte = 0;
	u64 skipped;

	if (!a || *a != 'z')
		return DW_EH_PE_absptr;
	if (!c.at)
		return -EBADMSG;
	c.end = c.at + cie->augmentation_data_size;
	while (*++a) {
		if (*a == 'S' || *a == 'B')
			continue;
		if (!strchr("RLP", *a) || pointer_take_bytes(&c, &byte, 1) ||
		    (*a == 'P' && (byte == DW_EH_PE_aligned ||
				   pointer_take_value(&c, byte, &skipped))))
			return -EBADMSG;
		if (*a == 'R')
			return byte;
	}
	return DW_EH_PE_absptr;
}

static int fde_encoding(struct walk *w, u64 cie)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (w->cie == cie)
		return w->encoding;
	if (frames_entry(w->f, cie, &next, &entry) || !dwarf_cfi_cie_p(&entry))
		return -EBADMSG;
	w->cie = cie;
	w->encoding = frames_encoding(&entry.cie);
	return w->encoding;
}

/* Linkers leave FDEs of discarded code, at address 0 or near it.  0 or -ENOMEM. */
static int take_fde(struct walk *w, u64 offset, const Dwarf_FDE *fde)
{
	struct frames *f = w->f;
	const u8 *bytes = f->data.d_buf;
	int encoding = fde_encoding(w, fde->CIE_pointer);
	struct pointer_cursor c = { fde->start, fde->end,
				    f->vaddr + (fde->start - bytes) };
	u64 start, len;

	if (encoding < 0 ||
	    pointer_take(&c, encoding, module_file(w->m)->eh_hdr_vaddr,
			 &start) ||
	    pointer_take_value(&c, encoding & 0x07, &len) ||
	    !module_file_executable(w->m, start, start + len))
		return 0;
	if (!heap_grows(HEAP_READING, f->n, w->capacity, sizeof(*f->function)))
		return -ENOMEM;
	f->function =
		xgrow(f->function, f->n, &w->capacity, sizeof(*f->function));
	f->function[f->n++] = (struct module_function){ start, start + len,
							f->vaddr + offset };
	return 0;
}

static int walk_section(struct walk *w)
{
	u64 offset = 0;
	int err = 0;

	while (offset < w->f->data.d_size && !err) {
		Dwarf_CFI_Entry entry;
		Dwarf_Off next = 0;
		int rc = frames_entry(w->f, offset, &next, &entry);

		/* The terminator from crtend may stand in the middle of the
		 * section. */
		if (rc > 0)
			next = offset + 4;
		else if (!rc && !dwarf_cfi_cie_p(&entry))
			err = take_fde(w, offset, &entry.fde);
		if (next <= offset)
			break;
		offset = next;
	}
	return err;
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

/* Finds .eh_frame by its section, unless .eh_frame_hdr says otherwise. Without a
 * section the end is not known, so the rest of the segment is taken. */
static int load_eh_frame(struct frames *f, const struct module *m)
{
	u64 at, len;

	f->vaddr = read_hdr(m);
	f->data.d_size = module_file_bytes(m, f->vaddr);
	if (!module_section(m, ".eh_frame", &at, &len) &&
	    (at == f->vaddr || !f->vaddr)) {
		f->vaddr = at;
		f->data.d_size = len;
	}
	if (!f->vaddr)
		return -ENOENT;
	if (f->data.d_size > MODULE_TABLE_MAX)
		return -E2BIG;
	f->data.d_buf = module_file_copy(m, f->vaddr, f->data.d_size);
	return f->data.d_buf ? 0 : -errno;
}

static int load_debug_frame(struct frames *f, const struct module *m)
{
	char *bytes = NULL;
	int err = module_section_copy(m, ".debug_frame", MODULE_TABLE_MAX,
				      &bytes, &f->data.d_size);

	f->data.d_buf = bytes;
	return err;
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

int frames_read(struct frames *f, const struct module *m, bool debug)
{
	struct walk w = { .m = m, .f = f, .cie = ~0ull };
	int err;

	*f = (struct frames){ .debug = debug,
			      .data = { .d_type = ELF_T_BYTE,
					.d_version = EV_CURRENT,
					.d_align = 1 } };
	err = debug ? load_debug_frame(f, m) : load_eh_frame(f, m);
	if (!err)
		err = walk_section(&w);
	f->n = sort_functions(f->function, f->n);
	if (!err && !f->n)
		err = -ENOENT;
	if (err)
		frames_release(f);
	return err;
}

void frames_release(struct frames *f)
{
	free(f->data.d_buf);
	free(f->function);
	*f = (struct frames){ 0 };
}
