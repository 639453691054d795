/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A function from a package is pkg::name, any other is what it was called as.
 * A text that never arrived makes the whole name "[r name lost]": half a name
 * would be another function's.
 */
#include "walkers/r/text/r_name.h"

#include <stddef.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "walkers/r/r.h"
#include "walkers/r/text/r_expr.h"
#include "walkers/walker.h"

#define LOST	"[r name lost]"
#define UNNAMED "[r frame]"

#define PACKAGE_BYTES                \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789."

static const char *find(const struct walker_texts *texts, u64 id)
{
	return id ? texts->find(texts->ctx, id) : NULL;
}

static void name_function(const u64 *word, const struct walker_texts *texts,
			  struct buf *out)
{
	const char *name = find(texts, word[1]);
	const char *package = find(texts, word[2]);

	if (!name || (word[2] && !package))
		buf_adds(out, LOST);
	else if (word[2])
		buf_addf(out, "%s::%s", package, name);
	else
		buf_adds(out, name);
}

/* So R calls its compiler by itself (R_cmpfun1() and R_compileExpr() in
 * src/main/eval.c, R-3-4-0 to R-4-6-1); both names are for that alone. */
static bool is_jit(u64 op, const char *package, const char *name)
{
	return op == R_OP_NS_HIDDEN && !strcmp(package, "compiler") &&
	       (!strcmp(name, "tryCmpfun") || !strcmp(name, "tryCompile"));
}

static void name_member(const u64 *word, const struct walker_texts *texts,
			struct buf *out)
{
	static const struct {
		const char *open, *close;
	} operators[] = {
		[R_OP_NS] = { "::", "" },
		[R_OP_NS_HIDDEN] = { ":::", "" },
		[R_OP_DOLLAR] = { "$", "" },
		[R_OP_AT] = { "@", "" },
		[R_OP_SUBSET] = { "[[", "]]" },
	};
	const char *left = find(texts, word[1]);
	const char *right = find(texts, word[2]);
	u64 op = word[0] & FRAME_VALUE48_MASK;

	if (left && right && is_jit(op, left, right))
		buf_adds(out, "<JIT>");
	else if (op >= sizeof(operators) / sizeof(operators[0]) ||
		 !operators[op].open)
		buf_adds(out, UNNAMED);
	else if (!left || !right)
		buf_adds(out, LOST);
	else
		buf_addf(out, "%s%s%s%s", left, operators[op].open, right,
			 operators[op].close);
}

/* R's documentation of a method is found under this name. */
static void name_method(const u64 *word, const struct walker_texts *texts,
			struct buf *out)
{
	u32 n = frame_extra(word[0]);

	for (u32 i = 1; i <= n; i++) {
		if (!find(texts, word[i])) {
			buf_adds(out, LOST);
			return;
		}
	}
	for (u32 i = 1; i <= n; i++)
		buf_addf(out, "%s%s", i > 1 ? "," : "", find(texts, word[i]));
	buf_adds(out, "-method");
}

static void name_promise(const u64 *word, const struct walker_texts *texts,
			 struct buf *out)
{
	const char *name = frame_extra(word[0]) ? find(texts, word[1]) : NULL;

	if (name)
		buf_addf(out, "<promise %s>", name);
	else
		buf_adds(out, frame_extra(word[0]) ? LOST : "<promise>");
}

static void name_anonymous(const u64 *word, const struct walker_texts *texts,
			   struct buf *out)
{
	bool complete = frame_extra(word[0]) >= 2;
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	const char *file = complete ? find(texts, word[1]) : NULL;
	const char *package = complete ? find(texts, word[2]) : NULL;

	if ((kind == R_LINE_FILE && !file) ||
	    (complete && word[2] && !package)) {
		buf_adds(out, LOST);
		return;
	}
	if (package)
		buf_addf(out, "%s::", package);
	/* Without folders, as traceback() prints it. */
	if (file && strrchr(file, '/'))
		file = strrchr(file, '/') + 1;
	if (file)
		buf_addf(out, "<anonymous %s:%u>", file, (u32)word[0]);
	else if (kind == R_LINE_TYPED)
		buf_addf(out, "<anonymous #%u>", (u32)word[0]);
	else
		buf_adds(out, "<anonymous>");
}

static void name_source(const u64 *word, const struct walker_texts *texts,
			struct buf *out)
{
	const char *name = frame_extra(word[0]) ? find(texts, word[1]) : NULL;
	size_t len = name ? strcspn(name, "\n") : 0;
	const char *part = memrchr(name ? name : "", '/', len);

	part = part ? part + 1 : name;
	if (name)
		buf_addf(out, "source %.*s", (int)(name + len - part), part);
	else
		buf_adds(out, LOST);
}

size_t r_name_package(const char *name)
{
	size_t len = strspn(name, PACKAGE_BYTES);

	if (!len || strncmp(name + len, "::", 2))
		return 0;
	len += 2;
	/* There are functions of the names `:`, `::` and `:::`, too. */
	if (name[len] == ':' && name[len + 1] && name[len + 1] != ':')
		len++;
	return name[len] ? len : 0;
}

bool r_called(const u64 *word, const struct walker_texts *texts,
	      struct buf *out)
{
	const char *name;

	if (frame_sub(word[0]) != R_CALLED)
		return false;
	name = frame_extra(word[0]) ? find(texts, word[1]) : NULL;
	if (name)
		buf_adds(out, name);
	return true;
}

bool r_name(const u64 *word, const struct walker_texts *texts, struct buf *out)
{
	u32 sub = frame_sub(word[0]);
	bool complete = frame_extra(word[0]) >= 2;

	if (sub == R_CALLED)
		return false;
	if (sub == R_FUNCTION && complete)
		name_function(word, texts, out);
	else if (sub == R_MEMBER && complete)
		name_member(word, texts, out);
	else if (sub == R_PROMISE)
		name_promise(word, texts, out);
	else if (sub == R_METHOD && complete)
		name_method(word, texts, out);
	else if (sub == R_SOURCE)
		name_source(word, texts, out);
	else if (sub == R_ANONYMOUS)
		name_anonymous(word, texts, out);
	else if (sub != R_PATH)
		buf_adds(out, UNNAMED);
	else if (!r_expr_path(word, texts, out))
		buf_adds(out, LOST);
	return true;
}
