/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The source line at which a Tcl frame is running (--lines), as `info frame` would
 * give it.
 *
 * Bytecode knows its source by command: four streams of deltas say which code
 * belongs to which part of the source (generic/tclCompile.c, GetCmdLocEncodingSize,
 * core-8-6-13), and a table of the interpreter says for each ByteCode on which
 * lines of which file its commands stand (lineBCPtr, generic/tclInt.h).  All of it
 * dies with the bytecode, so it is read at the moment of the sample: a few
 * hundred bytes for a proc of ordinary size.
 *
 * Of the commands that cover the pc the innermost counts: the one that begins
 * nearest before it, the later one of two (generic/tclExecute.c, GetSrcInfoForPc).
 */
#include "walkers/tcl/kernel/tcl_view.bpf.h"

#define MAX_COMMANDS 32768u /* of one ByteCode */
#define MAX_CHAIN    32u    /* entries of one hash bucket */
#define CODE_READ    128u   /* of a ByteCode, from the number of commands on */
#define ENTRY_READ   40u    /* of a hash entry whose key is a pointer */
#define ECL_READ     48u    /* of an ExtCmdLoc */

/* generic/tclInt.h, core-8-6-13: what lines are counted from. */
#define LOCATION_PROC 5

/* A Tcl_Size, which is an int before 9.0. */
static __always_inline u64 as_size(const struct tcl_walk *t, u64 word)
{
	return t->l.wide_size ? word : (u32)word;
}

static __always_inline int size_at(struct walk *w, const struct tcl_walk *t,
				   u64 *out, u64 address)
{
	int err = walk_word(w, out, address);

	*out = as_size(t, *out);
	return err;
}

static __always_inline void begin_stream(struct tcl_stream *s, u64 address)
{
	s->end = address;
	s->left = 0;
}

/* The next number of a stream: a signed byte, or 255 and four bytes, the highest
 * first. */
static __always_inline int number(struct walk *w, struct tcl_stream *s,
				  s64 *out)
{
	u64 bytes;

	if (!s->left) {
		if (walk_words(w, &s->bytes, 1, s->end))
			return -1;
		s->end += 8;
		s->left = 8;
	}
	if (seldom((u8)s->bytes == 0xff)) {
		s->end -= s->left;
		s->left = 0;
		if (walk_word(w, &bytes, s->end))
			return -1;
		s->end += 5;
		*out = (s32)__builtin_bswap32((u32)(bytes >> 8));
		return 0;
	}
	*out = (s8)s->bytes;
	s->bytes >>= 8;
	s->left--;
	return 0;
}

static long next_command(u32 i, struct walk **at)
{
	struct walk *w = *at;
	struct tcl_lines *l = &tcl_state(w)->lines;
	s64 code, length, source;

	if (number(w, &l->code_delta, &code) ||
	    number(w, &l->code_length, &length) ||
	    number(w, &l->source_delta, &source)) {
		l->nearest = -1;
		return 1;
	}
	l->code_at += code;
	l->source_at += source;
	if (l->code_at > l->at)
		return 1;
	if (l->at < l->code_at + length) {
		l->nearest = l->code_at;
		l->source = l->source_at;
		l->index = i;
	}
	return 0;
}

/* Begins the search for the command at the pc.  A pc outside of this bytecode is in no command.
 * Returns the number of commands; 0: they cannot be read. */
static __always_inline u64 begin_commands(struct walk *w, struct tcl_walk *t)
{
	struct tcl_lines *l = &t->lines;
	/* What is wanted of a ByteCode begins with the number of its commands. */
	u32 first = t->l.code_commands;
	u64 at = tcl_view(w, t, l->code + first, CODE_READ), commands;

	if (!at)
		return 0;
	commands = as_size(t, tcl_look_int(t, at, 0));
	l->at = l->pc - tcl_look(t, at, t->l.code_start - first);
	if (commands > MAX_COMMANDS)
		return 0;
	begin_stream(&l->code_delta,
		     tcl_look(t, at, t->l.code_code_delta - first));
	begin_stream(&l->code_length,
		     tcl_look(t, at, t->l.code_code_length - first));
	begin_stream(&l->source_delta,
		     tcl_look(t, at, t->l.code_src_delta - first));
	return commands;
}

