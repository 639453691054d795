/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds an array of string pairs by its first keys.
 *
 * The search starts from the text of the first key in constant data. The text may
 * be the end of a longer string, because linkers merge strings. Each word that
 * points at the text is tried as the start of the array.
 *
 * A word's value comes from its relocation. Without a relocation it comes from the
 * file, as in programs that are loaded at a fixed address.
 */
#include "user/elf/pairs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module_file.h"

#define MAX_TEXTS 64 /* places of the first key */
#define MAX_TRIES 4096

struct search {
	const struct module *m;
	const char *const *first_keys;
	u64 text[MAX_TEXTS];
	size_t texts;
	u32 tries; /* arrays that may still be tried */
	struct pairs *found;
};

static void find_texts(struct search *s, const char *section)
{
	_cleanup_free_ char *bytes = NULL;
	size_t len = strlen(s->first_keys[0]) + 1;
	u64 vaddr, size;
	const char *at;

	at = bytes = module_section_load(s->m, section, &vaddr, &size);
	while (at && s->texts < MAX_TEXTS &&
	       (at = memmem(at, bytes + size - at, s->first_keys[0], len))) {
		s->text[s->texts++] = vaddr + (u64)(at - bytes);
		at++;
	}
}

static bool read_text(const struct search *s, u64 vaddr, char *out, size_t size)
{
	u64 at = module_pointer(s->m, vaddr);

	return at && !module_read_text(s->m, at, out, size);
}

/* Reads the array at vaddr up to the first entry that is no pair. false if it does
 * not begin with the wanted keys. */
static bool try_array(struct search *s, u64 vaddr)
{
	char key[PAIRS_KEY_MAX], value[PAIRS_VALUE_MAX];
	const char *const *wanted = s->first_keys;
	struct pairs p = { 0 };
	size_t capacity = 0;

	if (!s->tries)
		return false;
	s->tries--;
	for (; p.n < PAIRS_MAX && read_text(s, vaddr, key, sizeof(key)) &&
	       *key && (!*wanted || !strcmp(key, *wanted)) &&
	       read_text(s, vaddr + 8, value, sizeof(value));
	     vaddr += 16) {
		p.pair = xgrow(p.pair, p.n, &capacity, sizeof(*p.pair));
		p.pair[p.n++] = (struct pair){ xstrdup(key), xstrdup(value) };
		wanted += *wanted != NULL;
	}
	if (*wanted)
		pairs_release(&p);
	else
		*s->found = p;
	return !*wanted;
}

static bool is_array(void *ctx, u64 vaddr, u64 target)
{
	struct search *s = ctx;

	for (size_t i = 0; i < s->texts; i++)
		if (s->text[i] == target)
			return try_array(s, vaddr);
	return false;
}

int pairs_read(struct pairs *p, const struct module *m,
	       const char *const *first_keys)
{
	static const char *const sections[] = { ".data.rel.ro", ".data",
						".rodata", NULL };
	struct search s = {
		.m = m, .first_keys = first_keys, .tries = MAX_TRIES, .found = p
	};

	*p = (struct pairs){ 0 };
	find_texts(&s, ".rodata");
	if (s.texts && module_find_pointer(m, sections, is_array, &s))
		return 0;
	return -ENOENT;
}

int pairs_read_at(struct pairs *p, const struct module *m, u64 vaddr)
{
	static const char *const any[] = { NULL };
	struct search s = { .m = m, .first_keys = any, .tries = 1, .found = p };

	*p = (struct pairs){ 0 };
	return vaddr && try_array(&s, vaddr) && p->n ? 0 : -ENOENT;
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
