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

static const char *find(const struct walker_texts *texts, u64 id)
{
	return id ? texts->find(texts->ctx, id) : NULL;
}

static bool say(const char *ours, struct walker_text *out)
{
	out->flags = FRAME_OURS;
	buf_adds(&out->name, ours);
	return true;
}

/* Each of the read functions returns false if a text is lost. */
static bool read_function(const u64 *word, const struct walker_texts *texts,
			  struct walker_text *out)
{
	const char *name = find(texts, word[1]);

	out->space = find(texts, word[2]);
	buf_adds(&out->name, name ? name : "");
	return name && (!word[2] || out->space);
}

/* Whether R itself has called its compiler (R_cmpfun1() and R_compileExpr() in
 * src/main/eval.c, R-3-4-0 to R-4-6-1).  Nothing else calls these two functions. */
static bool is_jit(u64 op, const char *package, const char *name)
{
	return op == R_OP_NS_HIDDEN && !strcmp(package, "compiler") &&
	       (!strcmp(name, "tryCmpfun") || !strcmp(name, "tryCompile"));
}

static bool read_member(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out)
{
	const char *left = find(texts, word[1]);
	const char *right = find(texts, word[2]);
	u64 op = word[0] & FRAME_VALUE48_MASK;

	if (left && right && is_jit(op, left, right))
		return say("<JIT>", out);
	if (!op || op > R_OP_SUBSET)
		return say(UNNAMED, out);
	if (!left || !right)
		return false;
	if (op == R_OP_NS || op == R_OP_NS_HIDDEN) {
		out->space = left;
		out->flags = op == R_OP_NS ? 0 : FRAME_UNEXPORTED;
		buf_adds(&out->name, right);
	} else if (op == R_OP_SUBSET) {
		buf_addf(&out->name, "%s[[%s]]", left, right);
	} else {
		buf_addf(&out->name, "%s%c%s", left, op == R_OP_AT ? '@' : '$',
			 right);
	}
	return true;
}

/* "CLASS,...-method", the name under which R documents a method. */
static bool read_method(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out)
{
	for (u32 i = 1; i <= frame_extra(word[0]); i++) {
		const char *text = find(texts, word[i]);

		if (!text)
			return false;
		buf_addf(&out->name, "%s%s", i > 1 ? "," : "", text);
	}
	buf_adds(&out->name, "-method");
	return true;
}

static bool read_promise(const u64 *word, const struct walker_texts *texts,
			 struct walker_text *out)
{
	const char *name = frame_extra(word[0]) ? find(texts, word[1]) : "";

	if (!name)
		return false;
	out->flags = FRAME_PROMISE;
	buf_adds(&out->name, name);
	return true;
}

static bool read_anonymous(const u64 *word, const struct walker_texts *texts,
			   struct walker_text *out)
{
	bool complete = frame_extra(word[0]) >= 2;
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	const char *file = complete ? find(texts, word[1]) : NULL;

	out->space = complete ? find(texts, word[2]) : NULL;
	if ((kind == R_LINE_FILE && !file) ||
	    (complete && word[2] && !out->space))
		return false;
	out->flags = FRAME_ANONYMOUS;
	/* The file without its folders, as traceback() prints it. */
	if (file)
		buf_addf(&out->name, "%s:%u", basename(file), (u32)word[0]);
	else if (kind == R_LINE_TYPED)
		buf_addf(&out->name, "#%u", (u32)word[0]);
	return true;
}

static bool read_source(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out)
{
	const char *name = frame_extra(word[0]) ? find(texts, word[1]) : NULL;
	size_t len = name ? strcspn(name, "\n") : 0;
	const char *slash = memrchr(name ? name : "", '/', len);
	const char *part = slash ? slash + 1 : name;

	if (!name)
		return false;
	buf_addf(&out->name, "source %.*s", (int)(name + len - part), part);
	return true;
}

static bool read_path(const u64 *word, const struct walker_texts *texts,
		      struct walker_text *out)
{
	return r_expr(word, texts, &out->name);
}

static void read_line(const u64 *word, const struct walker_texts *texts,
		      struct walker_text *out)
{
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	u32 extra = frame_extra(word[0]), line;
	struct r_expression e = { .line = (u32)word[0] };
	const char *file = NULL;
	size_t len;

	if (kind == R_LINE_FILE)
		file = extra >= 1 ? find(texts, word[1]) : NULL;
	if (file)
		buf_adds(&out->file, file);
	if (file || kind == R_LINE_TYPED ||
	    (kind == R_LINE_SCRIPT && extra >= 3))
		out->line = e.line;
	if (kind != R_LINE_SCRIPT || extra < 3)
		return;
	e.text = word[1];
	e.bytes = word[2];
	e.script = word[3];
	line = r_place_line(texts, out->memory, &e, &file, &len);
	if (line) {
		buf_add(&out->file, file, len);
		out->line = line;
	}
}

static void read_frame(const u64 *word, const struct walker_texts *texts,
		       struct walker_text *out)
{
	static const struct {
		u32 extra; /* payload words that must be there */
		bool (*read)(const u64 *word, const struct walker_texts *texts,
			     struct walker_text *out);
	} subs[] = {
		[R_FUNCTION] = { 2, read_function },
		[R_MEMBER] = { 2, read_member },
		[R_ANONYMOUS] = { 0, read_anonymous },
		[R_PROMISE] = { 0, read_promise },
		[R_METHOD] = { 2, read_method },
		[R_PATH] = { 0, read_path },
		[R_SOURCE] = { 0, read_source },
	};
	u32 sub = frame_sub(word[0]);

	if (sub >= sizeof(subs) / sizeof(*subs) || !subs[sub].read ||
	    frame_extra(word[0]) < subs[sub].extra) {
		say(UNNAMED, out);
	} else if (!subs[sub].read(word, texts, out)) {
		out->space = NULL;
		buf_reset(&out->name);
		say(LOST, out);
	}
}

enum walker_says r_name(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out)
{
	const char *name;

	switch (frame_sub(word[0])) {
	case R_ASIDE:
		return WALKER_ASIDE;
	case R_LINE:
		read_line(word, texts, out);
		return WALKER_PLACE;
	case R_EXPR:
		r_expr(word, texts, &out->name);
		return WALKER_PLACE;
	case R_CALLED:
		name = frame_extra(word[0]) ? find(texts, word[1]) : NULL;
		buf_adds(&out->name, name ? name : "");
		return WALKER_CALLED;
	default:
		read_frame(word, texts, out);
		return WALKER_FRAME;
	}
}
