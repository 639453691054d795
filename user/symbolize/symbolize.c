/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Words are turned round into struct fold_frame, outermost first, folded, and
 * what is left is handed out.
 *
 * A native word is looked up once and kept as a finished fold_frame, for a stack
 * is made of few different words.  The symbol of a function that belongs to an
 * interpreter is only read when it will be shown: folding does not need it, and
 * it may cost a download.  Frames of scripts are named anew each time, because a
 * text can arrive after the first frame that mentions it; their texts, as all
 * others, are interned and live as long as the symbolizer.
 *
 * Where a script frame is running comes before it, in a word of its own; it waits
 * for the walker's next frame.  Folding looks at names, so lines are put behind
 * them last.
 *
 * Words come from a file or from the kernel: a frame that claims more payload
 * than there are words ends the stack.
 */
#include "user/symbolize/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <uthash.h>

#include <jpbpf/status.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/symbolize/fold.h"
#include "user/symbolize/kernel.h"
#include "user/symbolize/native.h"
#include "user/symbolize/start.h"
#include "user/target/module.h"

#define UNKNOWN "[unknown]"

struct text {
	UT_hash_handle hh;
	char bytes[];
};

/* What is known of one file, found when its first address is seen. */
struct file {
	UT_hash_handle hh;
	u32 id;
	const struct module *module; /* NULL: not known */
	struct native *native;
	const char *name; /* interned */
	bool libc;
	u64 *main_loop; /* vaddr of each main-loop function here */
	size_t main_loops, capacity;
};

struct address {
	UT_hash_handle hh;
	u64 word;
	struct file *file;	 /* NULL: file id not known */
	struct fold_frame frame; /* text NULL: not read yet */
};

struct symbolizer {
	struct symbolizer_config config;
	struct kernel *kernel;
	struct file *files;
	struct address *addresses;
	struct text *texts;
	const char *title[WALKER_COUNT]; /* "[Tcl interpreter]" */
	struct buf scratch;
	const char
		*line[WALKER_COUNT]; /* for its next frame outward; or NULL */
	bool aside[WALKER_COUNT];    /* its next frame outward is that */
	bool chained;		     /* the marker of this stack was shown */
	struct fold_frame *frame;
	size_t frame_capacity;
	struct stack_name *name;
	size_t name_capacity;
};

static const char *intern(struct symbolizer *s, const char *bytes)
{
	size_t len = strlen(bytes);
	struct text *t;

	HASH_FIND(hh, s->texts, bytes, len, t);
	if (!t) {
		t = xmalloc(sizeof(*t) + len + 1);
		memcpy(t->bytes, bytes, len + 1);
		HASH_ADD_KEYPTR(hh, s->texts, t->bytes, len, t);
	}
	return t->bytes;
}

struct symbolizer *symbolizer_new(const struct symbolizer_config *config)
{
	struct symbolizer *s = xcalloc(1, sizeof(*s));

	s->config = *config;
	s->kernel = kernel_new("/proc/kallsyms");
	for (int i = 0; i < WALKER_COUNT; i++) {
		buf_reset(&s->scratch);
		buf_addf(&s->scratch, "[%s interpreter]", walkers[i]->title);
		s->title[i] = intern(s, buf_text(&s->scratch));
	}
	return s;
}

void symbolizer_free(struct symbolizer *s)
{
	struct file *f, *f_next;
	struct address *a, *a_next;
	struct text *t, *t_next;

	if (!s)
		return;
	HASH_ITER (hh, s->files, f, f_next) {
		HASH_DEL(s->files, f);
		native_free(f->native);
		free(f->main_loop);
		free(f);
	}
	HASH_ITER (hh, s->addresses, a, a_next) {
		HASH_DEL(s->addresses, a);
		free(a);
	}
	HASH_ITER (hh, s->texts, t, t_next) {
		HASH_DEL(s->texts, t);
		free(t);
	}
	kernel_free(s->kernel);
	buf_release(&s->scratch);
	free(s->frame);
	free(s->name);
	free(s);
}

static void find_main_loops(struct file *f, const char *const *name)
{
	u64 vaddr;

	for (; name && *name; name++) {
		if (module_dynsym(f->module, *name, &vaddr, NULL))
			continue;
		f->main_loop = xgrow(f->main_loop, f->main_loops, &f->capacity,
				     sizeof(*f->main_loop));
		f->main_loop[f->main_loops++] = vaddr;
	}
}

static struct file *find_file(struct symbolizer *s, u32 id)
{
	const struct module *m;
	struct file *f;
	u64 vaddr;

	HASH_FIND(hh, s->files, &id, sizeof(id), f);
	if (f)
		return f;
	/* Not remembered: it may become known. */
	m = s->config.module(s->config.ctx, id);
	if (!m)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->id = id;
	f->module = m;
	f->native = native_new(m);
	f->name = intern(s, m->name ? m->name : "?");
	f->libc = !module_dynsym(m, "__libc_start_main", &vaddr, NULL);
	for (int i = 0; i < WALKER_COUNT; i++)
		find_main_loops(f, walkers[i]->main_loops);
	HASH_ADD(hh, s->files, id, sizeof(f->id), f);
	return f;
}