/* Finds the command at the pc; sets l->source and l->index. */
static __always_inline int find_command(struct walk *w, struct tcl_walk *t)
{
	struct tcl_lines *l = &t->lines;
	u64 commands = begin_commands(w, t);

	l->code_at = 0;
	l->source_at = 0;
	l->nearest = -1;
	bpf_loop(commands, next_command, &w, 0);
	return l->nearest < 0 ? -1 : 0;
}

/* Value of the ByteCode's entry in the bucket with this number. */
static __always_inline u64 in_bucket(struct walk *w, struct tcl_walk *t,
				     u64 number)
{
	u64 entry, at;

	if (walk_words(w, &entry, 1, t->lines.buckets + number * 8))
		return 0;
	for (u32 i = 0; i < MAX_CHAIN && entry; i++) {
		at = tcl_view(w, t, entry, ENTRY_READ);
		if (!at)
			return 0;
		if (tcl_look(t, at, t->l.entry_key) == t->lines.code)
			return tcl_look(t, at, t->l.entry_value);
		entry = tcl_look(t, at, 0);
	}
	return 0;
}

/* The interpreter's table of ExtCmdLocs, which does not change within a sample. */
static __always_inline int find_table(struct walk *w, struct tcl_walk *t)
{
	struct tcl_lines *l = &t->lines;
	u64 table;

	if (l->table_of == t->interp && l->table_sample == t->sample)
		return 0;
	l->table_sample = 0;
	if (walk_word(w, &table, t->interp + t->l.interp_line_bc) ||
	    walk_word(w, &l->buckets, table + t->l.table_buckets) ||
	    walk_word(w, &l->shift, table + t->l.table_shift) ||
	    size_at(w, t, &l->mask, table + t->l.table_mask))
		return -1;
	l->table_of = t->interp;
	l->table_sample = t->sample;
	return 0;
}

/* The ExtCmdLoc of the ByteCode.  A key that is a pointer is hashed by its low
 * half, or as a whole (generic/tclHash.c, RANDOM_INDEX, core-8-6-13). */
u64 tcl_locations(struct walk *w)
{
	u64 value, code;
	struct tcl_walk *t = tcl_current(w);
	struct tcl_lines *l;

	if (!t)
		return 0;
	l = &t->lines;
	code = l->code;
	if (find_table(w, t))
		return 0;
	value = in_bucket(
		w, t, ((u32)code * 1103515245ull >> (l->shift & 63)) & l->mask);
	if (value)
		return value;
	return in_bucket(w, t,
			 (code * 1103515245ull >> (l->shift & 63)) & l->mask);
}

/* Whether l->location is the command's. */
static __always_inline bool is_location(struct walk *w, struct tcl_walk *t)
{
	u64 source;

	return !walk_words(w, &source, 1, t->lines.location) &&
	       as_size(t, source) == t->lines.source;
}

static long next_location(u32 i, struct walk **at)
{
	struct tcl_walk *t = tcl_state(*at);

	t->lines.found = is_location(*at, t);
	if (!t->lines.found)
		t->lines.location += (u32)t->l.loc_size;
	return t->lines.found;
}

/* Sets t->lines.location to the command's location, whose number mostly is the
 * command's. */
static __always_inline int find_location(struct walk *w, struct tcl_walk *t,
					 u64 first, u64 count)
{
	struct tcl_lines *l = &t->lines;

	if (count > MAX_COMMANDS)
		return -1;
	l->location = first + l->index * (u32)t->l.loc_size;
	if (mostly(l->index < count) && mostly(is_location(w, t)))
		return 0;
	l->location = first;
	l->found = 0;
	bpf_loop(count, next_location, &w, 0);
	return l->found ? 0 : -1;
}

/* Text of a file's name; the last one is remembered within a sample. */
static __always_inline u64 file_text(struct walk *w, struct tcl_walk *t,
				     u64 path)
{
	struct tcl_lines *l = &t->lines;
	u64 bytes;

	if (l->path == path && l->path_sample == t->sample)
		return l->path_text;
	if (walk_word(w, &bytes, path + t->l.obj_bytes) || !bytes)
		return 0;
	l->path = path;
	l->path_sample = t->sample;
	l->path_text = text_at(w, bytes);
	return l->path_text;
}

