/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Looks up each distinct native word once and keeps the finished fold_frame.
 *
 * Words that are expected wait until one of them is needed; then each file is asked once
 * for all of its words (native.h), and what was read of it is given back.
 *
 * The symbol of a function that belongs to an interpreter is read only when the view
 * shows interpreters' functions: folding does not need the symbol, and reading it may
 * cost a download.
 */
#include "user/symbolize/addresses.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/hash.h"
#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/native.h"
#include "user/symbolize/start.h"
#include "user/symbolize/symbolize.h"
#include "user/elf/module.h"

/* One file, examined when its first address is seen. */
struct file {
	UT_hash_handle hh;
	const struct module *module;
	u32 name; /* text id; see module in struct frame */
	bool libc;
	bool failed; /* its symbols cannot be read */
	struct start start;
	/* The interpreter whose shell the file is, or NULL. */
	const struct walker *shell;
};

struct known {
	struct address a; /* first member, so that it can be handed out */
	UT_hash_handle hh;
	u64 word;
	const struct module *module;
	struct file *file; /* NULL: it was not looked up yet */
	size_t capacity;
};

struct addresses {
	const struct symbolizer_config *config;
	struct intern *texts;
	struct file *files;
	struct known *known;
	struct known **waiting; /* those not looked up yet */
	size_t waits, capacity;
	struct known **asked; /* of them those to which answers come */
	struct buf scratch;
};

struct addresses *addresses_new(const struct symbolizer_config *config,
				struct intern *texts)
{
	struct addresses *s = xcalloc(1, sizeof(*s));

	s->config = config;
	s->texts = texts;
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
		free(f);
	}
	HASH_ITER (hh, s->known, a, a_next) {
		HASH_DEL(s->known, a);
		free(a->a.inlined);
		free(a);
	}
	buf_release(&s->scratch);
	free(s->waiting);
	free(s);
}

static u32 module_name(struct addresses *s, const struct module *m)
{
	struct buf *text = &s->scratch;

	buf_reset(text);
	buf_adds(text, m->name ? m->name : "?");
	buf_addc(text, '\0');
	buf_addhex(text, m->build_id, m->build_id_len);
	buf_addc(text, '\0');
	buf_adds(text, m->path ? m->path : "");
	return intern_id(s->texts,
			 &(struct intern_key){ text->data, text->len, NULL, 0 },
			 true);
}

static struct file *find_file(struct addresses *s, const struct module *m)
{
	struct file *f;
	u64 vaddr;

	HASH_FIND_PTR(s->files, &m, f);
	if (f)
		return f;
	f = xcalloc(1, sizeof(*f));
	f->module = m;
	f->name = module_name(s, m);
	f->libc = !module_dynsym(m, "__libc_start_main", &vaddr, NULL);
	f->start = start_find(m);
	for (int i = 0; i < WALKER_COUNT && !f->shell; i++)
		if (start_is_shell(m, walkers[i]))
			f->shell = walkers[i];
	HASH_ADD_PTR(s->files, module, f);
	return f;
}

#define MAX_NAMES 3 /* names shown of a function that has many */

u32 addresses_label(struct intern *texts, const char *names)
{
	_cleanup_buf_ struct buf some = { 0 };
	const char *end = names;

	for (int i = 0; i < MAX_NAMES; i++) {
		end = strchr(end + 1, '|');
		if (!end)
			return intern_text(texts, names);
	}
	buf_add(&some, names, end - names);
	buf_adds(&some, "|...");
	return intern_text(texts, buf_text(&some));
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
	f->title = intern_text(s->texts, f->walker->title);
	if (start && m->walker[i] && f->walker->file.symbol)
		names = f->walker->file.symbol(m->walker[i], start);
	if (!names)
		return;
	f->script = intern_get(s->texts, intern_text(s->texts, names), NULL);
	f->label = addresses_label(s->texts, names);
}

/* Only the view of interpreters' functions needs more than the start. */
static bool is_folded(const struct addresses *s, const struct known *a)
{
	return a->a.frame.walker && !s->config->view.internals;
}

static void take_start(struct addresses *s, struct known *a, u64 start)
{
	struct fold_frame *f = &a->a.frame;

	f->start = start ? frame_native(frame_file(a->word), start) : 0;
	f->frame.address = start;
	f->flags = start && start == a->file->start.main ? FOLD_MAIN : 0;
	if (start && start == a->file->start.entry)
		f->flags |= FOLD_START_UP;
	f->walker = NULL;
	ask_walkers(s, a, start);
}

/* The name of what has none: where its function begins, or the address itself. */
static void take_no_name(struct addresses *s, struct known *a)
{
	const struct module *m = a->file->module;
	struct fold_frame *f = &a->a.frame;
	u64 vaddr = frame_addr(a->word);
	struct module_function fn;

	if (a->file->libc)
		f->flags |= FOLD_BARE_LIBC;
	if (m->code)
		return;
	if (!s->config->view.addresses && !module_function_at(m, vaddr, &fn))
		vaddr = fn.start;
	buf_reset(&s->scratch);
	buf_addf(&s->scratch, "0x%llx", vaddr);
	f->frame.name = intern_text(s->texts, buf_text(&s->scratch));
	f->frame.flags = FRAME_ADDRESS;
}

