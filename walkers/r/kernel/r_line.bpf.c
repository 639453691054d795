/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source line at which an R frame is running (--lines), as the "srcref" of the
 * calls that sys.calls() gives would say it.
 *
 * The variable R_Srcref says where R is now; begincontext() keeps in each new
 * context where it was called from (src/main/context.c, R-4-2-2).  So the place of
 * the innermost frame is in the variable, and that of every other one in the context
 * of what it called.  Code that runs inside of a frame without one of its own, by
 * eval() or in a promise, counts as the frame's.
 *
 * A place is one of three things.  NULL (R_NilValue) is no place.  A srcref is a vector of
 * integers that begins with the line; its attribute "srcfile" is an environment with a
 * "filename".  With the marker R_InBCInterpreter the srcref is among the bytecode's
 * constants (r_code.bpf.c).  The engine stores its pc before each instruction, and the pc
 * says which cell it is at.  From 4.4 on calls share one engine and so one pc, and a
 * context has the number of its caller's cell instead.
 *
 * An expression that R reads from a script has no filename, and its lines count from
 * where it begins.  But its srcfile has the expression's text ("lines"), by which
 * user space finds it in the script (r_place.c).
 *
 * Foreign calls clear R_Srcref, to a null pointer: what it was is in a context of
 * theirs that is no frame (src/main/eval.c, eval(), R-4-2-2).
 *
 * Code and srcrefs can be freed, so all of it is read at the moment of the sample.
 */
#include "walkers/r/kernel/r.bpf.h"

#include <jpbpf/text.h>

#define SRCREFS	 0x4973666572637273 /* "srcrefsI", little-endian */
#define SRCFILE	 0x656c6966637273ull, ~0ull
#define FILENAME R_HASH_FILENAME, 0x656d616e656c6966ull, ~0ull
#define LINES	 R_HASH_LINES, 0x73656e696cull, 0xffffffffffffull

/* The CHARSXP that is the value of a name in a srcfile; 0: there is none. */
static __always_inline u64 string_of(struct walk *w, struct r_walk *r,
				     u64 srcfile, u32 hash, u64 name, u64 mask)
{
	u64 vector = r_lookup(w, srcfile, hash, name, mask);

	if (!vector || r_type(&r->scratch) != R_STRSXP ||
	    r_length(&r->scratch) != 1)
		return 0;
	return r_element(w, r, vector, 0);
}

/* Sets r->lines.file, .line and .last from the srcref, a vector of integers that begins
 * with the line and has an attribute "srcfile" (src/main/gram.y, makeSrcref(), R-4-2-2).
 * Returns 1: done; 0: not a srcref; -1: unreadable. */
static __always_inline int read_srcref(struct walk *w, struct r_walk *r,
				       u64 srcref)
{
	struct r_lines *l = &r->lines;

	if (r_load(w, srcref))
		return -1;
	if (r_type(&r->scratch) != R_INTSXP)
		return 0;
	if (r_length(&r->scratch) < 4)
		return -1;
	l->line = r_element(w, r, srcref, 0);
	l->last = r_element(w, r, srcref, 1);
	l->file = r_find(w, r->scratch.attrib, SRCFILE);
	return l->file && !r->failed ? 1 : -1;
}

/* The expression of a script that R has read: all of it is one text then
 * (src/main/gram.y, R_Parse1Buffer, R-4-2-2). */
static __always_inline void find_expression(struct walk *w, struct r_walk *r,
					    struct r_source *s, u64 srcfile)
{
	u64 chars;

	s->script = 0;
	if (!r->p.script)
		return;
	chars = string_of(w, r, srcfile, LINES);
	if (chars &&
	    !walk_word(w, &s->bytes, chars + r->p.layout.vector_length))
		s->script = text_at(w, chars + r->p.layout.vector_data);
}

static __always_inline struct r_source *slot_of(struct r_lines *l, u64 srcfile)
{
	return &l->source[srcfile / 56 & (R_SOURCES - 1)];
}

