/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds all copies of the evaluator's loop in a file, and the places of each copy's
 * values.
 *
 * Compilers inline TclNRRunCallbacks into half a dozen of its callers.  So every function
 * of the file that mentions execEnvPtr's offset is decoded, and tcl_loop.c judges every
 * indirect call in it.
 *
 * Within a loop, interp and root are in the places that the loop itself reads.  A place
 * counts only if no instruction of the loop changes it.  The callback is known from its
 * pop to its procedure's return.
 *
 * If a function does nothing but the loop, the whole function is marked: its arguments
 * are interp and root until they have been moved to their places.  Of an inlined copy
 * only the loop is marked, in as many pieces as the compiler cut it into.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "arch/calls.h"
#include "arch/flow.h"
#include "walkers/tcl/derive/tcl_loop.h"

#define MAX_FUNCTION (256u << 10) /* bytes */

static bool is_constant(const struct tcl_loop *s, s32 p)
{
	for (int i = s->first; i <= s->last; i++)
		if (s->in_loop[i] && place_overwritten(s->code, i, p))
			return false;
	return true;
}

bool tcl_role_of(s32 place, struct tcl_role *role)
{
	s32 off = place - PLACE_SLOT;

	*role = (struct tcl_role){ .kind = TCL_ROLE_REG, .reg = (u8)place };
	if (!place_is_slot(place))
		return place >= 0 && place < REG_COUNT;
	*role = (struct tcl_role){ .kind = TCL_ROLE_CFA, .off = (s16)off };
	return role->off == off;
}

static bool choose_roles(struct tcl_loop *s, struct tcl_trampoline *t,
			 s32 *interp)
{
	int i = 0;

	while (i < s->interp.n && !is_constant(s, s->interp.place[i]))
		i++;
	if (i == s->interp.n || !s->callback.n || !is_constant(s, s->root))
		return false;
	*interp = s->interp.place[i];
	return tcl_role_of(*interp, &t->interp) &&
	       tcl_role_of(s->root, &t->root) &&
	       tcl_role_of(s->callback.place[0], &t->callback);
}

/* Index of the first instruction at which both arguments are in their places, if the
 * function begins by moving them there; else -1. */
static int arguments_moved(const struct tcl_loop *s, s32 interp)
{
	bool has_interp = false, has_root = false;
	u32 intact = 1u << REG_ARG0 | 1u << REG_ARG2;
	struct move m;

	for (int i = 0; i < s->first; i++) {
		const struct insn *in = &s->code->insn[i];

		if (in->what == INSN_CALL || in->what == INSN_JMP ||
		    in->what == INSN_END)
			return -1;
		if (place_move(s->code, i, &m) && !m.add &&
		    m.from < REG_COUNT && intact >> m.from & 1) {
			has_interp |= m.from == REG_ARG0 && m.to == interp;
			has_root |= m.from == REG_ARG2 && m.to == s->root;
		}
		if (has_interp && has_root)
			return i + 1;
		intact &= ~in->writes;
	}
	return -1;
}

static u64 after(const struct tcl_loop *s, int at)
{
	return s->code->insn[at].vaddr + s->code->insn[at].size;
}

bool tcl_found_mark(struct tcl_found *t, u64 start, u64 end, u8 index)
{
	if (t->n_ranges >= TCL_MAX_RANGES)
		return false;
	t->range[t->n_ranges++] = (struct walker_mark){ start, end, index };
	return true;
}

bool tcl_found_mark_pieces(struct tcl_found *t, const struct code *c,
			   const u8 *wanted, u8 index)
{
	const struct insn *in = c->insn;

	for (size_t i = 0, first; i < c->n; i++) {
		if (!wanted[i])
			continue;
		first = i;
		while (i + 1 < c->n &&
		       (wanted[i + 1] || in[i + 1].what == INSN_NOP))
			i++;
		if (!tcl_found_mark(t, in[first].vaddr,
				    in[i].vaddr + in[i].size, index))
			return false;
	}
	return true;
}