static void take_name(struct addresses *s, struct known *a, const char *name)
{
	const struct file *file = a->file;
	struct fold_frame *f = &a->a.frame;

	f->frame.name = intern_text(s->texts, name);
	f->frame.flags = 0;
	f->flags &= ~FOLD_BARE_LIBC;
	if (!file->module->code &&
	    start_is_name(name, file->libc || file->start.alone))
		f->flags |= FOLD_START_UP;
}

static void set_place(struct addresses *s, struct frame *f,
		      const struct native_answer *place)
{
	f->file = *place->file ? intern_text(s->texts, place->file) : 0;
	f->line = *place->file ? place->line : 0;
}

/* Take one more inlined function, from the innermost outward.  The place of the
 * address belongs to the innermost function; the place of each next one is where the
 * function before it was called. */
static void take_inlined(struct addresses *s, struct known *a,
			 const struct native_answer *inlined)
{
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
	f->frame.name = intern_text(s->texts, inlined->name);
	if (s->config->view.lines)
		set_place(s, &outer->frame, inlined);
}

static void take_answer(void *ctx, const struct native_answer *answer)
{
	struct addresses *s = ctx;
	struct known *a = s->asked[answer->index];

	if (answer->what == NATIVE_NAME && !a->a.frame.start && answer->start)
		take_start(s, a, answer->start);
	if (is_folded(s, a))
		return;
	if (answer->what == NATIVE_NAME)
		take_name(s, a, answer->name);
	else if (answer->what == NATIVE_INLINED)
		take_inlined(s, a, answer);
	else if (s->config->view.lines)
		set_place(s, &a->a.frame.frame, answer);
}

static int by_word(const void *a, const void *b)
{
	u64 x = (*(struct known *const *)a)->word;
	u64 y = (*(struct known *const *)b)->word;

	return (x > y) - (x < y);
}

/* Ask the file of the first word that waits, and those after it, at most so many in all,
 * that can be asked together with it.  Returns the first word of the next file; first if
 * each is to be asked by itself. */
static size_t ask_some(struct addresses *s, size_t first, const u64 *vaddr,
		       unsigned parts, size_t most)
{
	struct native_file file[NATIVE_TOGETHER];
	size_t end = first, files = 0;
	int err;

	do {
		const struct file *f = s->waiting[end]->file;
		size_t from = end;

		while (end < s->waits && s->waiting[end]->file == f)
			end++;
		file[files++] = (struct native_file){ f->module, vaddr + from,
						      end - from };
	} while (files < most && end < s->waits &&
		 native_are_together(file[0].module,
				     s->waiting[end]->file->module));
	s->asked = s->waiting + first;
	err = native_ask(file, files, parts, take_answer, s);
	if (err && files > 1)
		return first;
	s->waiting[first]->file->failed = err;
	return end;
}

/* Find out what can be known of a word without its file's symbols.  Returns whether these
 * may tell more. */
static bool look_up(struct addresses *s, struct known *a)
{
	struct module_function fn = { 0 };

	a->file = find_file(s, a->module);
	a->a.frame.frame.module = a->file->name;
	if (a->module->code)
		a->a.frame.frame.type = FRAME_IS_JIT;
	module_function_at(a->module, frame_addr(a->word), &fn);
	a->a.start = fn.start;
	a->a.end = fn.end;
	take_start(s, a, fn.start);
	if (!is_folded(s, a))
		take_no_name(s, a);
	return !a->file->failed && !(is_folded(s, a) && fn.start);
}

/* Ask for the words that wait.  Sorted, those of one file stand together. */
static void ask(struct addresses *s)
{
	_cleanup_free_ u64 *vaddr = xcalloc(s->waits, sizeof(*vaddr));
	unsigned parts = (s->config->view.lines ? NATIVE_LINES : 0) |
			 (s->config->view.inlines ? NATIVE_INLINES : 0);
	size_t n = 0, first = 0, next, most = NATIVE_TOGETHER;

	qsort(s->waiting, s->waits, sizeof(*s->waiting), by_word);
	for (size_t i = 0; i < s->waits; i++) {
		struct known *a = s->waiting[i];

		vaddr[n] = frame_addr(a->word);
		if (look_up(s, a))
			s->waiting[n++] = a;
		if (i + 1 == s->waits || s->waiting[i + 1]->module != a->module)
			module_rest(a->module);
	}
	for (s->waits = n; first < n; first = next) {
		next = ask_some(s, first, vaddr, parts, most);
		if (next == first)
			most = 1;
	}
	s->waits = 0;
}

bool addresses_expect(struct addresses *s, u64 word)
{
	const struct module *m;
	struct known *a;

	HASH_FIND(hh, s->known, &word, sizeof(word), a);
	/* An unknown file is not remembered, because it may become known. */
	m = a ? NULL : s->config->module(s->config->ctx, frame_file(word));
	if (!m)
		return true;
	if (!heap_fits(HEAP_READING, sizeof(*a)))
		return false;
	a = xcalloc(1, sizeof(*a));
	a->word = word;
	a->module = m;
	HASH_ADD(hh, s->known, word, sizeof(a->word), a);
	s->waiting =
		xgrow(s->waiting, s->waits, &s->capacity, sizeof(*s->waiting));
	s->waiting[s->waits++] = a;
	return true;
}

const struct address *addresses_find(struct addresses *s, u64 word)
{
	struct known *a;

	addresses_expect(s, word);
	if (s->waits)
		ask(s);
	HASH_FIND(hh, s->known, &word, sizeof(word), a);
	return a ? &a->a : NULL;
}
