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
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/debuginfo/demangle.h"
#include "user/debuginfo/files.h"
#include "user/debuginfo/jail.h"
#include "user/debuginfo/lines.h"
#include "user/symbolize/perfmap.h"
#include "user/symbolize/symbols.h"
#include "user/elf/module.h"
#include "user/target/root.h"

/* A file has as long, and a millisecond more for each address. */
#define ANSWER_MS 20000
/* Small files that are asked together have as long; then each is asked by itself. */
#define TOGETHER_MS 2000
#define SMALL	    (1u << 20) /* bytes */

struct questions {
	const struct native_file *file;
	struct files *opened; /* of each file */
	size_t files;
	unsigned parts;
	size_t first; /* number of addresses of the files before this one */
	FILE *out;
};

static void answer(const struct questions *q, struct native_answer a)
{
	const char *name = a.name ? a.name : "", *file = a.file ? a.file : "";

	a.index += q->first;
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

static void answer_name(const struct questions *q, size_t i, u64 vaddr,
			const struct symbols *symbols)
{
	struct native_answer a = { .what = NATIVE_NAME, .index = i };
	_cleanup_free_ char *name = symbols_find(symbols, vaddr, &a.start);
	_cleanup_buf_ struct buf out = { 0 };

	if (!name)
		return;
	a.name = demangle_symbol(name, &out) ? buf_text(&out) : name;
	answer(q, a);
}

static void answer_file(struct questions *q, const struct native_file *f,
			const struct files *opened)
{
	struct module m;
	struct symbols *symbols;
	Dwfl_Module *mod;

	if (module_open(&m, dup(opened->fd[FILES_OWN]), f->module->name))
		return;
	mod = files_report(opened);
	symbols = symbols_read(&m, mod);
	for (size_t i = 0; i < f->n; i++)
		answer_name(q, i, f->vaddr[i], symbols);
	/* What breaks while lines are read does not take the names along. */
	fflush(q->out);
	if (mod && q->parts)
		lines_read(mod, opened, f->vaddr, f->n,
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
	for (size_t i = 0; i < q->files; i++) {
		const struct native_file *f = &q->file[i];

		if (f->module->code)
			perfmap_read(q->opened[i].fd[FILES_OWN],
				     f->module->code->base, f->vaddr, f->n,
				     answer_code, q);
		else
			answer_file(q, f, &q->opened[i]);
		q->first += f->n;
	}
}

/* Take the text up to its NUL.  NULL: it has none. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static void read_answers(const struct buf *bytes, size_t n, native_take *take,
			 void *ctx)
{
	const char *at = buf_text(bytes), *end = at + bytes->len;
	struct native_answer a;

	while ((size_t)(end - at) > sizeof(a)) {
		memcpy(&a, at, sizeof(a));
		at += sizeof(a);
		a.name = take_text(&at, end);
		a.file = take_text(&at, end);
		if (a.file && a.index < n)
			take(ctx, &a);
	}
}

bool native_are_together(const struct module *a, const struct module *b)
{
	struct stat x, y;

	/* NULL is our own root. */
	return !a->code && !b->code && a->key.size <= SMALL &&
	       b->key.size <= SMALL && a->root == b->root &&
	       (!a->root || root_is_known(a->root)) && !fstat(a->fd, &x) &&
	       !fstat(b->fd, &y) && x.st_uid == y.st_uid;
}

static void open_file(struct files *f, const struct module *m)
{
	*f = (struct files){ .fd = { -1, -1, -1, -1 } };
	if (m->code)
		f->fd[FILES_OWN] = perfmap_open(m);
	else
		files_find(f, m);
}

int native_ask(const struct native_file *file, size_t files, unsigned parts,
	       native_take *take, void *ctx)
{
	struct files opened[NATIVE_TOGETHER];
	int keep[NATIVE_TOGETHER * FILES_COUNT] = { 0 };
	struct questions q = { file, opened, files, parts, 0, NULL };
	u64 ms = files > 1 ? TOGETHER_MS : ANSWER_MS;
	_cleanup_buf_ struct buf bytes = { 0 };
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < files; i++) {
		open_file(&opened[i], file[i].module);
		memcpy(keep + i * FILES_COUNT, opened[i].fd,
		       sizeof(opened[i].fd));
		n += file[i].n;
	}
	if (files > 1 || keep[FILES_OWN] >= 0)
		err = jail_run(work, &q, keep, files * FILES_COUNT, ms + n,
			       &bytes);
	for (size_t i = 0; i < files; i++) {
		files_close(&opened[i]);
		module_rest(file[i].module);
	}
	if (err && files == 1)
		log_warn("%s: no names from here on: %s", file->module->path,
			 err == -ETIME	 ? "reading its symbols takes too long"
			 : err == -EPIPE ? "its symbols are broken"
					 : strerror(-err));
	if (!err || files == 1)
		read_answers(&bytes, n, take, ctx);
	return err;
}
