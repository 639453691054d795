/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a frame says: the name and scope of its method, and its line.  They are read in each
 * sample; within one sample nothing of them changes. */
#include "walkers/shadow/kernel/shadow.bpf.h"

#define SHORT_WORDS 4u

/* Id of a short text, which is read as words: that is cheaper than by the helper for texts.
 * 0: it is longer, or the bytes behind it are unreadable. */
static __always_inline u64 short_text(struct walk *w, u64 address)
{
	if (walk_words(w, (u64 *)w->text.text, SHORT_WORDS, address))
		return 0;
	return text_words(w, SHORT_WORDS);
}

#define MOST_HALVES 32u
#define AT_POINTS   4u /* enum jpi_flag */

__noinline u64 shadow_text(struct walk *w, u64 address)
{
	if (!w || !address)
		return 0;
	return short_text(w, address) ?: text_at(w, address);
}

struct search {
	struct walk *w;
	u64 table, low, high; /* the line is of one in [low, high) */
	u32 at, failed;
};

static long halve(u32 i, struct search *s)
{
	u64 middle = (s->low + s->high) / 2, entry;

	if (s->high - s->low < 2)
		return 1;
	if (walk_word(s->w, &entry, s->table + middle * 8)) {
		s->failed = 1;
		return 1;
	}
	if ((u32)entry <= s->at)
		s->low = middle;
	else
		s->high = middle;
	return 0;
}

/* The line of a position; 0: not known. */
static __always_inline u32 line_at(struct walk *w, u64 table, u64 lines, u64 at)
{
	struct search s = { .w = w, .table = table, .high = lines, .at = at };
	u64 entry;

	if (!lines)
		return 0;
	bpf_loop(MOST_HALVES, halve, &s, 0);
	if (s.failed || s.high - s.low > 1 ||
	    walk_word(w, &entry, table + s.low * 8))
		return 0;
	return entry >> 32;
}

/* Where the frame at hand is running. */
__noinline int shadow_put_line(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 m, at, flags, file, table, lines, code, text;
	u32 line;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	m = c->method;
	if (walk_word(w, &at, shadow_frame_of(c) + c->l.frame_at) ||
	    walk_word(w, &flags, m + c->l.method_flags) ||
	    walk_word(w, &file, m + c->l.method_file) ||
	    walk_word(w, &table, m + c->l.method_line) ||
	    walk_word(w, &lines, m + c->l.method_lines) ||
	    walk_word(w, &code, m + c->l.method_code) ||
	    ((u32)flags & AT_POINTS && at && walk_word(w, &at, at))) {
		walk_count(w, SHADOW_NO_LINE);
		return 0;
	}
	at -= code;
	line = table ? line_at(w, table, lines, at) : at;
	text = shadow_text(w, file);
	if (table && !line)
		walk_count(w, SHADOW_NO_LINE);
	if (text)
		walk_frame(w, WALKER_SHADOW, SHADOW_LINE, line, text);
	return 0;
}

__noinline int shadow_put_frame(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	struct shadow_name *n;
	u64 name, scope;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	if (config.lines)
		shadow_put_line(w);
	w->walker_frames++;
	n = &t->name[(c->method >> 4) & (SHADOW_NAMES - 1)];
	if (n->method != c->method || n->sample != t->number) {
		n->method = c->method;
		n->sample = t->number;
		n->name = n->scope = 0;
		if (!walk_word(w, &name, c->method + c->l.method_name) &&
		    !walk_word(w, &scope, c->method + c->l.method_scope)) {
			n->name = shadow_text(w, name);
			n->scope = shadow_text(w, scope);
		}
	}
	if (n->name) {
		walk_frame(w, WALKER_SHADOW, SHADOW_METHOD, 0, n->name,
			   n->scope);
	} else {
		walk_count(w, SHADOW_NAME);
		walk_frame(w, WALKER_SHADOW, SHADOW_UNNAMED, 0);
	}
	return 0;
}

/* The stack at hand is a coroutine's, of which no frame is left. */
__noinline int shadow_put_coroutine(struct walk *w)
{
	struct shadow_walk *t = shadow_current(w);
	struct shadow_chain *c;
	u64 name;

	if (!t)
		return 0;
	c = shadow_chain_of(t);
	if (walk_word(w, &name, c->stack + c->l.stack_name))
		name = 0;
	w->walker_frames++;
	walk_frame(w, WALKER_SHADOW, SHADOW_COROUTINE, 0, shadow_text(w, name));
	return 0;
}
