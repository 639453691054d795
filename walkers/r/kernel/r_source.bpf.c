/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The top level of a file as a frame of its own (--lines).
 *
 * R reads the script that it was started with as if it were typed (r_script.c).  What
 * it has read of an expression stays in the variable R_ConsoleIob until the expression
 * was evaluated, whether R keeps its source or not (src/main/main.c,
 * Rf_ReplIteration(), R-4-2-2): user space finds these bytes in the script
 * (r_place.c).  All that runs for the expression runs inside of run_Rmainloop(), which is
 * marked.  Where R keeps the source, it may know the line inside of the expression.
 *
 * source() and sys.source() hand the expressions of a file to eval(), which keeps its
 * arguments in its context and sets R_Srcref for each expression, if their places
 * were kept (src/main/eval.c, do_eval(), R-4-2-2).
 */
#include "walkers/r/kernel/r.bpf.h"

#define BUFFER	    4096u /* IOBSIZE; the address of the next one is behind it */
#define MAX_BUFFERS 64u

/* IoBuffer, src/include/IOStuff.h, R-3-4-0 to R-4-6-1. */
struct io_buffer {
	u64 first, last, end;
	u64 in_last; /* bytes; the upper half is something else */
};

/* Bytes in all buffers; 0: unreadable, or too many. */
static __always_inline u32 bytes_in(struct walk *w, const struct io_buffer *b)
{
	u32 bytes = b->in_last;
	u64 at = b->first;

	for (u32 i = 0; i < MAX_BUFFERS && at != b->last; i++) {
		if (walk_word(w, &at, at + BUFFER))
			return 0;
		bytes += BUFFER;
	}
	return at == b->last ? bytes : 0;
}

int r_source_main(struct walk *w)
{
	struct io_buffer b;
	struct r_walk *r = r_current(w);
	u32 bytes, len;

	if (!r || !r->p.script)
		return 0;
	if (walk_words(w, (u64 *)&b, sizeof(b) / 8, r->p.console)) {
		walk_count(w, R_NO_LINE);
		return 0;
	}
	bytes = bytes_in(w, &b);
	len = bytes < TEXT_MAX ? bytes : TEXT_MAX - 1;
	barrier_var(len);
	len &= TEXT_MAX - 1;
	if (!len || walk_read(w, w->text.text, len, b.first))
		return 0;
	/* As text_at() would. */
	if (bytes >= TEXT_MAX)
		__builtin_memset(&w->text.text[TEXT_MAX - 4], '.', 3);
	w->text_bytes = len;
	r->placed += r_line_source(w, text_intern(w), bytes);
	return 0;
}

int r_source_eval(struct walk *w)
{
	struct r_walk *r = r_current(w);
	u64 value;

	if (!r || walk_word(w, &value, r_field(w, r, R_PROMARGS) + 32) ||
	    r_load(w, value) || r_type(&r->scratch) != R_EXPRSXP)
		return 0;
	if (r_line_source(w, 0, 0))
		/* Then it is not eval()'s. */
		r->lines.srcref = 0;
	else if (!r->lines.file &&
		 r_field(w, r, r->p.layout.cloenv) == r->p.global_env)
		r_unkept(w, r);
	return 0;
}
