/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user space side of the unwinder (jpbpf/unwinder.h). Its memory is the copied
 * part of the stack, and code as the files have it.
 */
#include "user/unwind/unwind.h"

#include <string.h>

#include <jpbpf/chain.h>
#include <jpbpf/frame.h>

struct unwind {
	struct cursor cursor; /* must be first */
	const struct deferred *k;
	const struct unwind_env *env;
	u64 signal[REG_COUNT + 1];
};

static const struct unwind *unwind_of(const struct cursor *c)
{
	return (const struct unwind *)c;
}

static int side_word(struct cursor *c, u64 address, u64 *out)
{
	const struct unwind *u = unwind_of(c);
	u64 off = address - u->k->base, page = off / DEFERRED_PAGE;
	const u8 *bytes;
	u32 before;

	if (page >= DEFERRED_PAGES ||
	    !(u->k->pages[page / 64] >> page % 64 & 1) ||
	    off % DEFERRED_PAGE > DEFERRED_PAGE - sizeof(*out))
		return -1;
	before = deferred_pages(u->k->pages, page);
	bytes = (const u8 *)u->k->stack + before * DEFERRED_PAGE;
	memcpy(out, bytes + off % DEFERRED_PAGE, sizeof(*out));
	return 0;
}

static int side_return(struct cursor *c, u64 address, u64 *out)
{
	return side_word(c, address, out);
}

static int side_far_word(struct cursor *c, u64 address, u64 *out)
{
	const struct unwind_env *env = unwind_of(c)->env;

	return side_word(c, address, out) && !env->code(env->ctx, address, out);
}

static const u64 *side_signal(struct cursor *c, u64 address)
{
	struct unwind *u = (struct unwind *)c;

	for (size_t i = 0; i <= REG_COUNT; i++)
		if (side_word(c, address + i * 8, &u->signal[i]))
			return NULL;
	return u->signal;
}

/* Data that belongs to the thread is not copied. */
static u64 side_thread(struct cursor *c)
{
	(void)c;
	return 0;
}

static bool side_is_known(struct cursor *c, u64 address)
{
	const struct unwind_env *env = unwind_of(c)->env;
	u64 code;

	return env->code(env->ctx, address + 1 - sizeof(code), &code);
}

static void side_read_saved(struct cursor *c)
{
	cursor_read_saved(c);
}

static int side_depth(struct cursor *c, u64 *cfa, const struct unwind_rule *r)
{
	return cursor_depth(c, cfa, r->cfa_off, r->deref_off);
}

static int side_of_thread(struct cursor *c, u64 *cfa,
			  const struct unwind_rule *r)
{
	return cursor_of_thread(c, cfa, r->cfa_off, r->deref_off, 0);
}

static void side_loop(u32 n, long (*fn)(u32 i, struct chain_search *s),
		      struct chain_search *s)
{
	for (u32 i = 0; i < n && !fn(i, s); i++)
		;
}

/* Goes on by frame pointer where there is no rule. false if the walk ends instead. */
static bool step_on(struct unwind *u, u32 status)
{
	if ((status != CUT_NO_RULE && status != CUT_NO_TABLE) ||
	    ++u->cursor.frames > CURSOR_MAX_FRAMES || chain_leave(&u->cursor))
		return false;
	u->env->frame(u->env->ctx, frame_value58(FRAME_STATUS, NATIVE_CHAIN),
		      NULL, u->cursor.cfa);
	return true;
}

/* Walks one frame. true: go on; false: the walk ends, and *status says why. */
static bool step(struct unwind *u, u32 *status)
{
	const struct unwind_env *env = u->env;
	struct cursor *c = &u->cursor;
	struct unwind_rule rule = { 0 };
	u64 word = 0;

	*status = env->rule(env->ctx, c->pc - !c->exact, &rule, &word);
	if (!*status)
		*status = cursor_locate(c, rule.head, &rule);
	env->frame(env->ctx, word, *status ? NULL : &rule, c->cfa);
	if (*status)
		return step_on(u, *status);
	*status = WALK_ROOT;
	if (++c->frames > CURSOR_MAX_FRAMES)
		*status = CUT_DEPTH;
	else if (!cursor_at_root(c, rule.head))
		*status = cursor_leave(c, rule.head, &rule);
	else
		return false;
	return !*status;
}

u32 unwind_deferred(const struct deferred *k, const struct unwind_env *env)
{
	struct unwind u = { .cursor = k->cursor, .k = k, .env = env };
	u32 status;

	while (step(&u, &status))
		;
	return status == CUT_STACK_READ ? CUT_NOT_KEPT : status;
}
