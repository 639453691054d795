/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Follows one address from place to place: through moves of 8 bytes and additions of
 * small constants. Any other write to a place ends its holding. A call ends it for the
 * registers that a callee need not save.
 */
#include "arch/holders.h"

#include <string.h>

#include "arch/flow.h"
#include "arch/place.h"
#include "arch/values.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define MAX_ADD 64 /* bytes between the address and what is held */

static void put(struct holders *s, s32 place, s64 add)
{
	if (place == PLACE_NONE || add > MAX_ADD || add < -MAX_ADD ||
	    holders_get(s, place) || s->n >= MAX_HOLDERS)
		return;
	s->h[s->n++] = (struct holder){ place, (s32)add };
}

const struct holder *holders_get(const struct holders *s, s32 place)
{
	for (int i = 0; i < s->n; i++)
		if (s->h[i].place == place)
			return &s->h[i];
	return NULL;
}

/* A move that keeps close to the address. */
static bool moves(const struct code *c, int at, struct move *m)
{
	return place_move(c, at, m) && m->add <= MAX_ADD &&
	       m->add >= -MAX_ADD &&
	       (m->to < REG_COUNT || place_is_slot(m->to));
}

void holders_start(struct holders *s, const struct code *c, int at)
{
	const struct operand *from = &c->insn[at].op[1];
	const struct holder *base = holders_get(s, from->reg);
	struct holders fresh = { .reached = true, .later = true };
	struct value pc;
	struct values v;

	values_at(&v, c, at);
	pc = v.reg[from->reg];
	pc.add += from->value;
	for (s32 r = 0; r < REG_COUNT; r++)
		if (r != REG_STACK && pc.node && v.reg[r].node == pc.node)
			put(&fresh, r, v.reg[r].add - pc.add);
	for (int i = 0; i < v.n_slots; i++)
		if (pc.node && v.slot[i].value.node == pc.node)
			put(&fresh, v.slot[i].place,
			    v.slot[i].value.add - pc.add);
	put(&fresh, from->reg, -from->value);
	for (int i = 0; base && i < s->n; i++)
		put(&fresh, s->h[i].place,
		    s->h[i].add - base->add - from->value);
	*s = fresh;
}

void holders_step(struct holders *s, const struct code *c, int at)
{
	const struct holder *from = NULL;
	struct move m;
	s32 sum = 0;
	int n = 0;

	if (moves(c, at, &m))
		from = holders_get(s, m.from);
	if (from)
		sum = from->add + (s32)m.add;
	for (int i = 0; i < s->n; i++)
		if (!place_overwritten(c, at, s->h[i].place))
			s->h[n++] = s->h[i];
	s->n = n;
	if (from)
		put(s, m.to, sum);
}

/* Keeps in *s the holders that *other has too. Returns whether *s has changed. */
static bool meet(struct holders *s, const struct holders *other)
{
	bool later = s->later || other->later;
	bool changed = !s->reached || later != s->later;
	int n = 0;

	if (!s->reached)
		*s = *other;
	for (int i = 0; i < s->n; i++) {
		const struct holder *h = holders_get(other, s->h[i].place);

		if (h && h->add == s->h[i].add)
			s->h[n++] = s->h[i];
	}
	changed |= n != s->n;
	s->n = n;
	s->later = later;
	return changed;
}

void holders_follow(struct holders *state, const struct code *c,
		    const struct flow *f,
		    void (*begin)(void *ctx, struct holders *s, int at),
		    void *ctx)
{
	_cleanup_free_ int *todo = xcalloc(c->n + 1, sizeof(*todo));
	_cleanup_free_ u8 *queued = xcalloc(c->n + 1, 1);
	size_t n_todo = c->n != 0;
	const int *edge;

	memset(state, 0, c->n * sizeof(*state));
	state[0].reached = true;
	while (n_todo) {
		int at = todo[--n_todo];
		struct holders s = state[at];
		size_t n = flow_edges(&f->next, at, &edge);

		queued[at] = 0;
		begin(ctx, &s, at);
		holders_step(&s, c, at);
		for (size_t i = 0; i < n; i++) {
			if (!meet(&state[edge[i]], &s) || queued[edge[i]])
				continue;
			queued[edge[i]] = 1;
			todo[n_todo++] = edge[i];
		}
	}
}

struct holder holders_before(struct holder h, const struct code *c, int at)
{
	struct move m;

	if (h.place == PLACE_NONE)
		return h;
	if (moves(c, at, &m) && m.to == h.place)
		return (struct holder){ m.from, h.add - (s32)m.add };
	if (place_overwritten(c, at, h.place))
		h.place = PLACE_NONE;
	return h;
}
