/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The process in the jail is a copy of this one, so it has the addresses already.  It opens
 * the module anew, because a thread of the profiler may have been about to change the
 * struct module, and writes its answers to a pipe: each is the struct, the name, and the
 * file.  It frees nothing.
 */
#include "user/symbolize/native.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/debuginfo/demangle.h"
#include "user/debuginfo/files.h"
#include "user/debuginfo/jail.h"
#include "user/debuginfo/lines.h"
#include "user/symbolize/perfmap.h"
#include "user/symbolize/symbols.h"
#include "user/elf/module.h"

/* A file has as long, and a millisecond more for each address. */
#define ANSWER_MS 20000

struct questions {
	const struct module *module;
	const u64 *vaddr;
	size_t n;
	unsigned parts;
	struct files files;
	FILE *out;
};

static void answer(const struct questions *q, struct native_answer a)
{
	const char *name = a.name ? a.name : "", *file = a.file ? a.file : "";

	fwrite(&a, sizeof(a), 1, q->out);
	fwrite(name, strlen(name) + 1, 1, q->out);
	fwrite(file, strlen(file) + 1, 1, q->out);
}

static void answer_line(void *ctx, size_t i, const char *name,
			const struct source_place *place)
{
	answer(ctx, (struct native_answer){ .what = *name ? NATIVE_INLINED
							  : NATIVE_PLACE,
					    .index = i,
					    .line = place->line,
					    .name = name,
					    .file = place->file });
}

static void answer_name(const struct questions *q, size_t i,
			const struct symbols *symbols)
{
	struct native_answer a = { .what = NATIVE_NAME, .index = i };
	char *name = symbols_find(symbols, q->vaddr[i], &a.start);
	struct buf out = { 0 };

	if (!name)
		return;
	a.name = demangle_symbol(name, &out) ? buf_text(&out) : name;
	answer(q, a);
	buf_release(&out);
	free(name);
}

static void answer_file(struct questions *q)
{
	struct module m;
	struct symbols *symbols;
	Dwfl_Module *mod;

	if (module_open(&m, dup(q->files.fd[FILES_OWN]), q->module->name))
		return;
	mod = files_report(&q->files);
	symbols = symbols_read(&m, mod);
	for (size_t i = 0; i < q->n; i++)
		answer_name(q, i, symbols);
	/* What breaks while lines are read does not take the names along. */
	fflush(q->out);
	if (mod && q->parts)
		lines_read(mod, &q->files, q->vaddr, q->n,
			   q->parts & NATIVE_INLINES, answer_line, q);
}

static void answer_code(void *ctx, size_t i, const char *name)
{
	answer(ctx, (struct native_answer){
			    .what = NATIVE_NAME, .index = i, .name = name });
}

static void work(void *ctx, FILE *out)
{
	struct questions *q = ctx;

	q->out = out;
	if (q->module->code)
		perfmap_read(q->files.fd[FILES_OWN], q->module->code->base,
			     q->vaddr, q->n, answer_code, q);
	else
		answer_file(q);
}

/* Take the text up to its NUL.  NULL: it has none. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static void read_answers(const struct questions *q, const struct buf *bytes,
			 native_take *take, void *ctx)
{
	const char *at = buf_text(bytes), *end = at + bytes->len;
	struct native_answer a;

	while ((size_t)(end - at) > sizeof(a)) {
		memcpy(&a, at, sizeof(a));
		at += sizeof(a);
		a.name = take_text(&at, end);
		a.file = take_text(&at, end);
		if (a.file && a.index < q->n)
			take(ctx, &a);
	}
}

int native_ask(const struct module *m, const u64 *vaddr, size_t n,
	       unsigned parts, native_take *take, void *ctx)
{
	struct questions q = {
		m, vaddr, n, parts, { { -1, -1, -1, -1 }, { 0 }, 0 }, NULL
	};
	struct buf bytes = { 0 };
	int err;

	if (m->code)
		q.files.fd[FILES_OWN] = perfmap_open(m);
	else
		files_find(&q.files, m);
	if (q.files.fd[FILES_OWN] < 0)
		return 0;
	err = jail_run(work, &q, q.files.fd, FILES_COUNT, ANSWER_MS + n,
		       &bytes);
	files_close(&q.files);
	if (err)
		log_warn("%s: no names from here on: %s", m->path,
			 err == -ETIME	 ? "reading its symbols takes too long"
			 : err == -EPIPE ? "its symbols are broken"
					 : strerror(-err));
	read_answers(&q, &bytes, take, ctx);
	buf_release(&bytes);
	return err;
}
