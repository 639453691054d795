/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Symbols and source lines of a file are read by a process in a jail
 * (user/debuginfo/jail.h).  Each file has a process of its own, which is started at the
 * first question about the file and answers until native_free().  A file whose reading
 * crashes, or takes too much time or memory, has no names from then on.
 */
#include "user/symbolize/native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/debuginfo/demangle.h"
#include "user/debuginfo/files.h"
#include "user/debuginfo/handle.h"
#include "user/debuginfo/jail.h"
#include "user/debuginfo/lines.h"
#include "user/symbolize/perfmap.h"
#include "user/symbolize/symbols.h"
#include "user/elf/module.h"

#define NAME_MAX_BYTES 4096
#define ANSWER_MS      20000

enum { ASK_NAME, ASK_LINE, ASK_INLINES };

struct native {
	const struct module *module;
	bool addresses;
	bool asked, failed;
	struct jail jail;
	struct buf answer;
	struct perfmap *perfmap; /* of code that is in no file; NULL: none */

	/* Used in the jail only, where nothing is freed. */
	struct files files;
	Dwfl_Module *mod;
	struct symbols *symbols;
	struct lines *lines;
	bool lines_read;
};

struct native *native_new(const struct module *m, bool addresses)
{
	struct native *n = xcalloc(1, sizeof(*n));

	n->module = m;
	n->addresses = addresses;
	return n;
}

void native_free(struct native *n)
{
	if (!n)
		return;
	jail_end(&n->jail);
	buf_release(&n->answer);
	perfmap_free(n->perfmap);
	free(n);
}

/* Answer: the function's start, then its name if there is one. */
static void answer_name(struct native *n, u64 vaddr, struct buf *out)
{
	u64 start = 0;
	_cleanup_free_ char *name = symbols_find(n->symbols, vaddr, &start);

	buf_add(out, &start, sizeof(start));
	if (name && !demangle_symbol(name, out))
		buf_adds(out, name);
}

/* Answer: the line, then the file and a NUL. */
static void answer_place(const struct source_place *place, struct buf *out)
{
	const char *file = place->file ? place->file : "";

	buf_add(out, &place->line, sizeof(place->line));
	buf_add(out, file, strlen(file) + 1);
}

/* Answer, for each function: the name, a NUL, the place of the call. */
static void answer_inlined(void *ctx, const char *name,
			   const struct source_place *call)
{
	buf_add(ctx, name, strlen(name) + 1);
	answer_place(call, ctx);
}

/* Answer one question.  Runs in the jail. */
static void answer(void *ctx, const struct jail_question *q, struct buf *out)
{
	struct native *n = ctx;
	struct source_place place;

	if (!n->symbols) {
		n->mod = handle_open(&n->files);
		n->symbols = symbols_read(n->module, n->mod);
	}
	if (q->what == ASK_NAME) {
		answer_name(n, q->vaddr, out);
		return;
	}
	if (!n->lines_read && n->mod)
		n->lines = lines_new(n->mod, &n->files);
	n->lines_read = true;
	if (!n->lines)
		return;
	if (q->what == ASK_INLINES) {
		lines_inlines(n->lines, q->vaddr, answer_inlined, out);
		return;
	}
	place = lines_place(n->lines, q->vaddr);
	answer_place(&place, out);
}

static int start_reader(struct native *n)
{
	int err;

	files_find(&n->files, n->module);
	err = jail_start(&n->jail,
			 (int[JAIL_KEEP]){ n->module->fd, n->files.file,
					   n->files.debug, n->files.alt[0],
					   n->files.alt[1] },
			 answer, n);
	files_close(&n->files);
	return err;
}

/* Ask the jail.  Returns the answer if it has at least least bytes, else NULL. */
static const char *ask(struct native *n, u64 vaddr, u64 what, size_t least)
{
	const struct jail_question q = { vaddr, what };
	int err = 0;

	if (!n->asked)
		err = start_reader(n);
	n->asked = true;
	if (!err && !n->failed)
		err = jail_ask(&n->jail, &q, ANSWER_MS, &n->answer);
	if (err) {
		log_warn("%s: no names from here on: %s", n->module->path,
			 err == -ETIME	 ? "reading its symbols takes too long"
			 : err == -EPIPE ? "its symbols are broken"
					 : strerror(-err));
		jail_end(&n->jail);
		n->failed = true;
	}
	return n->failed || n->answer.len < least ? NULL : buf_text(&n->answer);
}

static bool name_symbol(struct native *n, u64 vaddr, struct buf *out)
{
	const char *got = ask(n, vaddr, ASK_NAME, sizeof(u64) + 1);
	struct module_function fn;

	if (got) {
		buf_adds(out, got + sizeof(u64));
		return true;
	}
	if (!n->addresses && !module_function_at(n->module, vaddr, &fn))
		vaddr = fn.start;
	buf_addf(out, "0x%llx", vaddr);
	return false;
}

static bool name_code(struct native *n, u64 vaddr, struct buf *out)
{
	const char *name = NULL;
	size_t len;

	if (!n->asked)
		n->perfmap = perfmap_read(n->module);
	n->asked = true;
	if (n->perfmap)
		name = perfmap_name(n->perfmap, n->module->code->base + vaddr,
				    &len);
	if (name)
		buf_add(out, name, len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
	return name;
}

bool native_name(struct native *n, u64 vaddr, struct buf *out)
{
	return n->module->code ? name_code(n, vaddr, out)
			       : name_symbol(n, vaddr, out);
}

/* Read a place from an answer; the answer is followed by a NUL.  Returns the end of
 * the place, or NULL if there is none. */
static const char *read_place(const char *at, const char *end,
			      struct source_place *place)
{
	if ((size_t)(end - at) <= sizeof(place->line))
		return NULL;
	memcpy(&place->line, at, sizeof(place->line));
	at += sizeof(place->line);
	place->file = *at ? at : NULL;
	return at + strlen(at) + 1;
}

struct source_place native_line(struct native *n, u64 vaddr)
{
	const char *at = n->module->code ? NULL : ask(n, vaddr, ASK_LINE, 1);
	struct source_place place = { 0 };

	if (at)
		read_place(at, at + n->answer.len, &place);
	return place;
}

void native_inlines(struct native *n, u64 vaddr, lines_inlined *fn, void *ctx)
{
	const char *at = n->module->code ? NULL : ask(n, vaddr, ASK_INLINES, 1);
	const char *end = at ? at + n->answer.len : NULL;

	while (at && at < end) {
		const char *name = at, *behind = at + strlen(at) + 1;
		struct source_place call;

		at = behind < end ? read_place(behind, end, &call) : NULL;
		if (at)
			fn(ctx, name, &call);
	}
}

u64 native_function(struct native *n, u64 vaddr)
{
	struct module_function fn;
	const char *got;
	u64 start = 0;

	if (n->module->code)
		return 0;
	if (!module_function_at(n->module, vaddr, &fn))
		return fn.start;
	got = ask(n, vaddr, ASK_NAME, sizeof(start));
	if (got)
		memcpy(&start, got, sizeof(start));
	return start;
}