/* A stripped program does not say which function is _start, its header does. */
static bool is_entry_point(const struct module *m, u64 vaddr)
{
	GElf_Ehdr header;

	return m->is_exec && gelf_getehdr(m->elf, &header) &&
	       header.e_entry == vaddr;
}

static const char *read_text(struct symbolizer *s, struct address *a,
			     bool *bare)
{
	struct fold_frame *f = &a->frame;

	if (f->text)
		return f->text;
	buf_reset(&s->scratch);
	*bare = !native_name(a->file->native, frame_addr(a->word), &s->scratch);
	f->text = intern(s, buf_text(&s->scratch));
	return f->text;
}

static void read_line(struct symbolizer *s, struct address *a)
{
	buf_reset(&s->scratch);
	buf_adds(&s->scratch, " (");
	if (!native_line(a->file->native, frame_addr(a->word), &s->scratch))
		return;
	buf_addc(&s->scratch, ')');
	a->frame.line = intern(s, buf_text(&s->scratch));
}

#define MAX_NAMES 3 /* shown of a function that has many */

/* "floor|ceiling|sqrt|..." for a function with many names. */
static const char *shorten(struct symbolizer *s, const char *names)
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
	return intern(s, buf_text(&s->scratch));
}

/* Which interpreter the address belongs to, and what its walker says of it. */
static void ask_walkers(struct symbolizer *s, struct address *a, u64 start)
{
	const struct module *m = a->file->module;
	struct fold_frame *f = &a->frame;
	const char *script;

	for (int i = 0; i < WALKER_COUNT && !f->walker; i++) {
		const struct walker *w = walkers[i];

		if (!m->walker[i] ||
		    (w->internal &&
		     !w->internal(m->walker[i], frame_addr(a->word))))
			continue;
		f->walker = w;
		f->title = s->title[i];
		script = w->symbol && start ? w->symbol(m->walker[i], start)
					    : NULL;
		if (!script)
			continue;
		f->script = intern(s, script);
		f->label = shorten(s, script);
	}
}

static void resolve(struct symbolizer *s, struct address *a)
{
	struct fold_frame *f = &a->frame;
	u64 start = native_function(a->file->native, frame_addr(a->word));
	bool bare = false;

	f->module = a->file->name;
	if (start)
		f->start = frame_native(a->file->id, start);
	for (size_t i = 0; i < a->file->main_loops; i++) {
		if (a->file->main_loop[i] == start)
			f->flags |= FOLD_MAIN_LOOP;
	}
	ask_walkers(s, a, start);
	if (s->config.lines && (!f->walker || s->config.internals))
		read_line(s, a);
	if (f->walker)
		return;
	if (start_is_name(read_text(s, a, &bare)) ||
	    (start && is_entry_point(a->file->module, start)))
		f->flags |= FOLD_START_UP;
	if (bare && a->file->libc)
		f->flags |= FOLD_BARE_LIBC;
}

/* NULL when the file is not known. */
static struct address *find_address(struct symbolizer *s, u64 word)
{
	struct address *a;
	struct file *f;

	HASH_FIND(hh, s->addresses, &word, sizeof(word), a);
	if (a)
		return a;
	f = find_file(s, frame_file(word));
	if (!f)
		return NULL;
	a = xcalloc(1, sizeof(*a));
	a->word = word;
	a->file = f;
	a->frame.kind = NAME_NATIVE;
	resolve(s, a);
	HASH_ADD(hh, s->addresses, word, sizeof(a->word), a);
	return a;
}

static struct fold_frame native_frame(struct symbolizer *s, u64 word)
{
	struct address *a = find_address(s, word);
	bool bare;

	if (!a)
		return (struct fold_frame){ .kind = NAME_NATIVE,
					    .text = UNKNOWN };
	if (s->config.internals)
		read_text(s, a, &bare);
	return a->frame;
}

enum status_class { ROOT, LOST, CUT, TCL, R, HOST, NATIVE };

/* false: a whole stack needs no frame that says so. */
static bool status_frame(struct symbolizer *s, u64 status,
			 struct fold_frame *out)
{
	static const struct {
		enum status_class class;
		const char *text;
	} statuses[] = {
#define X(id, class, text) [id] = { class, text },
		WALK_STATUSES(X)
#undef X
	};

	/* What stands outward of the first one may be wrong: that says it all. */
	if (status == NATIVE_CHAIN && s->chained && !s->config.internals)
		return false;
	s->chained |= status == NATIVE_CHAIN;
	buf_reset(&s->scratch);
	if (status >= WALK_STATUS_COUNT)
		buf_adds(&s->scratch, "[cut: unknown reason]");
	else if (statuses[status].class == ROOT)
		return false;
	else if (statuses[status].class == CUT)
		buf_addf(&s->scratch, "[cut: %s]", statuses[status].text);
	else
		buf_addf(&s->scratch, "[%s]", statuses[status].text);
	*out = (struct fold_frame){ .kind = NAME_STATUS,
				    .text = intern(s, buf_text(&s->scratch)) };
	return true;
}

