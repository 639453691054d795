/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One frame after the other: rule, CFA, return address, saved registers.  What the
 * stack holds is the target's, so nothing is believed: reads stay inside the copy,
 * the CFA must rise from frame to frame.
 */
#include "user/unwind/unwind.h"

#include <stdbool.h>
#include <string.h>

#include <jpbpf/status.h>

#define MAX_FRAMES 32768u
#define MAX_SIGNAL 64u /* frames that may move to another stack */

struct cursor {
	const struct deferred *k;
	const struct unwind_env *env;
	u64 reg[REG_COUNT];
	u64 pc, cfa;
	u32 valid;
	bool exact;
	u32 frames, signals;
};

static const u8 *page_at(const struct cursor *c, u32 n)
{
	if (c->env->page)
		return c->env->page(c->env->ctx, n);
	return (const u8 *)c->k->stack + (size_t)n * DEFERRED_PAGE;
}

static bool read_word(const struct cursor *c, u64 address, u64 *out)
{
	u64 off = address - c->k->base, page = off / DEFERRED_PAGE, before;

	if (page >= DEFERRED_PAGES ||
	    !(c->k->pages[page / 64] >> page % 64 & 1) ||
	    off % DEFERRED_PAGE > DEFERRED_PAGE - sizeof(*out))
		return false;
	before = deferred_pages(c->k->pages, page);
	memcpy(out, page_at(c, before) + off % DEFERRED_PAGE, sizeof(*out));
	return true;
}

static bool have(const struct cursor *c, u32 reg)
{
	return c->valid >> (reg & 15) & 1;
}

static u32 cfa_depth(const struct cursor *c, const struct unwind_rule *r,
		     u64 *cfa)
{
	u64 at = c->reg[r->cfa_reg & 15], owner, end, depth;

	if (!have(c, r->cfa_reg))
		return CUT_LOST_REGISTER;
	if (!read_word(c, at + (s64)r->cfa_off, &owner) ||
	    !read_word(c, at + (s64)r->deref_off, &depth) ||
	    !read_word(c, owner + 8, &end))
		return CUT_NOT_KEPT;
	*cfa = end - depth + 8;
	return 0;
}

static u32 rule_cfa(struct cursor *c, const struct unwind_rule *r, u64 *cfa)
{
	u64 from = c->reg[r->cfa_reg & 15] + (s64)r->cfa_off;

	switch (r->kind) {
	case UNWIND_CLONE:
	case UNWIND_CFA:
		*cfa = from;
		return have(c, r->cfa_reg) ? 0 : CUT_LOST_REGISTER;
	case UNWIND_DEREF:
		if (!have(c, r->cfa_reg))
			return CUT_LOST_REGISTER;
		if (!read_word(c, from, cfa))
			return CUT_NOT_KEPT;
		*cfa += (s64)r->deref_off;
		return 0;
	case UNWIND_PLT:
		*cfa = c->reg[REG_STACK] + arch_plt_depth(c->pc, r->cfa_off);
		return 0;
	case UNWIND_SIGNAL:
	case UNWIND_ROOT:
		*cfa = c->cfa;
		return 0;
	case UNWIND_DEPTH:
		return cfa_depth(c, r, cfa);
	case UNWIND_THREAD: /* what it reads is not kept */
	case UNWIND_SWITCH:
		return CUT_SWITCH;
	case UNWIND_NONE:
		return CUT_NO_RULE;
	}
	return CUT_UNSUPPORTED;
}

static u32 step_signal(struct cursor *c, const struct unwind_rule *r)
{
	u64 at = c->reg[r->cfa_reg & 15] + (s64)r->cfa_off;

	if (!have(c, r->cfa_reg))
		return CUT_LOST_REGISTER;
	if (++c->signals > MAX_SIGNAL)
		return CUT_DEPTH;
	for (size_t i = 0; i < REG_COUNT; i++)
		if (!read_word(c, at + i * 8, &c->reg[signal_reg[i]]))
			return CUT_NOT_KEPT;
	if (!read_word(c, at + REG_COUNT * 8, &c->pc))
		return CUT_NOT_KEPT;
	c->valid = 0xffff;
	c->exact = true;
	/* The handler may have run on another stack: start the order anew. */
	c->cfa = c->reg[REG_STACK] - 1;
	return c->pc ? 0 : CUT_NULL_RETURN;
}