/* Bounds the whole function if it does nothing but the loop: from the moves of the
 * arguments to the loop's end, nothing changes the place of interp or of the root. */
static bool bound_function(const struct tcl_loop *s, struct tcl_trampoline *t,
			   s32 interp)
{
	int first = arguments_moved(s, interp);

	if (first < 0)
		return false;
	for (int i = first; i <= s->last; i++)
		if (place_overwritten(s->code, i, interp) ||
		    place_overwritten(s->code, i, s->root))
			return false;
	t->start = s->code->start;
	t->end = s->code->end;
	t->body = s->code->insn[first].vaddr;
	t->epilogue = after(s, s->last);
	return true;
}

static bool prove(struct tcl_found *all, struct tcl_loop *s, struct values *v)
{
	struct tcl_trampoline t = { 0 };
	u8 index = (u8)all->file.trampolines;
	int popped = s->popped;
	s32 interp;

	if (all->file.trampolines >= TCL_MAX_TRAMPOLINES ||
	    !tcl_loop_closes(s, v) || !choose_roles(s, &t, &interp))
		return false;
	for (int i = s->popped + 1; i < s->call; i++)
		if (place_overwritten(s->code, i, s->callback.place[0]))
			popped = i;
	t.popped = after(s, popped);
	t.ret = after(s, s->call);
	t.start = t.body = s->code->insn[s->first].vaddr;
	t.end = t.epilogue = after(s, s->last);
	if (!(bound_function(s, &t, interp)
		      ? tcl_found_mark(all, t.start, t.end, index)
		      : tcl_found_mark_pieces(all, s->code, s->in_loop, index)))
		return false;
	all->file.trampoline[all->file.trampolines++] = t;
	return true;
}

static void look_into(struct tcl_found *t, struct code *c,
		      const struct module *m)
{
	_cleanup_free_ u8 *in_loop = xcalloc(c->n + 1, 1);
	struct tcl_loop s = { c, &t->row->layout, in_loop, .call = 0 };
	struct values v;

	for (; (size_t)s.call < c->n && !t->unproven; s.call++) {
		if (!tcl_loop_pops(&s, &v))
			continue;
		if (c->insn[0].depth < 0) {
			flow_depths(c, m);
			tcl_loop_pops(&s, &v);
		}
		if (!prove(t, &s, &v))
			t->unproven = c->insn[s.call].vaddr;
	}
}

/* Whether the bytes contain execEnvPtr's offset and an indirect call.  This is cheaper
 * than decoding them. */
static bool may_pop(const u8 *bytes, size_t len, const struct tcl_layout *l)
{
	u32 offset = (u16)l->interp_exec_env;

	if (!memmem(bytes, len, &offset, sizeof(offset)))
		return false;
	for (size_t i = 0; i + 1 < len; i++)
		if (arch_is_indirect(
			    (u64)bytes[i] << 48 | (u64)bytes[i + 1] << 56, 2))
			return true;
	return false;
}

int tcl_trampolines_find(struct tcl_found *t, const struct module *m)
{
	_cleanup_free_ u8 *bytes = xmalloc(MAX_FUNCTION);
	const struct module_function *f;
	struct code code;
	u64 scanned = 0;
	size_t n;
	int err = module_functions(m, &f, &n);

	for (size_t i = 0; i < n && !err && !t->unproven; i++) {
		u64 len = f[i].end - f[i].start;

		/* Functions that overlap can be longer than the file. */
		scanned += len <= MAX_FUNCTION ? len : 0;
		if (scanned > 2 * m->key.size)
			t->unproven = f[i].start;
		if (t->unproven || len < 32 || len > MAX_FUNCTION ||
		    module_read(m, f[i].start, bytes, len) ||
		    !may_pop(bytes, len, &t->row->layout))
			continue;
		if (!code_decode(&code, m, &f[i]))
			look_into(t, &code, m);
		else
			t->unproven = f[i].start;
		code_release(&code);
	}
	return err;
}
