/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a file says of an address is read by a process in a jail (user/debuginfo/jail.h).
 * One process reads the files of all modules.  It starts at the first question.  When it
 * crashes or has no memory left, a new one is asked once more: the file in question need
 * not be what ended the old one.  A file that ends the new one as well, or takes too much
 * time, has no names from then on.
 */
#include "user/symbolize/native.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/debuginfo/files.h"
#include "user/debuginfo/lines.h"
#include "user/symbolize/answers.h"
#include "user/symbolize/perfmap.h"
#include "user/elf/module.h"

#define NAME_MAX_BYTES 4096
#define ANSWER_MS      20000

struct native_reader {
	struct jail jail;
	struct answers answers;
	u32 files; /* numbers given to files */
	u32 run;   /* number of the process in the jail */
};

struct native {
	const struct module *module;
	bool addresses;
	struct native_reader *reader;
	u32 number; /* of its file */
	u32 run;    /* the reader's that has the file; 0: none */
	bool asked, failed;
	struct buf answer;
	struct perfmap *perfmap; /* of code that is no file; NULL: none */
};

struct native_reader *native_reader_new(void)
{
	return xcalloc(1, sizeof(struct native_reader));
}

void native_reader_free(struct native_reader *r)
{
	if (r)
		jail_end(&r->jail);
	free(r);
}

struct native *native_new(const struct module *m, struct native_reader *r,
			  bool addresses)
{
	struct native *n = xcalloc(1, sizeof(*n));

	n->module = m;
	n->reader = r;
	n->number = r->files++;
	n->addresses = addresses;
	return n;
}

void native_free(struct native *n)
{
	if (!n)
		return;
	buf_release(&n->answer);
	perfmap_free(n->perfmap);
	free(n);
}

static int ask_reader(struct native *n, struct jail_question *q)
{
	struct native_reader *r = n->reader;
	int err = 0;

	if (!r->jail.pid) {
		err = jail_start(&r->jail, answers_add, &r->answers);
		r->run++;
	}
	q->files = (struct files){ -1, -1, { -1, -1 }, { 0 }, 0 };
	if (!err && n->run != r->run) {
		files_find(&q->files, n->module);
		snprintf(q->name, sizeof(q->name), "%s", n->module->name);
	}
	n->run = r->run;
	if (!err)
		err = jail_ask(&r->jail, q, ANSWER_MS, &n->answer);
	files_close(&q->files);
	if (err)
		jail_end(&r->jail);
	return err;
}

/* The answer, at least least bytes; NULL: there is none. */
static const char *ask(struct native *n, u64 vaddr, enum answers_what what,
		       size_t least)
{
	struct jail_question q = { .vaddr = vaddr,
				   .what = what,
				   .file = n->number };
	int err = n->failed ? -EPIPE : ask_reader(n, &q);

	if (err == -EPIPE && !n->failed)
		err = ask_reader(n, &q);
	if (err && !n->failed)
		log_warn("%s: no names from here on: %s", n->module->path,
			 err == -ETIME	 ? "reading its symbols takes too long"
			 : err == -EPIPE ? "its symbols are broken"
					 : strerror(-err));
	n->failed = err;
	return err || n->answer.len < least ? NULL : buf_text(&n->answer);
}

static bool name_symbol(struct native *n, u64 vaddr, struct buf *out)
{
	const char *got = ask(n, vaddr, ANSWERS_NAME, sizeof(u64) + 1);
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
	const char *at =
		n->module->code ? NULL : ask(n, vaddr, ANSWERS_LINE, 1);
	struct source_place place = { 0 };

	if (at)
		read_place(at, at + n->answer.len, &place);
	return place;
}

void native_inlines(struct native *n, u64 vaddr, lines_inlined *fn, void *ctx)
{
	const char *at =
		n->module->code ? NULL : ask(n, vaddr, ANSWERS_INLINES, 1);
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
	got = ask(n, vaddr, ANSWERS_NAME, sizeof(start));
	if (got)
		memcpy(&start, got, sizeof(start));
	return start;
}
