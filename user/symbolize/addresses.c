/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A stack is made of few different words, so each is looked up once and kept as a
 * finished fold_frame.  The symbol of a function that belongs to an interpreter is
 * only read when it will be shown: folding does not need it, and it may cost a
 * download.
 */
#include "user/symbolize/addresses.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/symbolize/native.h"
#include "user/symbolize/start.h"
#include "user/symbolize/strings.h"
#include "user/symbolize/symbolize.h"
#include "user/elf/module.h"

/* What is known of one file, found when its first address is seen. */
struct file {
	UT_hash_handle hh;
	u32 id;
	const struct module *module; /* NULL: not known */
	struct native *native;
	bool libc;
	struct start start;
	const struct walker *shell; /* whose it is from end to end, or NULL */
};

struct known {
	struct address a; /* first: found by it */
	UT_hash_handle hh;
	u64 word;
	struct file *file; /* NULL: file id not known */
	size_t capacity;
};

struct addresses {
	const struct symbolizer_config *config;
	struct strings *strings;
	struct file *files;
	struct known *known;
	const char *title[WALKER_COUNT]; /* "[Tcl interpreter]" */
	struct buf scratch;
};

struct addresses *addresses_new(const struct symbolizer_config *config,
				struct strings *strings)
{
	struct addresses *s = xcalloc(1, sizeof(*s));

	s->config = config;
	s->strings = strings;
	for (int i = 0; i < WALKER_COUNT; i++) {
		buf_reset(&s->scratch);
		buf_addf(&s->scratch, "[%s interpreter]", walkers[i]->title);
		s->title[i] = strings_intern(strings, buf_text(&s->scratch));
	}
	return s;
}

void addresses_free(struct addresses *s)
{
	struct known *a, *a_next;
	struct file *f, *f_next;

	if (!s)
		return;
	HASH_ITER (hh, s->files, f, f_next) {
		HASH_DEL(s->files, f);
		native_free(f->native);
		free(f);
	}
	HASH_ITER (hh, s->known, a, a_next) {
		HASH_DEL(s->known, a);
		free(a->a.inlined);
		free(a);
	}
	buf_release(&s->scratch);
	free(s);
}

static struct file *find_file(struct addresses *s, u32 id)
{
	const struct module *m;
	struct file *f;
	u64 vaddr;

	HASH_FIND(hh, s->files, &id, sizeof(id), f);
	if (f)
		return f;
	/* Not remembered: it may become known. */
	m = s->config->module(s->config->ctx, id);
	if (!m)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->id = id;
	f->module = m;
	f->native = native_new(m, s->config->view.addresses);
	f->libc = !module_dynsym(m, "__libc_start_main", &vaddr, NULL);
	f->start = start_find(m);
	for (int i = 0; i < WALKER_COUNT && !f->shell; i++)
		if (start_is_shell(m, walkers[i]))
			f->shell = walkers[i];
	HASH_ADD(hh, s->files, id, sizeof(f->id), f);
	return f;
}

static const char *read_text(struct addresses *s, struct known *a)
{
	struct fold_frame *f = &a->a.frame;

	if (f->text)
		return f->text;
	buf_reset(&s->scratch);
	if (!native_name(a->file->native, frame_addr(a->word), &s->scratch))
		f->flags |= FOLD_NAMELESS;
	f->text = strings_intern(s->strings, buf_text(&s->scratch));
	return f->text;
}

static void read_line(struct addresses *s, struct known *a)
{
	buf_reset(&s->scratch);
	buf_adds(&s->scratch, " (");
	if (!native_line(a->file->native, frame_addr(a->word), &s->scratch))
		return;
	buf_addc(&s->scratch, ')');
	a->a.frame.line = strings_intern(s->strings, buf_text(&s->scratch));
}

static const char *intern_line(struct addresses *s, const char *place)
{
	if (!s->config->view.lines || !*place)
		return NULL;
	buf_reset(&s->scratch);
	buf_addf(&s->scratch, " (%s)", place);
	return strings_intern(s->strings, buf_text(&s->scratch));
}

struct inlining {
	struct addresses *s;
	struct known *a;
};

/* One more function outward.  Where the address is in the source is where the
 * innermost one is; from then on it is where the last one was called. */
