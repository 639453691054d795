/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the dynamic linker sees of a module: PT_DYNAMIC and .dynsym.
 *
 * Everything is found through PT_DYNAMIC, as in ld.so, so files without section
 * headers work. The dynamic section does not give the number of symbols. DT_HASH
 * gives it, and with DT_GNU_HASH the end of the last chain gives it. Symbols that
 * only a relocation names may lie after that end; they are read one by one.
 */
#include "user/elf/module_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define MAX_DYNAMIC 4096 /* entries */
#define MAX_SYMBOLS (2UL << 20)
/* Names are compared up to this length and longer names are never found: a small
 * hostile file could otherwise make sorting by name take hours. */
#define MAX_NAME 512

#define FIELD(name) offsetof(struct module_dynamic, name)

static void take_entry(struct module_dynamic *d, const Elf64_Dyn *e)
{
	static const struct {
		s64 tag;
		size_t field;
	} fields[] = {
		{ DT_SYMTAB, FIELD(symtab) }, { DT_STRTAB, FIELD(strtab) },
		{ DT_STRSZ, FIELD(strsz) },   { DT_VERSYM, FIELD(versym) },
		{ DT_HASH, FIELD(hash) },     { DT_GNU_HASH, FIELD(gnu_hash) },
		{ DT_RELA, FIELD(rela) },     { DT_RELASZ, FIELD(relasz) },
		{ DT_JMPREL, FIELD(jmprel) }, { DT_PLTRELSZ, FIELD(pltrelsz) },
		{ DT_PLTREL, FIELD(pltrel) }, { DT_RELR, FIELD(relr) },
		{ DT_RELRSZ, FIELD(relrsz) },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (e->d_tag == fields[i].tag)
			memcpy((u8 *)d + fields[i].field, &e->d_un.d_val,
			       sizeof(u64));
}

/* false if there is no entry i. */
static bool read_entry(const struct module *m, u64 i, Elf64_Dyn *e)
{
	const struct module_file *f = module_file(m);

	return i < MAX_DYNAMIC && i < f->dynamic_size / sizeof(*e) &&
	       !module_read(m, f->dynamic_vaddr + i * sizeof(*e), e,
			    sizeof(*e)) &&
	       e->d_tag != DT_NULL;
}

const struct module_dynamic *module_dynamic(const struct module *m)
{
	struct module_file *f = module_file(m);
	Elf64_Dyn e;

	if (f->dynamic_done)
		return &f->dynamic;
	f->dynamic_done = true;
	for (u64 i = 0; read_entry(m, i, &e); i++)
		take_entry(&f->dynamic, &e);
	if (f->dynamic.pltrel == DT_REL)
		f->dynamic.jmprel = f->dynamic.pltrelsz = 0;
	return &f->dynamic;
}

bool module_dynamic_text(const struct module *m, s64 tag, u64 *at, char *out,
			 size_t size)
{
	u64 text = module_dynamic(m)->strtab;
	Elf64_Dyn e;

	while (read_entry(m, (*at)++, &e))
		if (e.d_tag == tag &&
		    !module_read_text(m, text + e.d_un.d_val, out, size))
			return true;
	return false;
}

/* The number of symbols that DT_GNU_HASH covers; 0 if it makes no sense. */
static u64 count_gnu_hash(const struct module *m, u64 hash)
{
	u32 head[4]; /* buckets, first hashed symbol, bloom words, shift */
	_cleanup_free_ u32 *bucket = NULL;
	u64 buckets, chain, last = 0, limit;
	u32 i, link;

	if (module_read(m, hash, head, sizeof(head)))
		return 0;
	buckets = hash + sizeof(head) + head[2] * 8ULL;
	bucket = module_file_copy(m, buckets, head[0] * 4ULL);
	if (!bucket)
		return head[1];
	for (i = 0; i < head[0]; i++)
		last = bucket[i] > last ? bucket[i] : last;
	if (last < head[1])
		return head[1];
	chain = buckets + head[0] * 4ULL;
	limit = module_file_bytes(m, chain) / 4 + head[1];
	limit = limit < MAX_SYMBOLS ? limit : MAX_SYMBOLS;
	for (; last < limit; last++) {
		if (module_read(m, chain + (last - head[1]) * 4, &link, 4))
			return 0;
		if (link & 1)
			return last + 1;
	}
	return 0;
}

static u32 count_symbols(const struct module *m, const struct module_dynamic *d)
{
	u64 n = 0, held = module_file_bytes(m, d->symtab) / sizeof(Elf64_Sym);
	u32 head[2];

	if (d->hash && !module_read(m, d->hash, head, sizeof(head)))
		n = head[1];
	else if (d->gnu_hash)
		n = count_gnu_hash(m, d->gnu_hash);
	n = n < held ? n : held;
	return n < MAX_SYMBOLS ? n : MAX_SYMBOLS;
}

/* Whether the symbol can be found by name and its value is an address in the file. */
static bool is_address(const struct module_symbols *s, const Elf64_Sym *sym)
{
	unsigned char type = ELF64_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS &&
	       ELF64_ST_BIND(sym->st_info) != STB_LOCAL &&
	       (type <= STT_FUNC || type == STT_GNU_IFUNC) &&
	       sym->st_name < s->text_len;
}

static bool is_hidden(const struct module_symbols *s, u32 i)
{
	return s->version && s->version[i] & 0x8000;
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct module_symbols *s = ctx;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;
	int order = strncmp(s->text + s->sym[i].st_name,
			    s->text + s->sym[j].st_name, MAX_NAME);

	if (order)
		return order;
	/* The default one of several versions of a name goes first. */
	order = is_hidden(s, i) - is_hidden(s, j);
	if (order)
		return order;
	return (i > j) - (i < j);
}

static void load_symbols(const struct module *m, struct module_symbols *s)
{
	const struct module_dynamic *d = module_dynamic(m);
	char *text;
	u32 i;

	if (!d->symtab || !d->strtab || d->strsz > MODULE_TABLE_MAX)
		return;
	text = module_file_copy(m, d->strtab, d->strsz);
	if (!text)
		return;
	s->text = xreallocarray(text, d->strsz + 1, 1);
	s->text[d->strsz] = '\0';
	s->text_len = d->strsz;
	s->n = count_symbols(m, d);
	s->sym = module_file_copy(m, d->symtab, s->n * sizeof(*s->sym));
	if (!s->sym) {
		s->n = 0;
		return;
	}
	if (d->versym)
		s->version = module_file_copy(m, d->versym, s->n * 2ULL);
	s->by_name = xcalloc(s->n, sizeof(*s->by_name));
	for (i = 0; i < s->n; i++)
		if (is_address(s, &s->sym[i]))
			s->by_name[s->n_by_name++] = i;
	qsort_r(s->by_name, s->n_by_name, sizeof(*s->by_name), by_name, s);
}

const struct module_symbols *module_symbols(const struct module *m)
{
	struct module_file *f = module_file(m);

	if (!f->symbols_done) {
		f->symbols_done = true;
		load_symbols(m, &f->symbols);
	}
	return &f->symbols;
}

const char *module_symbol_name(const struct module *m, u32 index)
{
	const struct module_symbols *s = module_symbols(m);
	const struct module_dynamic *d = module_dynamic(m);
	Elf64_Sym sym;

	if (!index || !s->text || !d->symtab)
		return "";
	if (index < s->n)
		sym = s->sym[index];
	else if (module_read(m, d->symtab + index * sizeof(sym), &sym,
			     sizeof(sym)))
		return "";
	return sym.st_name < s->text_len ? s->text + sym.st_name : "";
}

int module_dynsym(const struct module *m, const char *name, u64 *vaddr,
		  u64 *size)
{
	const struct module_symbols *s = module_symbols(m);
	const Elf64_Sym *sym;
	u32 low = 0, high = s->n_by_name;

	if (strlen(name) >= MAX_NAME)
		return -ENOENT;
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		sym = &s->sym[s->by_name[mid]];
		if (strncmp(s->text + sym->st_name, name, MAX_NAME) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->n_by_name)
		return -ENOENT;
	sym = &s->sym[s->by_name[low]];
	if (strncmp(s->text + sym->st_name, name, MAX_NAME))
		return -ENOENT;
	*vaddr = sym->st_value;
	if (size)
		*size = sym->st_size;
	return 0;
}

int module_each_symbol(const struct module *m,
		       int (*fn)(void *ctx, const char *name, u64 vaddr),
		       void *ctx)
{
	const struct module_symbols *s = module_symbols(m);
	int stop = 0;

	for (u32 i = 1; i < s->n && !stop; i++) {
		const Elf64_Sym *sym = &s->sym[i];

		if (sym->st_name && sym->st_name < s->text_len)
			stop = fn(ctx, s->text + sym->st_name,
				  sym->st_shndx == SHN_UNDEF ? 0
							     : sym->st_value);
	}
	return stop;
}
