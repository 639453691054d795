/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds an array of string pairs by its first keys.
 *
 * The search starts from the text of the first key in constant data. The text may
 * be the end of a longer string, because linkers merge strings. Each word that
 * points at the text is tried as the start of the array.
 *
 * A word's value comes from its relocation. Without a relocation it comes from the
 * file, as in programs that are loaded at a fixed address, or from the memory of a
 * process, minus the address at which the file is loaded there.
 */
#include "user/elf/pairs.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/machine.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/memory.h"
#include "user/elf/module.h"

#define MAX_SECTION (64ull << 20)
#define MAX_TEXTS   64 /* places of the first key */
#define MAX_TRIES   4096
#define CHUNK	    65536

struct search {
	const struct module *m;
	const char *const *first_keys;
	u64 text[MAX_TEXTS];
	size_t texts;
	u32 tries; /* arrays that may still be tried */
	pid_t pid; /* process to read from; 0: read the file */
	u64 bias;
	struct pairs *found;
};

static void find_texts(struct search *s, const char *section)
{
	_cleanup_free_ char *bytes = NULL;
	size_t len = strlen(s->first_keys[0]) + 1;
	u64 vaddr, size;
	const char *at;

	if (module_section(s->m, section, &vaddr, &size) || size > MAX_SECTION)
		return;
	bytes = xmalloc(size + 1);
	if (module_read(s->m, vaddr, bytes, size))
		return;
	at = bytes;
	while (s->texts < MAX_TEXTS &&
	       (at = memmem(at, bytes + size - at, s->first_keys[0], len))) {
		s->text[s->texts++] = vaddr + (u64)(at - bytes);
		at++;
	}
}

/* The vaddr that the pointer at vaddr points to; 0: none. */
static u64 pointer_at(const struct search *s, u64 vaddr)
{
	u64 value;

	if (s->pid)
		return memory_read_u64(s->pid, vaddr + s->bias, &value) ||
				       !value
			       ? 0
			       : value - s->bias;
	return module_pointer(s->m, vaddr);
}

static char *copy_text(const struct search *s, u64 vaddr, size_t max)
{
	_cleanup_free_ char *text = xmalloc(max);
	u64 at = pointer_at(s, vaddr);

	if (!at || module_read_text(s->m, at, text, max))
		return NULL;
	return xstrdup(text);
}

/* 1: pair is read; 0: no pair; -1: the pair's key is not the wanted one. */
static int read_pair(const struct search *s, u64 vaddr, const char *wanted,
		     struct pair *pair)
{
	*pair = (struct pair){ 0 };
	pair->key = copy_text(s, vaddr, PAIRS_KEY_MAX);
	if (pair->key && (!wanted || !strcmp(pair->key, wanted)))
		pair->value = copy_text(s, vaddr + 8, PAIRS_VALUE_MAX);
	if (pair->value && *pair->key)
		return 1;
	free(pair->key);
	free(pair->value);
	return wanted ? -1 : 0;
}

/* Reads the array at vaddr up to the first entry that is no pair. false if it does
 * not begin with the wanted keys. */
static bool try_array(struct search *s, u64 vaddr)
{
	const char *const *wanted = s->first_keys;
	struct pairs p = { .vaddr = vaddr };
	int got = 1;

	if (!s->tries)
		return false;
	s->tries--;
	p.pair = xcalloc(PAIRS_MAX, sizeof(*p.pair));
	for (; p.n < PAIRS_MAX && got > 0; vaddr += 16) {
		got = read_pair(s, vaddr, *wanted, &p.pair[p.n]);
		if (got > 0)
			p.n++;
		if (*wanted)
			wanted++;
	}
	if (got < 0)
		pairs_release(&p);
	else
		*s->found = p;
	return got >= 0;
}

static bool is_text(const struct search *s, u64 to)
{
	for (size_t i = 0; i < s->texts; i++)
		if (s->text[i] == to)
			return true;
	return false;
}

static int try_reloc(const struct module_reloc *r, void *ctx)
{
	struct search *s = ctx;

	return r->type == RELOC_RELATIVE && is_text(s, (u64)r->addend) &&
	       try_array(s, r->vaddr);
}

static int read_words(const struct search *s, u64 vaddr, void *out, size_t len)
{
	if (s->pid)
		return memory_read(s->pid, vaddr + s->bias, out, len);
	return module_read(s->m, vaddr, out, len);
}

static bool scan_section(struct search *s, const char *section)
{
	_cleanup_free_ u64 *word = xmalloc(CHUNK);
	u64 vaddr, size;

	if (module_section(s->m, section, &vaddr, &size) || vaddr % 8)
		return false;
	if (size > MAX_SECTION)
		size = MAX_SECTION;
	for (u64 at = 0; at + 8 <= size; at += CHUNK) {
		size_t len = size - at < CHUNK ? (size - at) & ~7ull : CHUNK;

		if (read_words(s, vaddr + at, word, len))
			return false;
		for (size_t i = 0; i < len / 8; i++)
			if (is_text(s, word[i] - s->bias) &&
			    try_array(s, vaddr + at + 8 * i))
				return true;
	}
	return false;
}

static int search(struct search *s)
{
	*s->found = (struct pairs){ 0 };
	s->tries = MAX_TRIES;
	find_texts(s, ".rodata");
	if (!s->texts)
		return -ENOENT;
	if (!s->pid && module_each_reloc(s->m, try_reloc, s) > 0)
		return 0;
	if (scan_section(s, ".data.rel.ro") || scan_section(s, ".data") ||
	    scan_section(s, ".rodata"))
		return 0;
	return -ENOENT;
}

int pairs_read(struct pairs *p, const struct module *m,
	       const char *const *first_keys)
{
	struct search s = { .m = m, .first_keys = first_keys, .found = p };

	return search(&s);
}

int pairs_read_live(struct pairs *p, const struct module *m,
		    const char *const *first_keys, pid_t pid, u64 bias)
{
	struct search s = { .m = m,
			    .first_keys = first_keys,
			    .pid = pid,
			    .bias = bias,
			    .found = p };

	return search(&s);
}

void pairs_release(struct pairs *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->pair[i].key);
		free(p->pair[i].value);
	}
	free(p->pair);
	*p = (struct pairs){ 0 };
}

const char *pairs_find(const struct pairs *p, const char *key)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->pair[i].key, key))
			return p->pair[i].value;
	return NULL;
}
