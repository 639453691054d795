/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A kept sample, walked in user space: registers, stack and unwind rules are all
 * hostile.
 *
 * The input is rules (their number first, a byte), then struct deferred and the stack.
 */
#include <string.h>

#include <jpbpf/status.h>

#include "tests/fuzz/fuzz.h"
#include "user/unwind/unwind.h"

#define MAX_RULES 16
#define MAX_FRAMES \
	70000 /* a little more than any walk may have, with their status */

struct input {
	struct unwind_rule rule[MAX_RULES];
	size_t rules, frames;
};

static u32 find_rule(void *ctx, u64 address, struct unwind_rule *rule,
		     u64 *word)
{
	const struct input *in = ctx;

	*word = address;
	if (!in->rules || address % 61 == 60)
		return CUT_NO_MAPPING;
	*rule = in->rule[address % in->rules];
	return 0;
}

static void take_frame(void *ctx, u64 word, const struct unwind_rule *rule,
		       u64 cfa)
{
	struct input *in = ctx;

	(void)word, (void)rule, (void)cfa;
	FUZZ_ASSERT(++in->frames <= MAX_FRAMES);
}

/* Some is that of a call. */
static bool take_code(void *ctx, u64 address, u64 *out)
{
	(void)ctx;
	*out = address % 3 ? address << 24 | 0xd0ffull << 48 : 0xe8ull << 24;
	return address % 61;
}

/* The pages that it claims are filled with what the input has left. */
static struct deferred *with_pages(const u8 *data, size_t size)
{
	size_t left = size - sizeof(struct deferred), room;
	struct deferred head, *k;

	memcpy(&head, data, sizeof(head));
	room = (size_t)deferred_pages(head.pages, DEFERRED_MASKS * 64) *
	       DEFERRED_PAGE;
	k = calloc(1, sizeof(*k) + room);
	FUZZ_ASSERT(k);
	memcpy(k, data, sizeof(*k) + (left < room ? left : room));
	return k;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { .frames = 0 };
	const struct unwind_env env = { find_rule, take_frame, take_code, &in };
	size_t head = 1;
	struct deferred *k;
	u32 status;

	if (!size)
		return 0;
	in.rules = data[0] % (MAX_RULES + 1);
	head += in.rules * sizeof(in.rule[0]);
	if (size < head + sizeof(*k))
		return 0;
	memcpy(in.rule, data + 1, in.rules * sizeof(in.rule[0]));
	k = with_pages(data + head, size - head);
	status = unwind_deferred(k, &env);
	FUZZ_ASSERT(status < WALK_STATUS_COUNT && in.frames);
	free(k);
	return 0;
}
