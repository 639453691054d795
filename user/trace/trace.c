/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Functions are kept by the number that the kernel side gave them.  A function that is
 * compiled or defined anew is another one with the same name: of those, and of functions
 * under one id, the sums are shown.
 */
#include "user/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include <jpbpf/frame.h>

#include "user/elf/module.h"
#include "user/kernel/engine.h"
#include "user/lib/buf.h"
#include "user/lib/frame.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/profile/texts.h"
#include "user/target/proc.h"
#include "user/trace/trace_part.h"
#include "walkers/walker.h"

#define FIRST_NATIVE 0x80000000u /* their ids; the kernel side begins with 1 */

struct trace *trace_new(const struct patterns *patterns, struct engine *engine,
			struct intern *texts)
{
	struct trace *t = xcalloc(1, sizeof(*t));

	*t = (struct trace){ .patterns = patterns,
			     .engine = engine,
			     .texts = texts,
			     .names = intern_new_texts(),
			     .others = intern_new_texts(),
			     .lanes = intern_new() };
	return t;
}

void trace_free(struct trace *t)
{
	struct function *f, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->functions, f, next) {
		HASH_DEL(t->functions, f);
		free(f);
	}
	free(t->entered);
	trace_files_free(t);
	intern_free(t->names);
	intern_free(t->others);
	intern_free(t->lanes);
	free(t);
}

/* ------------------------------------------------------------------- names */

static const char *find_text(void *ctx, u64 id)
{
	return texts_find(ctx, id);
}

static void release(struct walker_text *text)
{
	buf_release(&text->name);
	buf_release(&text->file);
}

/* Finds the language's next text of this kind from word *i on, and sets *i behind it.  The
 * caller releases the text. */
static bool read_next(const struct trace *t, u32 language,
		      const struct sample *s, u32 *i, enum walker_says kind,
		      struct walker_text *text)
{
	const struct walker_texts texts = { find_text, t->texts };

	while (*i < s->words) {
		const u64 *word = &s->word[*i];

		*text = (struct walker_text){ 0 };
		*i += 1 + frame_extra(*word);
		if (frame_kind(*word) != FRAME_WALKER + language ||
		    *i > s->words)
			continue;
		if (walkers[language]->read(word, &texts, text) == kind)
			return true;
		release(text);
	}
	return false;
}

/* The name of a script function as profiles show it.  false: the words do not tell. */
static bool read_script(struct trace *t, u32 language, const struct sample *s,
			struct buf *name)
{
	u32 i = s->kernel_words;
	struct walker_text text;

	if (!read_next(t, language, s, &i, WALKER_FRAME, &text))
		return false;
	if (text.space && *text.space)
		buf_addf(name, "%s%s", text.space,
			 text.flags & FRAME_UNEXPORTED ? ":::" : "::");
	if (text.flags & FRAME_ANONYMOUS)
		buf_addf(name, "<anonymous%s%s>", text.name.len ? " " : "",
			 buf_text(&text.name));
	else
		buf_adds(name, buf_text(&text.name));
	release(&text);
	return true;
}

bool trace_detail(struct trace *t, u32 language, const struct sample *s,
		  struct buf *out)
{
	struct walker_text text;
	bool found = false;

	if (language >= WALKER_COUNT) {
		for (u32 i = 0; i < s->words; i++)
			buf_addf(out, "%s0x%llx", i ? " " : "", s->word[i]);
		return s->words;
	}
	for (u32 i = 0; read_next(t, language, s, &i, WALKER_PLACE, &text);) {
		buf_adds(out, buf_text(&text.name));
		found = true;
		release(&text);
	}
	return found;
}

/* Sets the function's name and the pattern that chooses it. */
static void find_name(struct trace *t, struct function *f,
		      const struct sample *s)
{
	_cleanup_buf_ struct buf name = { 0 };

	if (f->language < WALKER_COUNT && read_script(t, f->language, s, &name))
		f->pattern = patterns_find(t->patterns, f->language, NULL,
					   buf_text(&name));
	f->name = intern_text(t->names, buf_text(&name));
	if (!f->pattern && name.len)
		trace_offer(t, f->language, NULL, buf_text(&name));
}

/* ----------------------------------------------------------------- answers */

static void answer(struct trace *t, const struct function *f,
		   const struct sample *s)
{
	struct call_answer answer = {
		.key = { { s->word[0], s->word[1] }, f->pid, s->source },
		.function = { f->id, f->pattern ? CALL_WANTED : CALL_UNWANTED },
	};

	engine_answer(t->engine, &answer);
	if (!f->pattern)
		bpf_map_delete_elem(engine_map(t->engine, "call_rows"), &f->id);
}

void trace_take(struct trace *t, const struct sample *s)
{
	struct function *f;

	if (s->kernel_words != 2) {
		trace_tell(t, s);
		return;
	}
	f = xcalloc(1, sizeof(*f));
	f->id = s->value;
	f->language = s->source;
	f->pid = s->pid;
	f->key = s->word[0];
	memcpy(f->comm, s->comm, sizeof(f->comm));
	if (s->words - 2 <= MAX_WORDS) {
		f->words = s->words - 2;
		memcpy(f->word, s->word + 2, f->words * sizeof(u64));
	}
	find_name(t, f, s);
	log_debug("%s function %s of process %d: %s",
		  pattern_language(f->language),
		  (const char *)intern_get(t->names, f->name, NULL), f->pid,
		  f->pattern ? "chosen" : "not chosen");
	answer(t, f, s);
	if (f->pattern) {
		HASH_ADD(hh, t->functions, id, sizeof(f->id), f);
	} else {
		free(f);
	}
}

