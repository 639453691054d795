/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Dynamic relocations: what the dynamic linker writes into a module's data.
 *
 * They are in the allocated sections of the types SHT_RELA and SHT_RELR. In the
 * compact SHT_RELR an even word is an address to relocate. An odd word is a bitmap of
 * the 63 words after the last address. The addend is what the file holds at the
 * address.
 */
#include "user/elf/module_file.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>

#include "arch/machine.h"
#include "user/lib/guard.h"
#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"

/* Limit of RELATIVE relocations. The largest browsers have a million. One word of
 * RELR in a hostile file can name 63. */
#define MAX_RELATIVES (8UL << 20)
#define MAX_TABLES    16

typedef int reloc_fn(const struct module_reloc *r, void *ctx);

static bool has_symbol(u32 type)
{
	return type != RELOC_RELATIVE && type != RELOC_RELATIVE64 &&
	       type != RELOC_INDIRECT;
}

static int each_rela(const struct module *m, const Elf64_Rela *e, u64 n,
		     reloc_fn *fn, void *ctx)
{
	int err = 0;

	for (u64 i = 0; i < n && !err; i++) {
		struct module_reloc r = {
			.vaddr = e[i].r_offset,
			.type = ELF64_R_TYPE(e[i].r_info),
			.addend = e[i].r_addend,
		};

		if (has_symbol(r.type))
			module_reloc_symbol(m, ELF64_R_SYM(e[i].r_info), &r);
		err = fn(&r, ctx);
	}
	return err;
}

static int emit_relr(const struct module *m, u64 vaddr, reloc_fn *fn, void *ctx)
{
	struct module_reloc r = { .vaddr = vaddr, .type = RELOC_RELATIVE };

	if (module_read(m, vaddr, &r.addend, sizeof(r.addend)))
		return -EBADMSG;
	return fn(&r, ctx);
}

static int each_relr(const struct module *m, const u64 *word, u64 n,
		     reloc_fn *fn, void *ctx)
{
	u64 base = 0, emitted = 0;
	int err = 0;

	for (u64 i = 0; i < n && !err; i++) {
		u64 bits = word[i] & 1 ? word[i] >> 1 : 1;
		u64 next = base + 63 * 8;

		if (!(word[i] & 1)) {
			base = word[i];
			next = base + 8;
		}
		emitted += __builtin_popcountll(bits);
		if (emitted > MAX_RELATIVES)
			return -E2BIG;
		for (; bits && !err; bits >>= 1, base += 8)
			if (bits & 1)
				err = emit_relr(m, base, fn, ctx);
		base = next;
	}
	return err;
}

static int each_in_section(const struct module *m, const GElf_Shdr *h,
			   reloc_fn *fn, void *ctx)
{
	bool relr = h->sh_type == SHT_RELR;
	u64 n = h->sh_size / (relr ? sizeof(u64) : sizeof(Elf64_Rela));
	_cleanup_free_ void *copy = module_file_copy(m, h->sh_addr, h->sh_size);

	if (!n)
		return 0;
	if (!copy)
		return errno == ENOMEM ? -ENOMEM : -EBADMSG;
	return relr ? each_relr(m, copy, n, fn, ctx)
		    : each_rela(m, copy, n, fn, ctx);
}

int module_each_reloc(const struct module *m, reloc_fn *fn, void *ctx)
{
	Elf_Scn *s = NULL;
	GElf_Shdr h;
	int err = 0, tables = 0;

	while (!err && tables < MAX_TABLES &&
	       (s = elf_nextscn(module_handle(m), s))) {
		if (!gelf_getshdr(s, &h) || !(h.sh_flags & SHF_ALLOC) ||
		    (h.sh_type != SHT_RELA && h.sh_type != SHT_RELR))
			continue;
		tables++;
		err = each_in_section(m, &h, fn, ctx);
	}
	return err;
}

static int keep_relative(const struct module_reloc *r, void *ctx)
{
	struct module_file *f = ctx;
	bool bound = (r->type == RELOC_WORD || r->type == RELOC_DATA) &&
		     r->symbol_vaddr;

	if (r->type != RELOC_RELATIVE && !bound)
		return 0;
	if (f->n_relative == MAX_RELATIVES)
		return -E2BIG;
	if (!heap_grows(HEAP_READING, f->n_relative, f->relative_capacity,
			sizeof(*f->relative)))
		return -ENOMEM;
	f->relative = xgrow(f->relative, f->n_relative, &f->relative_capacity,
			    sizeof(*f->relative));
	f->relative[f->n_relative++] = (struct module_relative_entry){
		.vaddr = r->vaddr,
		.target = r->symbol_vaddr + r->addend,
		.has_symbol = r->symbol_vaddr,
	};
	return 0;
}

static int by_vaddr(const void *a, const void *b)
{
	const struct module_relative_entry *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

/* The module's relocations that give a pointer, sorted. */
static const struct module_file *relatives(const struct module *m)
{
	struct module_file *f = module_file(m);

	if (!f->relatives_done) {
		f->relatives_done = true;
		module_each_reloc(m, keep_relative, f);
		if (f->n_relative)
			qsort(f->relative, f->n_relative, sizeof(*f->relative),
			      by_vaddr);
	}
	return f;
}

/* The relocation at vaddr, or NULL. */
static const struct module_relative_entry *find_relative(const struct module *m,
							 u64 vaddr)
{
	const struct module_file *f = relatives(m);
	size_t low = SEARCH(f->relative, f->n_relative, vaddr, vaddr);

	if (!low || f->relative[low - 1].vaddr != vaddr)
		return NULL;
	return &f->relative[low - 1];
}

int module_relative(const struct module *m, u64 vaddr, u64 *target)
{
	const struct module_relative_entry *found = find_relative(m, vaddr);

	if (!found || found->has_symbol)
		return -ENOENT;
	*target = found->target;
	return 0;
}

u64 module_pointer(const struct module *m, u64 vaddr)
{
	const struct module_relative_entry *found = find_relative(m, vaddr);
	u64 value;

	if (found)
		return found->target;
	return module_read(m, vaddr, &value, sizeof(value)) ? 0 : value;
}

static bool search_section(const struct module *m, const char *name,
			   module_pointer_fn *fn, void *ctx)
{
	u64 vaddr, size;
	_cleanup_free_ u64 *word = module_section_load(m, name, &vaddr, &size);

	for (u64 i = 0; word && i < size / sizeof(*word); i++)
		if (fn(ctx, vaddr + i * sizeof(*word), word[i]))
			return true;
	return false;
}

bool module_find_pointer(const struct module *m, const char *const *sections,
			 module_pointer_fn *fn, void *ctx)
{
	const struct module_file *f = relatives(m);

	for (size_t i = 0; i < f->n_relative; i++)
		if (!f->relative[i].has_symbol &&
		    fn(ctx, f->relative[i].vaddr, f->relative[i].target))
			return true;
	for (; *sections; sections++)
		if (search_section(m, *sections, fn, ctx))
			return true;
	return false;
}
