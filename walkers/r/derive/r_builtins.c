/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab (src/main/names.c) is an array of FUNTAB (src/include/Defn.h at
 * R-3-4-0 to R-4-6-1), 40 bytes each: name at 0, cfun at 8, code 16, eval 20,
 * arity 24, gram 28.  It ends where name is NULL.
 *
 * The last digit of eval tells a special (0: it evaluates its own arguments) from a
 * builtin.  Specials are the language's own words and give no frame a name.
 *
 * In a file both pointers are usually not there but in relocations: RELATIVE
 * ones in a shared or position independent file, by symbol when the function is
 * exported.  A non-PIE executable has plain addresses.
 */
#include "walkers/r/derive/r_builtins.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arch/machine.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/elf/module.h"

#define ENTRY	    40
#define CFUN	    8
#define EVAL	    20
#define MAX_ENTRIES 8192
#define MAX_NAME    64

struct table {
	const struct module *m;
	u64 vaddr, words; /* 8 bytes each */
	u64 *word;	  /* as relocated */
	u64 relocs;	  /* seen of the table */
};

static int relocate(const struct module_reloc *r, void *ctx)
{
	struct table *t = ctx;
	u64 symbol;

	if (r->vaddr < t->vaddr || (r->vaddr - t->vaddr) / 8 >= t->words ||
	    r->vaddr % 8)
		return 0;
	if (t->relocs++ == 2 * t->words)
		return -E2BIG;
	if (r->type == RELOC_RELATIVE)
		t->word[(r->vaddr - t->vaddr) / 8] = r->addend;
	else if (r->type == RELOC_WORD && r->symbol &&
		 !module_dynsym(t->m, r->symbol, &symbol, NULL))
		t->word[(r->vaddr - t->vaddr) / 8] = symbol + r->addend;
	return 0;
}

static int read_table(struct table *t)
{
	int err;

	err = module_read(t->m, t->vaddr, t->word, t->words * 8);
	return err ? err : module_each_reloc(t->m, relocate, t);
}

static bool printable(const char *name)
{
	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return false;
	}
	return *name != '\0';
}

/* Adds the entries that can be shown. */
static int read_entries(const struct table *t, struct r_builtins *b)
{
	size_t max = t->words / (ENTRY / 8);
	char name[MAX_NAME];

	for (b->entries = 0; b->entries < max; b->entries++) {
		const u64 *word = t->word + b->entries * (ENTRY / 8);
		bool special;

		if (!word[0])
			return b->n ? 0 : -EINVAL;
		if (!word[CFUN / 8] ||
		    module_read_text(t->m, word[0], name, MAX_NAME) < 0 ||
		    !printable(name))
			continue;
		/* Upper half of the word at 16. */
		special = (s32)(word[EVAL / 8] >> 32) % 10 == 0;
		b->function[b->n++] = (struct r_function){
			.start = word[CFUN / 8],
			.order = b->entries,
			.name = special ? NULL : xstrdup(name),
		};
	}
	return -EINVAL; /* no end */
}

static u64 end_of(const struct module *m, u64 start)
{
	struct module_function fn;

	if (module_function_at(m, start, &fn) || fn.start != start)
		return 0;
	return fn.end;
}

int r_builtins_read(struct r_builtins *b, const struct module *m, u64 vaddr,
		    u64 size)
{
	struct table t = { .m = m, .vaddr = vaddr, .words = size / 8 };
	int err;

	*b = (struct r_builtins){ 0 };
	if (size < 2 * ENTRY || size > MAX_ENTRIES * ENTRY || vaddr % 8)
		return -EINVAL;
	t.word = xcalloc(t.words, 8);
	b->function = xcalloc(size / ENTRY, sizeof(*b->function));
	err = read_table(&t);
	if (!err)
		err = read_entries(&t, b);
	free(t.word);
	if (err) {
		r_builtins_release(b);
		return err;
	}
	b->n = r_functions_join(b->function, b->n);
	for (size_t i = 0; i < b->n; i++)
		b->function[i].end = end_of(m, b->function[i].start);
	return 0;
}

void r_builtins_release(struct r_builtins *b)
{
	r_functions_free(b->function, b->n);
	free(b->function);
	*b = (struct r_builtins){ 0 };
}

const char *r_builtins_find(const struct r_builtins *b, u64 vaddr)
{
	size_t low = SEARCH(b->function, b->n, start, vaddr);

	return low && b->function[low - 1].start == vaddr
		       ? b->function[low - 1].name
		       : NULL;
}

u64 r_builtins_function(const struct r_builtins *b, const char *name)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->function[i].name && !strcmp(b->function[i].name, name))
			return b->function[i].start;
	return 0;
}
