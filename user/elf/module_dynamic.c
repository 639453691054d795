/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the dynamic linker sees of a module: .dynsym and the texts of .dynamic.
 *
 * Both are found by their section headers. A file without section headers has no
 * symbols here. Nothing that such a file could be recognised as is built that way.
 */
#include "user/elf/module_file.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SYMBOLS (2UL << 20)

bool module_dynamic_text(const struct module *m, s64 tag, u64 *at, char *out,
			 size_t size)
{
	GElf_Shdr h, text;
	Elf64_Dyn e;

	if (!module_file_section(m, SHT_DYNAMIC, &h, &text))
		return false;
	while (*at < h.sh_size / sizeof(e) &&
	       !module_read(m, h.sh_addr + *at * sizeof(e), &e, sizeof(e))) {
		++*at;
		if (e.d_tag == tag &&
		    !module_read_text(m, text.sh_addr + e.d_un.d_val, out,
				      size))
			return true;
	}
	return false;
}

static void load_symbols(const struct module *m, struct module_symbols *s)
{
	GElf_Shdr h, text;
	u64 n;

	if (!module_file_section(m, SHT_DYNSYM, &h, &text))
		return;
	n = h.sh_size / sizeof(*s->sym);
	n = n < MAX_SYMBOLS ? n : MAX_SYMBOLS;
	s->text = module_file_copy(m, text.sh_addr, text.sh_size);
	s->sym = module_file_copy(m, h.sh_addr, n * sizeof(*s->sym));
	if (!s->text || !s->sym)
		return;
	s->n = n;
	s->text_len = text.sh_size;
	if (module_file_section(m, SHT_GNU_versym, &h, &text))
		s->version =
			module_file_copy(m, h.sh_addr, n * sizeof(*s->version));
}

static const struct module_symbols *symbols(const struct module *m)
{
	struct module_file *f = module_file(m);

	if (!f->symbols_done) {
		f->symbols_done = true;
		load_symbols(m, &f->symbols);
	}
	return &f->symbols;
}

static const char *name_of(const struct module_symbols *s, u32 i)
{
	return i < s->n && s->sym[i].st_name < s->text_len
		       ? s->text + s->sym[i].st_name
		       : "";
}

/* Whether the symbol can be found by name and its value is an address in the file. */
static bool is_address(const Elf64_Sym *sym)
{
	unsigned char type = ELF64_ST_TYPE(sym->st_info);

	return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS &&
	       ELF64_ST_BIND(sym->st_info) != STB_LOCAL &&
	       (type <= STT_FUNC || type == STT_GNU_IFUNC);
}

void module_reloc_symbol(const struct module *m, u32 index,
			 struct module_reloc *r)
{
	const struct module_symbols *s = symbols(m);

	r->symbol = name_of(s, index);
	if (index < s->n && is_address(&s->sym[index]))
		r->symbol_vaddr = s->sym[index].st_value;
}

int module_dynsym(const struct module *m, const char *name, u64 *vaddr,
		  u64 *size)
{
	const struct module_symbols *s = symbols(m);
	const Elf64_Sym *found = NULL;

	for (u32 i = 0; i < s->n; i++) {
		bool is_hidden = s->version && s->version[i] & 0x8000;

		if ((is_hidden && found) || !is_address(&s->sym[i]) ||
		    strcmp(name_of(s, i), name))
			continue;
		found = &s->sym[i];
		if (!is_hidden)
			break;
	}
	if (!found || !*name)
		return -ENOENT;
	*vaddr = found->st_value;
	if (size)
		*size = found->st_size;
	return 0;
}

const char *module_import(const struct module *m, u32 *at)
{
	const struct module_symbols *s = symbols(m);

	while (++*at < s->n)
		if (s->sym[*at].st_shndx == SHN_UNDEF && *name_of(s, *at))
			return name_of(s, *at);
	return NULL;
}

const char *module_export(const struct module *m, u32 *at, u64 *vaddr)
{
	const struct module_symbols *s = symbols(m);

	while (++*at < s->n) {
		*vaddr = s->sym[*at].st_value;
		if (is_address(&s->sym[*at]) && *name_of(s, *at) &&
		    ELF64_ST_TYPE(s->sym[*at].st_info) == STT_FUNC)
			return name_of(s, *at);
	}
	return NULL;
}

void module_range_exports(const struct module *m, const char *prefix,
			  struct module_function *range)
{
	const struct module_symbols *s = symbols(m);

	for (u32 i = 1; i < s->n; i++)
		if (s->sym[i].st_shndx != SHN_UNDEF &&
		    !strncmp(name_of(s, i), prefix, strlen(prefix)))
			module_range_add(m, s->sym[i].st_value, range);
}
