/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Dynamic relocations: what the dynamic linker writes into a module's data.
 *
 * Three tables are read: DT_RELA, DT_JMPREL and the compact DT_RELR. A static
 * program has no PT_DYNAMIC; its few relocations are found by section. In DT_RELR
 * an even word is an address to relocate. An odd word is a bitmap of the 63 words
 * after the last address. The addend is what the file holds at the address.
 */
#include "user/elf/module_file.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>

#include "arch/machine.h"
#include "user/lib/mem.h"

/* Limit of RELATIVE relocations. The largest browsers have a million. One word of
 * RELR in a hostile file can name 63. */
#define MAX_RELATIVES (8UL << 20)

typedef int reloc_fn(const struct module_reloc *r, void *ctx);

static bool has_symbol(u32 type)
{
	return type != RELOC_RELATIVE && type != RELOC_RELATIVE64 &&
	       type != RELOC_INDIRECT;
}

static int each_rela(const struct module *m, u64 vaddr, u64 size, reloc_fn *fn,
		     void *ctx)
{
	u64 i, n = size / sizeof(Elf64_Rela);
	int err;

	if (size > MODULE_TABLE_MAX)
		return -E2BIG;
	if (n > module_file_bytes(m, vaddr) / sizeof(Elf64_Rela))
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		struct module_reloc r;
		Elf64_Rela e;

		if (module_read(m, vaddr + i * sizeof(e), &e, sizeof(e)))
			return -EBADMSG;
		r.vaddr = e.r_offset;
		r.type = ELF64_R_TYPE(e.r_info);
		r.addend = e.r_addend;
		r.symbol = NULL;
		if (has_symbol(r.type))
			r.symbol = module_symbol_name(m, ELF64_R_SYM(e.r_info));
		err = fn(&r, ctx);
		if (err)
			return err;
	}
	return 0;
}

static int emit_relr(const struct module *m, u64 vaddr, reloc_fn *fn, void *ctx)
{
	struct module_reloc r = { .vaddr = vaddr, .type = RELOC_RELATIVE };

	if (module_read(m, vaddr, &r.addend, sizeof(r.addend)))
		return -EBADMSG;
	return fn(&r, ctx);
}

static int emit_relr_bitmap(const struct module *m, u64 base, u64 bits,
			    reloc_fn *fn, void *ctx)
{
	int err = 0;

	for (; bits && !err; bits >>= 1, base += 8)
		if (bits & 1)
			err = emit_relr(m, base, fn, ctx);
	return err;
}

static int each_relr(const struct module *m, u64 vaddr, u64 size, reloc_fn *fn,
		     void *ctx)
{
	u64 i, n = size / 8, word, base = 0, emitted = 0;
	int err;

	if (size > MODULE_TABLE_MAX)
		return -E2BIG;
	if (n > module_file_bytes(m, vaddr) / 8)
		return -EBADMSG;
	for (i = 0; i < n; i++) {
		if (emitted > MAX_RELATIVES)
			return -E2BIG;
		if (module_read(m, vaddr + i * 8, &word, 8))
			return -EBADMSG;
		if (word & 1) {
			err = emit_relr_bitmap(m, base, word >> 1, fn, ctx);
			base += 63 * 8;
			emitted += __builtin_popcountll(word) - 1;
		} else {
			err = emit_relr(m, word, fn, ctx);
			base = word + 8;
			emitted++;
		}
		if (err)
			return err;
	}
	return 0;
}

static int each_section(const struct module *m, reloc_fn *fn, void *ctx)
{
	Elf_Scn *s = NULL;
	GElf_Shdr h;
	int err = 0, tries = 8;

	while (!err && tries && (s = elf_nextscn(module_handle(m), s)))
		if (gelf_getshdr(s, &h) && h.sh_type == SHT_RELA &&
		    h.sh_flags & SHF_ALLOC && tries--)
			err = each_rela(m, h.sh_addr, h.sh_size, fn, ctx);
	return err;
}

int module_each_reloc(const struct module *m, reloc_fn *fn, void *ctx)
{
	const struct module_dynamic *d = module_dynamic(m);
	int err = 0;

	if (!module_file(m)->dynamic_size)
		return each_section(m, fn, ctx);
	if (d->rela)
		err = each_rela(m, d->rela, d->relasz, fn, ctx);
	/* Some linkers count the PLT's relocations as part of DT_RELA. */
	if (!err && d->jmprel && d->jmprel - d->rela >= d->relasz)
		err = each_rela(m, d->jmprel, d->pltrelsz, fn, ctx);
	if (!err && d->relr)
		err = each_relr(m, d->relr, d->relrsz, fn, ctx);
	return err;
}

struct relatives {
	struct module_relative_entry *entry;
	size_t n, capacity;
};

static int keep_relative(const struct module_reloc *r, void *ctx)
{
	struct relatives *all = ctx;

	if (r->type != RELOC_RELATIVE)
		return 0;
	if (all->n == MAX_RELATIVES)
		return -E2BIG;
	all->entry =
		xgrow(all->entry, all->n, &all->capacity, sizeof(*all->entry));
	all->entry[all->n++] = (struct module_relative_entry){
		.vaddr = r->vaddr,
		.target = r->addend,
	};
	return 0;
}

static int by_vaddr(const void *a, const void *b)
{
	const struct module_relative_entry *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

int module_relative(const struct module *m, u64 vaddr, u64 *target)
{
	struct module_file *f = module_file(m);
	struct module_relative_entry *found, key = { .vaddr = vaddr };
	struct relatives all = { 0 };

	if (!f->relatives_done) {
		f->relatives_done = true;
		module_each_reloc(m, keep_relative, &all);
		f->relative = all.entry;
		f->n_relative = all.n;
		if (all.n)
			qsort(all.entry, all.n, sizeof(*all.entry), by_vaddr);
	}
	if (!f->n_relative)
		return -ENOENT;
	found = bsearch(&key, f->relative, f->n_relative, sizeof(key),
			by_vaddr);
	if (!found)
		return -ENOENT;
	*target = found->target;
	return 0;
}
