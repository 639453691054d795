/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A Go program describes itself in struct moduledata (src/runtime/symtab.go; its
 * beginning is the same from go1.18 to go1.25). It points at the pclntab and the
 * parts of the table. It also gives the start of the first function, the end of the
 * last one, and the address that both count from. A struct is accepted only if all
 * of these agree with the table. The code section's address is no answer, because a
 * C linker puts its own code before Go's.
 */
#include "user/elf/golang_text.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "arch/machine.h"
#include "user/lib/guard.h"
#include "user/elf/golang.h"
#include "user/elf/module.h"
#include "user/elf/module_file.h"

/* Word offsets in struct moduledata. Slices take three words: address, length,
 * capacity. */
enum {
	HEADER = 0,
	NAMES = 1,
	ROWS = 10,
	FUNCTIONS = 16,
	MIN = 20,
	MAX = 21,
	TEXT = 22,
	WORDS
};

struct search {
	const struct golang *g;
	const struct module *m;
	u64 vaddr; /* of the table */
	u64 first, last;
	u64 text;
};

static bool is_moduledata(struct search *s, u64 at)
{
	const struct golang *g = s->g;
	u64 word[WORDS];

	if (module_read(s->m, at, word, sizeof(word)))
		return false;
	for (int i = 0; i < WORDS; i++)
		module_relative(s->m, at + i * sizeof(word[0]), &word[i]);
	s->text = word[TEXT];
	return word[HEADER] == s->vaddr && word[NAMES] == s->vaddr + g->names &&
	       word[ROWS] == s->vaddr + g->rows &&
	       word[FUNCTIONS] == s->vaddr + g->functions &&
	       word[FUNCTIONS + 1] == g->n + 1 &&
	       word[MIN] == word[TEXT] + s->first &&
	       word[MAX] == word[TEXT] + s->last;
}

static int try_reloc(const struct module_reloc *r, void *ctx)
{
	struct search *s = ctx;

	return r->type == RELOC_RELATIVE && (u64)r->addend == s->vaddr &&
	       is_moduledata(s, r->vaddr);
}

static bool search_section(struct search *s, const char *name)
{
	_cleanup_free_ u64 *word = NULL;
	u64 vaddr, size;

	if (module_section(s->m, name, &vaddr, &size))
		return false;
	word = module_file_copy(s->m, vaddr, size);
	for (u64 i = 0; word && i < size / sizeof(*word); i++)
		if (word[i] == s->vaddr &&
		    is_moduledata(s, vaddr + i * sizeof(*word)))
			return true;
	return false;
}

static bool search_everywhere(struct search *s)
{
	static const char *const sections[] = { ".go.module", ".noptrdata",
						".data" };

	if (module_each_reloc(s->m, try_reloc, s) == 1)
		return true;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (search_section(s, sections[i]))
			return true;
	return false;
}

int golang_text(const struct golang *g, const struct module *m, u64 vaddr,
		u64 *text)
{
	struct search s = { .g = g, .m = m, .vaddr = vaddr };
	u32 first, last;

	/* read_header() has checked that the list of functions lies in the table. */
	memcpy(&first, g->table + g->functions, sizeof(first));
	memcpy(&last, g->table + g->functions + g->n * 2 * sizeof(u32),
	       sizeof(last));
	s.first = first;
	s.last = last;
	if (!search_everywhere(&s))
		return -ENOENT;
	*text = s.text;
	return 0;
}
