/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The jail's side of native.c: opens each file at the first question about the file, and
 * frees nothing, because the process just ends.
 */
#include "user/symbolize/answers.h"

#include <string.h>
#include <unistd.h>

#include "user/debuginfo/demangle.h"
#include "user/debuginfo/handle.h"
#include "user/debuginfo/lines.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/symbolize/symbols.h"

struct answers_file {
	struct module module;
	struct files files;
	Dwfl_Module *mod;
	struct symbols *symbols; /* NULL: the module cannot be read */
	struct lines *lines;
	bool lines_read;
};

static struct answers_file *open_file(struct answers *a,
				      const struct jail_question *q)
{
	size_t before = a->capacity;
	struct answers_file *f;

	a->file = xgrow(a->file, q->file, &a->capacity, sizeof(*a->file));
	memset(a->file + before, 0, (a->capacity - before) * sizeof(*a->file));
	if (a->file[q->file] || q->files.file < 0)
		return a->file[q->file];
	f = a->file[q->file] = xcalloc(1, sizeof(*f));
	f->files = q->files;
	if (!module_open(&f->module, dup(q->files.file), q->name)) {
		f->mod = handle_open(&f->files);
		f->symbols = symbols_read(&f->module, f->mod);
	}
	return f;
}

/* The function's start and its name, if there is one. */
static void answer_name(const struct symbols *symbols, u64 vaddr,
			struct buf *out)
{
	u64 start = 0;
	_cleanup_free_ char *name = symbols_find(symbols, vaddr, &start);

	buf_add(out, &start, sizeof(start));
	if (name && !demangle_symbol(name, out))
		buf_adds(out, name);
}

/* The line, the file, its NUL. */
static void answer_place(const struct source_place *place, struct buf *out)
{
	const char *file = place->file ? place->file : "";

	buf_add(out, &place->line, sizeof(place->line));
	buf_add(out, file, strlen(file) + 1);
}

/* The name, its NUL, the place of the call. */
static void answer_inlined(void *ctx, const char *name,
			   const struct source_place *call)
{
	buf_add(ctx, name, strlen(name) + 1);
	answer_place(call, ctx);
}

void answers_add(void *answers, const struct jail_question *q, struct buf *out)
{
	struct answers_file *f = open_file(answers, q);
	struct source_place place;

	if (!f || !f->symbols)
		return;
	if (q->what == ANSWERS_NAME) {
		answer_name(f->symbols, q->vaddr, out);
		return;
	}
	if (!f->lines_read && f->mod)
		f->lines = lines_new(f->mod, &f->files);
	f->lines_read = true;
	if (!f->lines)
		return;
	if (q->what == ANSWERS_INLINES) {
		lines_inlines(f->lines, q->vaddr, answer_inlined, out);
		return;
	}
	place = lines_place(f->lines, q->vaddr);
	answer_place(&place, out);
}
