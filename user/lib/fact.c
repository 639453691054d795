/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Facts are in linked lists, so that a fact stays in place while others are added. */
#include "user/lib/fact.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

struct fact *fact_new(void)
{
	return xcalloc(1, sizeof(struct fact));
}

/* Recursion is as deep as the tree, which only this program builds. */
void fact_free(struct fact *f)
{
	struct fact *next;

	if (!f)
		return;
	for (struct fact *child = f->first; child; child = next) {
		next = child->next;
		fact_free(child);
	}
	free(f->key);
	free(f->text);
	free(f);
}

static struct fact *add(struct fact *in, const char *key, enum fact_kind kind)
{
	struct fact *f = fact_new();

	f->kind = kind;
	f->key = key ? xstrdup(key) : NULL;
	if (in->last)
		in->last->next = f;
	else
		in->first = f;
	in->last = f;
	return f;
}

struct fact *fact_add_group(struct fact *in, const char *key)
{
	return add(in, key, FACT_GROUP);
}

struct fact *fact_add_list(struct fact *in, const char *key)
{
	return add(in, key, FACT_LIST);
}

void fact_add_text(struct fact *in, const char *key, const char *fmt, ...)
{
	struct fact *f = add(in, key, FACT_TEXT);
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&f->text, fmt, args) < 0)
		mem_exhausted();
	va_end(args);
}

void fact_add_number(struct fact *in, const char *key, u64 number)
{
	add(in, key, FACT_NUMBER)->number = number;
}

void fact_add_truth(struct fact *in, const char *key, bool truth)
{
	add(in, key, FACT_TRUTH)->number = truth;
}

const struct fact *fact_find(const struct fact *group, const char *key)
{
	for (const struct fact *f = group->first; f; f = f->next)
		if (f->key && !strcmp(f->key, key))
			return f;
	return NULL;
}
