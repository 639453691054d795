/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Looks up each distinct native word once and keeps the finished fold_frame.
 *
 * The symbol of a function that belongs to an interpreter is read only when the view
 * shows interpreters' functions: folding does not need the symbol, and reading it may
 * cost a download.
 */
#include "user/symbolize/addresses.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <uthash.h>

#include "user/lib/buf.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/native.h"
#include "user/symbolize/start.h"
#include "user/symbolize/symbolize.h"
#include "user/elf/module.h"

/* One file, examined when its first address is seen. */
struct file {
	UT_hash_handle hh;
	u32 id;
	const struct module *module;
	u32 name; /* text id; see module in struct frame */
	struct native *native;
	bool libc;
	struct start start;
	/* The interpreter whose shell the file is, or NULL. */
	const struct walker *shell;
};

struct known {
	struct address a; /* first member, so that it can be handed out */
	UT_hash_handle hh;
	struct addresses *in;
	u64 word;
	struct file *file;
	size_t capacity;
};

struct addresses {
	const struct symbolizer_config *config;
	struct intern *texts;
	struct file *files;
	struct known *known;
	u32 title[WALKER_COUNT];
	struct buf scratch;
	struct native_reader *reader;
};

struct addresses *addresses_new(const struct symbolizer_config *config,
				struct intern *texts)
{
	struct addresses *s = xcalloc(1, sizeof(*s));

	s->config = config;
	s->texts = texts;
	s->reader = native_reader_new();
	for (int i = 0; i < WALKER_COUNT; i++)
		s->title[i] = intern_text(texts, walkers[i]->title);
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
	native_reader_free(s->reader);
	HASH_ITER (hh, s->known, a, a_next) {
		HASH_DEL(s->known, a);
		free(a->a.inlined);
		free(a);
	}
	buf_release(&s->scratch);
	free(s);
}

static u32 module_name(struct addresses *s, const struct module *m)
{
	struct buf *text = &s->scratch;
	struct intern_key key = { 0 };

	buf_reset(text);
	buf_adds(text, m->name ? m->name : "?");
	buf_addc(text, '\0');
	for (size_t i = 0; i < m->build_id_len; i++)
		buf_addf(text, "%02x", m->build_id[i]);
	key.head = text->data;
	key.head_len = text->len;
	return intern_id(s->texts, &key, true);
}

static struct file *find_file(struct addresses *s, u32 id)
{
	const struct module *m;
	struct file *f;
	u64 vaddr;

	HASH_FIND(hh, s->files, &id, sizeof(id), f);
	if (f)
		return f;
	/* An unknown file is not remembered, because it may become known. */
	m = s->config->module(s->config->ctx, id);
	if (!m)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->id = id;
	f->module = m;
	f->name = module_name(s, m);
	f->native = native_new(m, s->reader, s->config->view.addresses);
	f->libc = !module_dynsym(m, "__libc_start_main", &vaddr, NULL);
	f->start = start_find(m);
	for (int i = 0; i < WALKER_COUNT && !f->shell; i++)
		if (start_is_shell(m, walkers[i]))
			f->shell = walkers[i];
	HASH_ADD(hh, s->files, id, sizeof(f->id), f);
	return f;
}

/* Set the frame's name.  False if the address has none. */
static bool read_name(struct addresses *s, struct known *a)
{
	struct frame *f = &a->a.frame.frame;
	bool named;

	buf_reset(&s->scratch);
	named = native_name(a->file->native, frame_addr(a->word), &s->scratch);
	f->name = intern_text(s->texts, buf_text(&s->scratch));
	if (!named && f->type == FRAME_IS_C)
		f->flags |= FRAME_ADDRESS;
	return named;
}

static void set_place(struct addresses *s, struct frame *f,
		      const struct source_place *place)
{
	f->file = place->file ? intern_text(s->texts, place->file) : 0;
	f->line = place->file ? place->line : 0;
}

/* Take one more inlined function, from the innermost outward.  The place of the
 * address belongs to the innermost function; the place of each next one is where the
 * function before it was called. */