/* What is known of the srcfile, looked up when it is the first time in this
 * sample.  NULL: unreadable. */
static __always_inline struct r_source *source_of(struct walk *w,
						  struct r_walk *r, u64 srcfile)
{
	struct r_lines *l = &r->lines;
	struct r_source *s = slot_of(l, srcfile);
	u64 chars;
	bool is_file;

	if (s->srcfile == srcfile && s->time == w->sample.time)
		return s;
	s->srcfile = 0;
	chars = string_of(w, r, srcfile, FILENAME);
	is_file = chars && (u8)r_element(w, r, chars, 0);
	if (!chars || r->failed)
		return NULL;
	s->text = is_file ? r_text(w, r, chars) : 0;
	if (r->failed)
		return NULL;
	if (!s->text)
		find_expression(w, r, s, srcfile);
	s->srcfile = srcfile;
	s->time = w->sample.time;
	return s;
}

/* Whether R is at the place from which the current context's function was called: 1 or
 * 0; -1: unreadable. */
static __always_inline int is_at_call(struct walk *w, struct r_walk *r,
				      u64 srcref)
{
	const struct r_layout *layout = &r->p.layout;
	u64 call, body;

	if (walk_word(w, &call, r->context + layout->srcref) ||
	    walk_word(w, &body, r->context + layout->bcbody))
		return -1;
	return call == srcref &&
	       (srcref != r->p.in_bc || body == r->lines.engine.body);
}

/* Whether the code that runs in the bytecode function r->closure, and is not its own,
 * is that of a function just called: 1 or 0; -1: unreadable.  Otherwise it is a
 * promise's. */
static __always_inline int is_callee(struct walk *w, struct r_walk *r)
{
	u64 now, then;

	if (!r->p.pending)
		return 0;
	if (r_load(w, r->closure.u[1]))
		return -1;
	/* A loop of a function that is not bytecode may be (R_compileAndExecute). */
	if (r_type(&r->scratch) != R_BCODESXP)
		return 0;
	if (walk_word(w, &now, r->p.pending) ||
	    walk_word(w, &then, r->context + r->p.layout.prstack))
		return -1;
	return now == then;
}

/* Sets l->file and l->line from l->srcref.  1: found; 0: no place; -1: unreadable. */
static __always_inline int locate(struct walk *w, struct r_walk *r)
{
	struct r_lines *l = &r->lines;

	l->file = 0;
	if (l->srcref && l->srcref == r->p.in_bc) {
		r->engine = l->engine;
		l->srcref = l->engine.body
				    ? r_constant(w, SRCREFS, l->innermost)
				    : 0;
		if (r->failed)
			return -1;
	}
	return l->srcref && l->srcref != r->p.nil ? read_srcref(w, r, l->srcref)
						  : 0;
}

/*
 * The same for the current frame.
 *
 * The innermost function, r->closure, is being entered or left when R is still, or
 * already again, at the place of its call, or nowhere in its bytecode; and from 4.4
 * on a function that it called is being left when R is in bytecode that is not its
 * own.  Then it is where R begins a function: at its srcref, if it has one.  But a
 * function that calls itself may be at the place of its call.
 */
static __always_inline int find_place(struct walk *w, struct r_walk *r)
{
	struct r_lines *l = &r->lines;
	u64 srcref = l->srcref, file, own;
	bool in_code = srcref == r->p.in_bc;
	bool in_body = in_code && l->engine.body == r->closure.u[1];
	int found = locate(w, r), at_call;
	u32 line = l->line;

	if (!srcref || srcref == r->p.nil || found < 0 || !l->innermost)
		return found;
	file = l->file;
	at_call = is_at_call(w, r, srcref);
	if (!at_call && in_code && !in_body)
		at_call = is_callee(w, r);
	if (at_call < 0)
		return at_call;
	if (in_body ? found : !at_call)
		return found;
	own = r_find(w, r->closure.attrib, R_SRCREF);
	at_call = own ? read_srcref(w, r, own) : 0;
	if (at_call > 0 && !in_code && file == l->file && line >= l->line &&
	    line <= l->last)
		l->line = line;
	return at_call;
}

