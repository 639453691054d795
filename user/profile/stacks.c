/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stack is interned as the bytes of its key, then its words as they came.  A stack
 * seen before takes no more memory.
 */
#include "user/profile/stacks.h"

#include "user/lib/intern.h"

_Static_assert(sizeof(struct stack_key) % sizeof(u64) == 0,
	       "words stay aligned");

void stacks_add(struct intern *stacks, const struct stack_key *key,
		const u64 *word, u32 words, const struct profile_sum *add)
{
	const struct intern_key bytes = { key, sizeof(*key), word,
					  words * sizeof(*word) };
	u64 *sum = intern_numbers(stacks, intern_id(stacks, &bytes, true));

	sum[0] += add->weight;
	sum[1] += add->value;
}

struct stack stacks_get(struct intern *stacks, u32 i)
{
	size_t len;
	const u64 *sum = intern_numbers(stacks, i);
	const struct stack_key *key = intern_get(stacks, i, &len);

	return (struct stack){
		.sum = { sum[0], sum[1] },
		.words = (len - sizeof(*key)) / sizeof(u64),
		.key = key,
		.word = (const u64 *)(key + 1),
	};
}