static void take_inlined(void *ctx, const char *name,
			 const struct source_place *call)
{
	struct known *a = ctx;
	struct addresses *s = a->in;
	struct fold_frame *outer = &a->a.frame, *f;

	a->a.inlined = xgrow(a->a.inlined, a->a.inlines, &a->capacity,
			     sizeof(*a->a.inlined));
	f = &a->a.inlined[a->a.inlines++];
	*f = (struct fold_frame){
		.frame = outer->frame,
		.flags = outer->flags & FOLD_START_UP,
	};
	f->frame.type = FRAME_IS_INLINED;
	f->frame.flags = 0;
	f->frame.name = intern_text(s->texts, name);
	if (s->config->view.lines)
		set_place(s, &outer->frame, call);
}

#define MAX_NAMES 3 /* names shown of a function that has many */

/* "floor|ceiling|sqrt|..." for a function with many names. */
static u32 label(struct addresses *s, const char *names)
{
	const char *end = names;

	for (int i = 0; i < MAX_NAMES; i++) {
		end = strchr(end + 1, '|');
		if (!end)
			return intern_text(s->texts, names);
	}
	buf_reset(&s->scratch);
	buf_add(&s->scratch, names, end - names);
	buf_adds(&s->scratch, "|...");
	return intern_text(s->texts, buf_text(&s->scratch));
}

/* Whether the address is in code of the interpreter itself. */
static bool belongs(const struct known *a, int id, u64 start)
{
	const struct walker *w = walkers[id];
	const void *data = a->file->module->walker[id];

	if (w == a->file->shell && start != a->file->start.entry)
		return true;
	return data && (!w->file.internal ||
			w->file.internal(data, frame_addr(a->word)));
}

/* Find the interpreter that the address belongs to, and the function's script names. */
static void ask_walkers(struct addresses *s, struct known *a, u64 start)
{
	const struct module *m = a->file->module;
	struct fold_frame *f = &a->a.frame;
	const char *names = NULL;
	int i = 0;

	while (i < WALKER_COUNT && !belongs(a, i, start))
		i++;
	if (i == WALKER_COUNT)
		return;
	f->walker = walkers[i];
	f->frame.walker = i;
	f->title = s->title[i];
	if (start && m->walker[i] && f->walker->file.symbol)
		names = f->walker->file.symbol(m->walker[i], start);
	if (!names)
		return;
	f->script = intern_get(s->texts, intern_text(s->texts, names), NULL);
	f->label = label(s, names);
}

static void know_start(struct addresses *s, struct known *a, u64 start)
{
	const struct file *file = a->file;
	struct fold_frame *f = &a->a.frame;
	bool named = read_name(s, a);

	if ((start && start == file->start.entry) ||
	    (named && f->frame.type == FRAME_IS_C &&
	     start_is_name(buf_text(&s->scratch),
			   file->libc || file->start.alone)))
		f->flags |= FOLD_START_UP;
	if (!named && file->libc)
		f->flags |= FOLD_BARE_LIBC;
}

static void resolve(struct addresses *s, struct known *a)
{
	const struct symbolizer_view *view = &s->config->view;
	struct fold_frame *f = &a->a.frame;
	u64 start = native_function(a->file->native, frame_addr(a->word));
	struct source_place place;

	f->frame.module = a->file->name;
	if (a->file->module->code)
		f->frame.type = FRAME_IS_JIT;
	if (start)
		f->start = frame_native(a->file->id, start);
	if (start && start == a->file->start.main)
		f->flags |= FOLD_MAIN;
	ask_walkers(s, a, start);
	if (!f->walker)
		know_start(s, a, start);
	if (f->walker && !view->internals)
		return;
	if (f->walker)
		read_name(s, a);
	if (view->lines) {
		place = native_line(a->file->native, frame_addr(a->word));
		set_place(s, &f->frame, &place);
	}
	if (view->inlines)
		native_inlines(a->file->native, frame_addr(a->word),
			       take_inlined, a);
}

const struct address *addresses_find(struct addresses *s, u64 word)
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
	a->in = s;
	a->word = word;
	a->file = f;
	resolve(s, a);
	HASH_ADD(hh, s->known, word, sizeof(a->word), a);
	return &a->a;
}