u64 tcl_line_file(struct walk *w, u64 path, u64 line)
{
	struct tcl_walk *t = tcl_current(w);
	u64 file;

	if (!t)
		return 0;
	file = file_text(w, t, path);
	if (file && (s32)line >= 1)
		walk_frame(w, WALKER_TCL, TCL_LINE,
			   (u64)TCL_LINE_FILE << 32 | (u32)line, file);
	return file;
}

static __always_inline int push_place(struct walk *w, struct tcl_walk *t)
{
	u64 ecl = tcl_locations(w), at, path, line;
	u32 type;

	at = ecl ? tcl_view(w, t, ecl, ECL_READ) : 0;
	if (!at)
		return -1;
	type = tcl_look_int(t, at, t->l.ecl_type);
	path = tcl_look(t, at, t->l.ecl_path);
	if (find_location(w, t, tcl_look(t, at, t->l.ecl_loc),
			  as_size(t, tcl_look_int(t, at, t->l.ecl_used))) ||
	    walk_words(w, &line, 1, t->lines.location + t->l.loc_line) ||
	    walk_words(w, &line, 1, line))
		return -1;
	line = as_size(t, line);
	/* 8.5 does not know where a command stands whose first word is made. */
	if ((s32)line < 1)
		return -1;
	if (type != TCL_LOCATION_SOURCE) {
		tcl_push_line(w,
			      type == LOCATION_PROC ? TCL_LINE_PROC
						    : TCL_LINE_EVAL,
			      (u32)line);
		return 0;
	}
	return tcl_line_file(w, path, line) ? 0 : -1;
}

int tcl_line_begin(struct walk *w)
{
	struct tcl_lines *l;
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	l = &t->lines;
	l->frame = 0;
	l->running = 0;
	l->running_pc = l->home;
	l->home = 0;
	l->list = 0;
	l->script = 0;
	l->frames = w->frames;
	return 0;
}

/*
 * The pc of bytecode that runs natively.  The CmdFrame has that of the last command
 * invoked, which is still the right one while it stands on top of the chain;
 * otherwise it is where the engine keeps it.
 */
static __always_inline u64 running_pc(struct walk *w, const struct tcl_walk *t)
{
	u64 top = 0;

	if (t->lines.running_pc == TCL_PC_OF_COMMAND ||
	    (!walk_word(w, &top, t->interp + t->l.interp_cmd_frame) &&
	     top == t->passed))
		return tcl_at(t, t->l.cmd_frame_pc);
	return t->lines.running_pc;
}

/* The first CmdFrame met of a CallFrame is the innermost one and counts.  A CmdFrame in
 * which C code evaluates a script (it has lines) is not of this segment. */
int tcl_line_note(struct walk *w, u32 type)
{
	struct tcl_lines *l;
	struct tcl_walk *t = tcl_current(w);
	u64 frame, proc;

	if (!t)
		return 0;
	l = &t->lines;
	l->script = 0;
	l->script_code = tcl_at(t, t->l.cmd_frame_code);
	if (type == TCL_LOCATION_BC && !t->recursive &&
	    !walk_words(w, &proc, 1, l->script_code + t->l.code_proc) && !proc)
		l->script = t->passed - t->l.tebc_cmd_frame;
	frame = tcl_at(t, t->l.cmd_frame_frame);
	if (!frame || frame == t->call_frame || frame == l->frame ||
	    frame == l->list)
		return 0;
	if (type == TCL_LOCATION_BC) {
		l->frame = frame;
		l->code = l->script_code;
		l->pc = t->passed == l->running ? running_pc(w, t)
						: tcl_at(t, t->l.cmd_frame_pc);
	} else if (tcl_is_list(t, type)) {
		l->list = frame;
	}
	return 0;
}

int tcl_line(struct walk *w)
{
	struct tcl_walk *t = tcl_current(w);

	if (!t)
		return 0;
	if (t->lines.list == t->call_frame) {
		tcl_push_line(w, TCL_LINE_EVAL, 1);
		return 0;
	}
	if (t->lines.frame != t->call_frame)
		return 0;
	if (find_command(w, t) || push_place(w, t))
		walk_count(w, TCL_NO_LINE);
	return 0;
}
