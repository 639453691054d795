/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stack is interned as its bytes: a head with status and command name, then
 * the words as they came.  The counts stand in an array beside, by id, so a stack
 * seen before costs one hash and one comparison and copies nothing.
 */
#include "user/profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/sample.h>

#include "user/profile/intern.h"
#include "user/lib/mem.h"

struct head {
	char comm[COMM_LEN]; /* NUL-terminated, zeros after it */
	u64 status;
};

_Static_assert(sizeof(struct head) % sizeof(u64) == 0, "words stay aligned");

struct stacks {
	struct intern *intern;
	u64 *count; /* by id */
	size_t capacity;
};

struct stacks *stacks_new(void)
{
	struct stacks *s = xcalloc(1, sizeof(*s));

	s->intern = intern_new();
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	intern_free(s->intern);
	free(s->count);
	free(s);
}

void stacks_add(struct stacks *s, const char *comm, u32 status, const u64 *word,
		u32 words)
{
	struct head head = { .status = status };
	struct intern_key key = { &head, sizeof(head), word,
				  words * sizeof(*word) };
	size_t before = intern_count(s->intern);
	u32 id;

	memcpy(head.comm, comm, strnlen(comm, COMM_LEN - 1));
	id = intern_add(s->intern, &key);
	s->count = xgrow(s->count, id, &s->capacity, sizeof(*s->count));
	if (id == before)
		s->count[id] = 0;
	s->count[id]++;
}

size_t stacks_count(const struct stacks *s)
{
	return intern_count(s->intern);
}

size_t stacks_bytes(const struct stacks *s)
{
	return intern_bytes(s->intern) + s->capacity * sizeof(*s->count) +
	       sizeof(*s);
}

struct stack stacks_get(const struct stacks *s, size_t i)
{
	size_t len;
	const struct head *head = intern_get(s->intern, i, &len);

	return (struct stack){
		.count = s->count[i],
		.words = (len - sizeof(*head)) / sizeof(u64),
		.status = head->status,
		.comm = head->comm,
		.word = (const u64 *)(head + 1),
	};
}