/* Are the registers at hand that an unusual rule counts from, besides the CFA's? */
static bool has_bases(const struct cursor *c, const struct unwind_rule *r)
{
	if (r->flags & (UNWIND_SLOTS_FROM_FRAME | UNWIND_RA_FROM_FRAME) &&
	    !have(c, REG_FRAME))
		return false;
	if (r->flags & UNWIND_RA_IN_REG && !have(c, r->ra))
		return false;
	return !(r->flags & UNWIND_JUMP) ||
	       (have(c, r->deref_off) && have(c, r->slot[SAVED_FRAME]));
}

static u32 step_out(struct cursor *c, const struct unwind_rule *r)
{
	u64 rbp = c->reg[REG_FRAME], pc;
	u64 base = r->flags & UNWIND_SLOTS_FROM_FRAME ? rbp : c->cfa;
	u64 ra_base = r->flags & UNWIND_RA_FROM_FRAME ? rbp : c->cfa;

	if (!has_bases(c, r))
		return CUT_LOST_REGISTER;
	if (r->flags & UNWIND_JUMP)
		base = c->reg[r->deref_off & 15];
	if (r->flags & UNWIND_RA_IN_REG)
		pc = c->reg[r->ra & 15];
	else if (!read_word(c, ra_base + (s64)r->ra * 8, &pc))
		return CUT_NOT_KEPT;
	if (!pc)
		return CUT_NULL_RETURN;
	for (size_t i = 0; i < SAVED_REGS; i++) {
		if (r->slot[i] == UNWIND_SLOT_SAME)
			continue;
		if (r->flags & UNWIND_JUMP && i == SAVED_FRAME)
			c->reg[REG_FRAME] = c->reg[r->slot[i] & 15];
		else if (r->slot[i] == UNWIND_SLOT_LOST ||
			 !read_word(c, base + (s64)r->slot[i] * 8,
				    &c->reg[saved_reg[i]]))
			c->valid &= ~(1u << saved_reg[i]);
		else
			c->valid |= 1u << saved_reg[i];
	}
	c->valid = (c->valid & REGS_KEPT) | 1u << REG_STACK;
	c->reg[REG_STACK] = c->cfa;
	c->pc = pc;
	c->exact = r->flags & UNWIND_INTERRUPTED;
	return 0;
}

/* Find the frame's CFA. 0, or a status. */
static u32 locate(struct cursor *c, const struct unwind_rule *r)
{
	u64 cfa = 0;
	u32 status = rule_cfa(c, r, &cfa);

	if (!status && cfa <= c->cfa && r->kind != UNWIND_SIGNAL &&
	    r->kind != UNWIND_ROOT)
		status = CUT_NOT_RISING;
	if (!status)
		c->cfa = cfa;
	return status;
}

static bool is_root(const struct cursor *c, const struct unwind_rule *r)
{
	return r->kind == UNWIND_ROOT ||
	       (r->kind == UNWIND_CLONE && !c->reg[REG_RESULT] && c->exact);
}

/* One frame. 0: go on. */
static u32 step(struct cursor *c, bool *ended)
{
	const struct unwind_env *env = c->env;
	struct unwind_rule rule = { 0 };
	u64 word = 0;
	u32 status = env->rule(env->ctx, c->pc - !c->exact, &rule, &word);

	if (!status)
		status = locate(c, &rule);
	env->frame(env->ctx, word, status ? NULL : &rule, c->cfa);
	if (!status && ++c->frames > MAX_FRAMES)
		status = CUT_DEPTH;
	*ended = status || is_root(c, &rule);
	if (*ended)
		return status;
	status = rule.kind == UNWIND_SIGNAL ? step_signal(c, &rule)
					    : step_out(c, &rule);
	*ended = status != 0;
	return status;
}

u32 unwind_deferred(const struct deferred *k, const struct unwind_env *env)
{
	struct cursor c = {
		.k = k,
		.env = env,
		.pc = k->pc,
		.cfa = k->cfa,
		.valid = k->valid,
		.exact = k->exact,
	};
	bool ended = false;
	u32 status = WALK_ROOT;

	memcpy(c.reg, k->reg, sizeof(c.reg));
	while (!ended)
		status = step(&c, &ended);
	return status;
}
