/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts, frames and stacks are interned as their bytes (user/lib/intern.h).  A stack's
 * two numbers are its samples and its value. */
#include "user/profile/profile.h"

#include <stdlib.h>

#include "user/lib/mem.h"

struct profile *profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->texts = intern_new_texts();
	p->frames = intern_new();
	p->stacks = intern_new();
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	intern_free(p->texts);
	intern_free(p->frames);
	intern_free(p->stacks);
	free(p);
}

bool profile_add(struct profile *p, const struct profile_key *key,
		 const u32 *frame, size_t depth, const struct profile_sum *sum,
		 bool add)
{
	const struct intern_key bytes = { key, sizeof(*key), frame,
					  depth * sizeof(*frame) };
	u32 id = intern_id(p->stacks, &bytes, add);
	u64 *of;

	if (id == INTERN_NONE)
		return false;
	of = intern_numbers(p->stacks, id);
	of[0] += sum->weight;
	of[1] += sum->value;
	return true;
}

u32 profile_add_frame(struct profile *p, const struct frame *f, bool add)
{
	const struct intern_key bytes = { f, sizeof(*f), NULL, 0 };

	return intern_id(p->frames, &bytes, add);
}

size_t profile_bytes(const struct profile *p)
{
	return intern_bytes(p->texts) + intern_bytes(p->frames) +
	       intern_bytes(p->stacks);
}

const char *profile_text(const struct profile *p, u32 id)
{
	return intern_get(p->texts, id, NULL);
}

const struct frame *profile_frame(const struct profile *p, u32 id)
{
	return intern_get(p->frames, id, NULL);
}

struct profile_stack profile_stack(struct profile *p, u32 i)
{
	size_t len;
	const struct profile_key *key = intern_get(p->stacks, i, &len);
	const u64 *sum = intern_numbers(p->stacks, i);

	return (struct profile_stack){
		.key = key,
		.sum = { sum[0], sum[1] },
		.depth = (len - sizeof(*key)) / sizeof(u32),
		.frame = (const u32 *)(key + 1),
	};
}
