/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function from a package is named pkg::name, any other by the name that it was
 * called by.  If a text never arrived, the whole name is "[r name lost]", because half
 * a name would be that of another function.
 *
 * A file is named as R was told it: source("model.R") gives "model.R".  Typed code has
 * no file, and R counts its lines from the start of each expression at top level
 * (traceback() in src/library/base/R/traceback.R, R-4-2-2).  R treats a script that it
 * was started with in the same way, but its file and line can mostly be found
 * (r_place.c).
 */
#include "walkers/r/text/r_text.h"

#include <string.h>

#include <jpbpf/frame.h>

#include "walkers/r/r.h"

#define LOST	"[r name lost]"
#define UNNAMED "[r frame]"

/* What is read, and where it goes. */
struct reader {
	const u64 *word;
	const struct walker_texts *texts;
	struct walker_text *out;
	bool lost; /* a text never arrived */
};

/* The text whose id is in this payload word. */
static const char *text(struct reader *r, u32 i)
{
	u64 id = i <= frame_extra(r->word[0]) ? r->word[i] : 0;
	const char *found = id ? r->texts->find(r->texts->ctx, id) : NULL;

	r->lost |= !found;
	return found ? found : "";
}

/* The same, of a word that is 0 where the function has no package. */
static void read_package(struct reader *r, u32 i)
{
	if (i > frame_extra(r->word[0]) || r->word[i])
		r->out->space = text(r, i);
}

static u64 value_of(const struct reader *r)
{
	return r->word[0] & FRAME_VALUE48_MASK;
}

static void say(const char *ours, struct walker_text *out)
{
	out->flags = FRAME_OURS;
	buf_adds(&out->name, ours);
}

static void read_function(struct reader *r)
{
	buf_adds(&r->out->name, text(r, 1));
	read_package(r, 2);
}

/* Whether R itself has called its compiler (R_cmpfun1() and R_compileExpr() in
 * src/main/eval.c, R-3-4-0 to R-4-6-1).  Nothing else calls these two functions. */
static bool is_jit(u64 op, const char *package, const char *name)
{
	return op == R_OP_NS_HIDDEN && !strcmp(package, "compiler") &&
	       (!strcmp(name, "tryCmpfun") || !strcmp(name, "tryCompile"));
}

static void read_member(struct reader *r)
{
	const char *left = text(r, 1), *right = text(r, 2);
	u64 op = value_of(r);

	if (is_jit(op, left, right)) {
		say("<JIT>", r->out);
	} else if (op == R_OP_NS || op == R_OP_NS_HIDDEN) {
		r->out->space = left;
		r->out->flags = op == R_OP_NS ? 0 : FRAME_UNEXPORTED;
		buf_adds(&r->out->name, right);
	} else if (op == R_OP_SUBSET) {
		buf_addf(&r->out->name, "%s[[%s]]", left, right);
	} else if (op == R_OP_AT || op == R_OP_DOLLAR) {
		buf_addf(&r->out->name, "%s%c%s", left,
			 op == R_OP_AT ? '@' : '$', right);
	} else {
		say(UNNAMED, r->out);
	}
}

/* "CLASS,...-method", the name under which R documents a method. */
static void read_method(struct reader *r)
{
	for (u32 i = 1; i <= frame_extra(r->word[0]); i++)
		buf_addf(&r->out->name, "%s%s", i > 1 ? "," : "", text(r, i));
	buf_adds(&r->out->name, "-method");
}

static void read_promise(struct reader *r)
{
	r->out->flags = FRAME_PROMISE;
	if (frame_extra(r->word[0]))
		buf_adds(&r->out->name, text(r, 1));
}

static void read_anonymous(struct reader *r)
{
	u64 kind = value_of(r) >> 32;
	u32 line = (u32)r->word[0];

	if (frame_extra(r->word[0]))
		read_package(r, 2);
	r->out->flags = FRAME_ANONYMOUS;
	/* The file without its folders, as traceback() prints it. */
	if (kind == R_LINE_FILE)
		buf_addf(&r->out->name, "%s:%u", basename(text(r, 1)), line);
	else if (kind == R_LINE_TYPED)
		buf_addf(&r->out->name, "#%u", line);
}

static void read_source(struct reader *r)
{
	const char *name = text(r, 1);
	size_t len = strcspn(name, "\n");
	const char *slash = memrchr(name, '/', len);
	const char *part = slash ? slash + 1 : name;

	buf_addf(&r->out->name, "source %.*s", (int)(name + len - part), part);
}

static void read_path(struct reader *r)
{
	r->lost |= !r_expr(r->word, r->texts, &r->out->name);
}

static void read_line(struct reader *r)
{
	u64 kind = value_of(r) >> 32;
	u32 extra = frame_extra(r->word[0]), line;
	struct r_expression e = { .line = (u32)r->word[0] };
	const char *file;
	size_t len;

	if (kind == R_LINE_FILE)
		buf_adds(&r->out->file, text(r, 1));
	if ((kind == R_LINE_FILE && !r->lost) || kind == R_LINE_TYPED ||
	    (kind == R_LINE_SCRIPT && extra >= 3))
		r->out->line = e.line;
	if (kind != R_LINE_SCRIPT || extra < 3)
		return;
	e.text = r->word[1];
	e.bytes = r->word[2];
	e.script = r->word[3];
	line = r_place_line(r->texts, &e, &file, &len);
	if (line) {
		buf_add(&r->out->file, file, len);
		r->out->line = line;
	}
}

static void read_frame(struct reader *r)
{
	static const struct {
		u32 extra; /* payload words that must be there */
		void (*read)(struct reader *r);
	} subs[] = {
		[R_FUNCTION] = { 2, read_function },
		[R_MEMBER] = { 2, read_member },
		[R_ANONYMOUS] = { 0, read_anonymous },
		[R_PROMISE] = { 0, read_promise },
		[R_METHOD] = { 2, read_method },
		[R_PATH] = { 0, read_path },
		[R_SOURCE] = { 0, read_source },
	};
	u32 sub = frame_sub(r->word[0]);

	if (sub >= sizeof(subs) / sizeof(*subs) || !subs[sub].read ||
	    frame_extra(r->word[0]) < subs[sub].extra)
		return say(UNNAMED, r->out);
	subs[sub].read(r);
	if (r->lost) {
		r->out->space = NULL;
		buf_reset(&r->out->name);
		say(LOST, r->out);
	}
}

enum walker_says r_name(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out)
{
	struct reader r = { word, texts, out, false };

	switch (frame_sub(word[0])) {
	case R_ASIDE:
		return WALKER_ASIDE;
	case R_LINE:
		read_line(&r);
		return WALKER_PLACE;
	case R_EXPR:
	case R_ARGUMENTS:
		r_expr(word, texts, &out->name);
		return WALKER_PLACE;
	case R_CALLED:
		buf_adds(&out->name, text(&r, 1));
		return WALKER_CALLED;
	default:
		read_frame(&r);
		return WALKER_FRAME;
	}
}