struct function *trace_know(struct trace *t, const struct walker_site *site,
			    u32 file, u64 vaddr, const char *name)
{
	_cleanup_free_ char *comm =
		proc_line(site->proc, site->pid, "comm", "\n");
	const struct call_key key = { { site->bias + vaddr },
				      site->pid,
				      CALL_NATIVE };
	struct call_function value = { .state = CALL_WANTED };
	const struct call_row row = { 0 };
	struct function *f = xcalloc(1, sizeof(*f));

	*f = (struct function){
		.id = FIRST_NATIVE + t->natives++,
		.language = CALL_NATIVE,
		.pid = site->pid,
		.name = intern_text(t->names, name),
		.file = intern_text(t->names, site->m->name),
		.pattern = patterns_find(t->patterns, CALL_NATIVE,
					 site->m->name, name),
		.words = 1,
		.word = { frame_native(file, vaddr) },
	};
	strncat(f->comm, comm ? comm : "", sizeof(f->comm) - 1);
	HASH_ADD(hh, t->functions, id, sizeof(f->id), f);
	value.id = f->id;
	if (bpf_map_update_elem(engine_map(t->engine, "call_rows"), &f->id,
				&row, BPF_ANY) ||
	    bpf_map_update_elem(engine_map(t->engine, "call_functions"), &key,
				&value, BPF_ANY))
		log_warn("process %d: calls of %s are not counted: %m", f->pid,
			 name);
	return f;
}

/* ------------------------------------------------------------------ tables */

struct function *trace_function(const struct trace *t, u32 id)
{
	struct function *f;

	HASH_FIND(hh, t->functions, &id, sizeof(id), f);
	return f;
}

bool trace_chooses(const struct trace *t)
{
	return t->functions;
}

static void add_row(struct call_row *to, const struct call_row *from)
{
	for (size_t i = 0; i < CALL_LEFT_COUNT; i++)
		to->left[i] += from->left[i];
	for (size_t i = 0; i < CALL_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
	to->ended += from->ended;
	to->unseen += from->unseen;
	to->total += from->total;
	to->self += from->self;
	to->suspended += from->suspended;
	to->direct += from->direct;
	to->outermost += from->outermost;
	to->inner += from->inner;
	if (from->least && (!to->least || from->least < to->least))
		to->least = from->least;
	if (from->most > to->most)
		to->most = from->most;
}

/* The table's row of the function: its own, or that of its name or id. */
static size_t row_of(const struct trace *t, struct trace_table *table,
		     struct intern *rows, const struct function *f)
{
	const char *id = f->pattern->id;
	const char *name = intern_get(t->names, f->name, NULL);
	const struct intern_key key = { &f->language, sizeof(f->language),
					id ? id : name,
					strlen(id ? id : name) + 1 };
	u32 n = intern_id(rows, &key, true);

	if (n == table->n)
		table->function[table->n++] = (struct trace_function){
			.language = f->language,
			.name = name,
			.id = id,
			.stepped = f->stepped,
		};
	return n;
}

/* Counts the calls that are open. */
static void count_open(const struct trace *t, struct trace_table *table)
{
	int fd = engine_map(t->engine, "call_buckets");
	struct call_bucket bucket;

	for (u32 i = 0; i < 1u << CALL_BUCKET_LOG; i++) {
		if (bpf_map_lookup_elem(fd, &i, &bucket))
			return;
		for (u32 k = 0; k < CALL_BUCKET; k++) {
			const struct call_open *open = &bucket.open[k];
			const struct function *f =
				bucket.tag[k] && open->pid
					? trace_function(t, open->id)
					: NULL;

			if (f)
				table->function[f->row].open++;
		}
	}
}

static int compare(const void *a, const void *b)
{
	const struct trace_function *x = a, *y = b;

	if (x->row.total != y->row.total)
		return x->row.total > y->row.total ? -1 : 1;
	return x->calls != y->calls ? (x->calls > y->calls ? -1 : 1)
				    : strcmp(x->name, y->name);
}

/* Sums the calls up, and leaves functions out that were not called. */
static void finish(struct trace_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->n; i++) {
		struct trace_function *f = &table->function[i];

		f->open += f->row.ended;
		table->unseen += f->row.unseen;
		f->calls = f->open;
		for (size_t k = 0; k < CALL_LEFT_COUNT; k++)
			f->calls += f->row.left[k];
		if (f->calls)
			table->function[kept++] = *f;
	}
	table->n = kept;
	qsort(table->function, table->n, sizeof(*table->function), compare);
}

void trace_read(struct trace *t, struct trace_table *table)
{
	int fd = engine_map(t->engine, "call_rows");
	struct intern *rows = intern_new();
	struct function *f, *next;

	*table = (struct trace_table){ 0 };
	table->function =
		xcalloc(HASH_COUNT(t->functions) + 1, sizeof(*table->function));
	HASH_ITER (hh, t->functions, f, next) {
		struct call_row value;

		f->row = row_of(t, table, rows, f);
		if (!bpf_map_lookup_elem(fd, &f->id, &value))
			add_row(&table->function[f->row].row, &value);
	}
	count_open(t, table);
	finish(table);
	engine_calls_lost(t->engine, &table->lost);
	intern_free(rows);
}

static void take_out(u64 *time, u64 price)
{
	*time = *time > price ? *time - price : 0;
}

void trace_make_net(struct trace_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		struct trace_function *f = &table->function[i];
		u64 calls = f->calls - f->open, own;
		u64 price =
			price_of(&table->price, f->language, f->stepped, &own);

		take_out(&f->row.total,
			 price * f->row.inner + own * f->row.outermost);
		take_out(&f->row.self,
			 (price - own) * f->row.direct + own * calls);
	}
	qsort(table->function, table->n, sizeof(*table->function), compare);
}

void trace_table_release(struct trace_table *table)
{
	free(table->function);
	*table = (struct trace_table){ 0 };
}