/* Words that are no frame: what is to be known of the walker's next one outward. */
static bool take_line(struct symbolizer *s, const u64 *word, u32 id)
{
	const struct walker *w = walkers[id];

	if (w->aside && w->aside(word[0])) {
		s->aside[id] = true;
		return true;
	}
	buf_reset(&s->scratch);
	if (!w->line || !w->line(word, &s->config.texts, &s->scratch))
		return false;
	if (s->config.lines && s->scratch.len)
		s->line[id] = intern(s, buf_text(&s->scratch));
	return true;
}

/* Words that are no frame: how the function of the frame just inward, which ends
 * before out, was called. */
static bool take_called(struct symbolizer *s, const u64 *word,
			const struct walker *w, struct fold_frame *out)
{
	buf_reset(&s->scratch);
	if (!w->called || !w->called(word, &s->config.texts, &s->scratch))
		return false;
	if (out > s->frame && out[-1].walker == w)
		fold_called(out - 1, intern(s, buf_text(&s->scratch)));
	return true;
}

/* false: not to be shown. */
static bool script_frame(struct symbolizer *s, const u64 *word,
			 struct fold_frame *out)
{
	u32 id = frame_kind(*word) - FRAME_WALKER;
	const struct walker *w = id < WALKER_COUNT ? walkers[id] : NULL;
	const char *line;
	bool aside;

	if (!w || take_line(s, word, id) || take_called(s, word, w, out))
		return false;
	line = s->line[id];
	aside = s->aside[id];
	s->line[id] = NULL;
	s->aside[id] = false;
	buf_reset(&s->scratch);
	if (!w->frame_name ||
	    !w->frame_name(word, &s->config.texts, &s->scratch))
		return false;
	*out = (struct fold_frame){
		.kind = NAME_SCRIPT,
		.flags = aside ? FOLD_ASIDE : 0,
		.text = intern(s, buf_text(&s->scratch)),
		.line = line,
		.walker = w,
		.entry = w->entry ? w->entry(word) : 0,
	};
	return true;
}

static bool decode(struct symbolizer *s, const u64 *word,
		   struct fold_frame *out)
{
	switch (frame_kind(*word)) {
	case FRAME_NONE:
		return false;
	case FRAME_NATIVE:
		*out = native_frame(s, *word);
		return true;
	case FRAME_UNMAPPED:
		*out = (struct fold_frame){ .kind = NAME_NATIVE,
					    .text = UNKNOWN };
		return true;
	case FRAME_KERNEL:
		*out = (struct fold_frame){
			.kind = NAME_KERNEL,
			.text = kernel_name(s->kernel, *word),
		};
		return true;
	case FRAME_STATUS:
		return status_frame(s, *word & FRAME_VALUE58_MASK, out);
	default:
		return script_frame(s, word, out);
	}
}

/* Fill s->frame, outermost first. */
static size_t read_frames(struct symbolizer *s, const u64 *word, size_t words)
{
	size_t n = 0;

	memset(s->line, 0, sizeof(s->line));
	memset(s->aside, 0, sizeof(s->aside));
	s->chained = false;
	for (size_t i = 0; i < words; i += 1 + frame_extra(word[i])) {
		if (frame_extra(word[i]) >= words - i)
			break;
		s->frame = xgrow(s->frame, n, &s->frame_capacity,
				 sizeof(*s->frame));
		n += decode(s, word + i, &s->frame[n]);
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct fold_frame f = s->frame[i];

		s->frame[i] = s->frame[n - 1 - i];
		s->frame[n - 1 - i] = f;
	}
	return n;
}

static const char *full_text(struct symbolizer *s, const struct fold_frame *f)
{
	if (!f->line)
		return f->text;
	buf_reset(&s->scratch);
	buf_adds(&s->scratch, f->text);
	buf_adds(&s->scratch, f->line);
	return intern(s, buf_text(&s->scratch));
}

size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct stack_name **names)
{
	size_t n = read_frames(s, word, words);

	if (s->config.lexical)
		n = fold_lexical(s->frame, n);
	if (!s->config.internals)
		n = fold_stack(s->frame, n, root);
	for (size_t i = 0; i < n; i++) {
		const struct fold_frame *f = &s->frame[i];

		s->name =
			xgrow(s->name, i, &s->name_capacity, sizeof(*s->name));
		s->name[i] = (struct stack_name){ full_text(s, f), f->module,
						  f->kind };
	}
	*names = s->name;
	return n;
}

const char *symbolizer_native(struct symbolizer *s, u64 word)
{
	struct address *a =
		frame_kind(word) == FRAME_NATIVE ? find_address(s, word) : NULL;
	bool bare;

	return a ? read_text(s, a, &bare) : UNKNOWN;
}