static __always_inline int push_place(struct walk *w, struct r_walk *r)
{
	struct r_lines *l = &r->lines;
	struct r_source *s = source_of(w, r, l->file);

	if (!s)
		return -1;
	if (s->text)
		walk_frame(w, WALKER_R, R_LINE,
			   (u64)R_LINE_FILE << 32 | l->line, s->text);
	else if (s->script)
		walk_frame(w, WALKER_R, R_LINE,
			   (u64)R_LINE_SCRIPT << 32 | l->line, s->script,
			   s->bytes & 0x7fffffff, r->p.script);
	else
		walk_frame(w, WALKER_R, R_LINE,
			   (u64)R_LINE_TYPED << 32 | l->line);
	return 0;
}

int r_line(struct walk *w)
{
	struct r_walk *r = r_current(w);
	int found;

	if (!r)
		return 0;
	/* The frame's name does not depend on it. */
	r->lines.failed = r->failed;
	r->failed = 0;
	found = find_place(w, r);
	if (found < 0 || (found && push_place(w, r)))
		walk_count(w, R_NO_LINE);
	else if (!found && r->closure.u[2] == r->p.global_env &&
		 !r_find(w, r->closure.attrib, R_SRCREF))
		r_unkept(w, r);
	r->failed = r->lines.failed;
	return 0;
}

int r_line_source(struct walk *w, u64 text, u64 bytes)
{
	const u64 no_file = 0x3e747865743c; /* "<text>": of parse(text = ) */
	struct r_source *s;
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->failed = 0;
	s = locate(w, r) > 0 ? source_of(w, r, r->lines.file) : NULL;
	if (text && (!s || s->text || s->script != text || s->bytes != bytes)) {
		/* Of the expression, R knows no place. */
		r->lines.file = r->p.console;
		r->lines.line = 1;
		s = slot_of(&r->lines, r->p.console);
		*s = (struct r_source){ r->p.console, w->sample.time, 0, text,
					bytes };
	}
	if (!s || (!text && (!s->text || s->text == text_id(&no_file, 6))) ||
	    push_place(w, r))
		return 0;
	walk_frame(w, WALKER_R, R_SOURCE, 0, text ? r->p.script : s->text);
	w->walker_frames++;
	return 1;
}

int r_line_leave(struct walk *w, u64 context, u32 is_frame)
{
	struct r_lines *l;
	struct r_walk *r = r_current(w);
	u64 srcref;

	if (!r)
		return 0;
	l = &r->lines;
	srcref = context ? context + r->p.layout.srcref : r->p.srcref;
	l->innermost = !context;
	if (!context)
		l->unkept = 0;
	else if (!is_frame && l->srcref)
		return 0;
	if (walk_word(w, &l->srcref, srcref) ||
	    r_engine(w, r, context, &l->engine)) {
		l->srcref = r->p.nil;
		walk_count(w, R_NO_LINE);
	}
	return 0;
}

int r_anonymous(struct walk *w, u64 package)
{
	struct r_walk *r = r_current(w);
	struct r_source *s = NULL;
	u64 srcref, place = 0;

	if (!r)
		return 0;
	srcref = r_find(w, r->closure.attrib, R_SRCREF);
	if (srcref && read_srcref(w, r, srcref) > 0)
		s = source_of(w, r, r->lines.file);
	if (s)
		place = (u64)(s->text ? R_LINE_FILE : R_LINE_TYPED) << 32 |
			r->lines.line;
	if (r->failed || (!place && !package))
		return 0;
	walk_frame(w, WALKER_R, R_ANONYMOUS, place, s ? s->text : 0, package);
	return 1;
}