static void take_inlined(void *ctx, const char *name, const char *call)
{
	struct inlining *in = ctx;
	struct addresses *s = in->s;
	struct known *a = in->a;
	struct fold_frame *f;

	a->a.inlined = xgrow(a->a.inlined, a->a.inlines, &a->capacity,
			     sizeof(*a->a.inlined));
	f = &a->a.inlined[a->a.inlines++];
	*f = (struct fold_frame){
		.kind = NAME_NATIVE,
		.flags = a->a.frame.flags & FOLD_START_UP,
		.line = a->a.frame.line,
		.module = a->a.frame.module,
	};
	buf_reset(&s->scratch);
	buf_addf(&s->scratch, "%s_[i]", name);
	f->text = strings_intern(s->strings, buf_text(&s->scratch));
	a->a.frame.line = intern_line(s, call);
}

static void read_inlines(struct addresses *s, struct known *a)
{
	struct inlining in = { s, a };

	native_inlines(a->file->native, frame_addr(a->word), take_inlined, &in);
}

#define MAX_NAMES 3 /* shown of a function that has many */

/* "floor|ceiling|sqrt|..." for a function with many names. */
static const char *shorten(struct addresses *s, const char *names)
{
	const char *end = names;

	for (int i = 0; i < MAX_NAMES; i++) {
		end = strchr(end + 1, '|');
		if (!end)
			return NULL;
	}
	buf_reset(&s->scratch);
	buf_add(&s->scratch, names, end - names);
	buf_adds(&s->scratch, "|...");
	return strings_intern(s->strings, buf_text(&s->scratch));
}

/* Which interpreter the address belongs to, and what its walker says of it. */
static void ask_walkers(struct addresses *s, struct known *a, u64 start)
{
	const struct module *m = a->file->module;
	struct fold_frame *f = &a->a.frame;
	const char *script;

	for (int i = 0; i < WALKER_COUNT && !f->walker; i++) {
		const struct walker *w = walkers[i];

		if (w == a->file->shell && start != a->file->start.entry) {
			f->walker = w;
			f->title = s->title[i];
			return;
		}
		if (!m->walker[i] ||
		    (w->file.internal &&
		     !w->file.internal(m->walker[i], frame_addr(a->word))))
			continue;
		f->walker = w;
		f->title = s->title[i];
		script = w->file.symbol && start
				 ? w->file.symbol(m->walker[i], start)
				 : NULL;
		if (!script)
			continue;
		f->script = strings_intern(s->strings, script);
		f->label = shorten(s, script);
	}
}

static void know_start(struct addresses *s, struct known *a, u64 start)
{
	const struct file *file = a->file;
	struct fold_frame *f = &a->a.frame;
	const char *text = read_text(s, a);

	if ((start && start == file->start.entry) ||
	    start_is_name(text, file->libc || file->start.alone))
		f->flags |= FOLD_START_UP;
	if (f->flags & FOLD_NAMELESS && file->libc)
		f->flags |= FOLD_BARE_LIBC;
}

static void resolve(struct addresses *s, struct known *a)
{
	const struct symbolizer_view *view = &s->config->view;
	struct fold_frame *f = &a->a.frame;
	u64 start = native_function(a->file->native, frame_addr(a->word));

	f->module = a->file->module;
	if (start)
		f->start = frame_native(a->file->id, start);
	if (start && start == a->file->start.main)
		f->flags |= FOLD_MAIN;
	ask_walkers(s, a, start);
	if (view->lines && (!f->walker || view->internals))
		read_line(s, a);
	if (!f->walker)
		know_start(s, a, start);
	if (view->inlines && (!f->walker || view->internals))
		read_inlines(s, a);
}

/* NULL when the file is not known. */
struct address *addresses_find(struct addresses *s, u64 word)
{
	struct known *a;
	struct file *f;

	HASH_FIND(hh, s->known, &word, sizeof(word), a);
	if (a)
		return &a->a;
	f = find_file(s, frame_file(word));
	if (!f)
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->word = word;
	a->file = f;
	a->a.frame.kind = NAME_NATIVE;
	resolve(s, a);
	HASH_ADD(hh, s->known, word, sizeof(a->word), a);
	return &a->a;
}

const char *addresses_text(struct addresses *s, struct address *address)
{
	return read_text(s, (struct known *)address);
}
