/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A hash table of what was seen; frames point into it. */
#include "user/symbolize/strings.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "user/lib/mem.h"

struct text {
	UT_hash_handle hh;
	char bytes[];
};

struct strings {
	struct text *texts;
};

struct strings *strings_new(void)
{
	return xcalloc(1, sizeof(struct strings));
}

void strings_free(struct strings *s)
{
	struct text *t, *next;

	if (!s)
		return;
	HASH_ITER (hh, s->texts, t, next) {
		HASH_DEL(s->texts, t);
		free(t);
	}
	free(s);
}

const char *strings_intern(struct strings *s, const char *text)
{
	size_t len = strlen(text);
	struct text *t;

	HASH_FIND(hh, s->texts, text, len, t);
	if (!t) {
		t = xmalloc(sizeof(*t) + len + 1);
		memcpy(t->bytes, text, len + 1);
		HASH_ADD_KEYPTR(hh, s->texts, t->bytes, len, t);
	}
	return t->bytes;
}
