/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A deferred sample is walked by what its process had mapped at the sample's time.  The
 * kernel's records of mappings tell that (map_history.c); older mappings are known from
 * /proc, as they were published.  When a table that the walk needs is missing, the
 * sample waits, and is walked from the beginning once the table is there.  Where tables
 * take turns in the arena, the sample keeps what it has found: it needs each table only
 * once, so it is walked in the end.
 *
 * Native frames come out as if they had been found at once.  An interpreter's own
 * stacks have changed since the sample was taken: where script frames would stand, one
 * frame says that they are not known, and that is counted.
 */
#include "user/processes/deferred.h"

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/files/modules.h"
#include "user/processes/process.h"
#include "user/files/tables.h"
#include "user/elf/module.h"
#include "user/unwind/unwind.h"
#include "walkers/walker.h"

/* What is known of one frame. */
struct found {
	struct unwind_rule rule;
	u64 word, vaddr;
	u32 status;
};

struct deferred_item {
	struct sample *sample;
	size_t len;
	struct found *found; /* of the frames from the first on */
	size_t n_found, capacity;
};

static void item_release(struct tracker *t, struct deferred_item *i)
{
	t->bytes -= i->len;
	free(i->sample);
	free(i->found);
}

void deferred_add(struct tracker *t, struct process *p, struct sample *s,
		  size_t len)
{
	struct deferred_list *b = &p->deferred;

	b->item = xgrow(b->item, b->n, &b->capacity, sizeof(*b->item));
	b->item[b->n++] = (struct deferred_item){ .sample = s, .len = len };
	if (s->time > b->newest)
		b->newest = s->time;
	t->bytes += len;
	if (t->bytes > t->sum.most_bytes)
		t->sum.most_bytes = t->bytes;
}

u64 deferred_oldest(const struct deferred_list *b)
{
	return b->n ? b->item[0].sample->time : ~0ull;
}

/* The walk of one sample. */
struct attempt {
	const struct tracker *tracker;
	struct process *process;
	const struct deferred_sink *sink;
	const struct sample *sample;
	struct deferred_item *item; /* the sample's */
	size_t at;		    /* number of the frame */
	u64 *word;
	size_t words, capacity;
	u32 next;   /* index of the next FRAME_KEY in the sample's words */
	u32 placed; /* walkers with placed keyed frames, as bits */
	const struct module *module; /* of the current frame */
	u64 vaddr;
	bool waits;
	bool is_marked; /* a frame says that script frames are missing, and
			 * no native frame has followed */
	u32 hidden[WALKER_COUNT];
	u32 chained; /* frames found by frame pointer */
};

static const struct unwind_mapping *
find_published(const struct mapping_table *table, u64 address)
{
	size_t low =
		table ? SEARCH(table->mapping, table->maps, start, address) : 0;

	if (!low || address >= table->mapping[low - 1].end)
		return NULL;
	return &table->mapping[low - 1];
}

/* Whether mapping events that the walk may need have been forgotten: those between the
 * sample and the publication, or before both if nothing was published. */
static bool is_forgotten(const struct attempt *a)
{
	const struct process *p = a->process;
	u64 time = a->sample->time;

	return map_history_has_gap(&p->history,
				   p->examined < time ? p->examined : time);
}

/* Finds the file at an address, and the address in that file.  Returns false when none
 * is known. */
static bool find_file(const struct attempt *a, u64 address, u32 *file,
		      u64 *vaddr)
{
	const struct process *p = a->process;
	const struct unwind_mapping *m;
	u64 time = a->sample->time;

	m = map_history_find(&p->history, time, address);
	if ((!m || m->file == MAP_NO_FILE) && !is_forgotten(a) &&
	    map_history_holds(&p->history, time, address, p->examined, p->seen))
		m = find_published(p->table, address);
	if (!m || m->file == MAP_NO_FILE)
		return false;
	*file = m->file;
	*vaddr = address - m->bias;
	return true;
}

/* Take what was found for the frame when the sample was last walked. */
static bool find_again(struct attempt *a, struct unwind_rule *rule, u64 *word,
		       u32 *status)
{
	const struct found *f;

	if (a->at >= a->item->n_found)
		return false;
	f = &a->item->found[a->at++];
	*rule = f->rule;
	*word = f->word;
	*status = f->status;
	a->vaddr = f->vaddr;
	a->module =
		modules_get(a->tracker->config.modules, frame_file(f->word));
	return true;
}

static void remember(struct attempt *a, const struct unwind_rule *rule,
		     u64 word, u32 status)
{
	struct deferred_item *i = a->item;

	if (a->at++ != i->n_found ||
	    !tables_crowded(modules_tables(a->tracker->config.modules)))
		return;
	i->found = xgrow(i->found, i->n_found, &i->capacity, sizeof(*i->found));
	i->found[i->n_found++] =
		(struct found){ *rule, word, a->vaddr, status };
}

static u32 find_rule(void *ctx, u64 address, struct unwind_rule *rule,
		     u64 *word)
{
	struct attempt *a = ctx;
	const struct tracker *t = a->tracker;
	struct process *p = a->process;
	u32 file, status;

	a->module = NULL;
	if (find_again(a, rule, word, &status))
		return status;
	*word = frame_value58(FRAME_UNMAPPED, address);
	if (!find_file(a, address, &file, &a->vaddr)) {
		a->waits = !p->ended && p->examined <= a->sample->time;
		p->dirty |= a->waits || !p->strays;
		p->strays |= !a->waits;
		return is_forgotten(a) ? CUT_FORGOTTEN : CUT_NO_MAPPING;
	}
	*word = frame_native(file, a->vaddr);
	a->module = modules_get(a->tracker->config.modules, file);
	status = tables_rule(modules_tables(a->tracker->config.modules), file,
			     a->vaddr, rule);
	if (status != CUT_NOT_READY)
		remember(a, rule, *word, status);
	a->waits = status == CUT_NOT_READY && !t->last;
	if (status == CUT_NOT_READY && t->last && !t->late)
		status = CUT_NO_ROOM;
	return status;
}

static bool find_code(void *ctx, u64 address, u64 *out)
{
	const struct attempt *a = ctx;
	const struct module *m = NULL;
	u32 file;
	u64 vaddr;

	if (find_file(a, address, &file, &vaddr))
		m = modules_get(a->tracker->config.modules, file);
	return m && !module_read(m, vaddr, out, sizeof(*out));
}

static void push(struct attempt *a, u64 word)
{
	a->word = xgrow(a->word, a->words, &a->capacity, sizeof(*a->word));
	a->word[a->words++] = word;
}

/* One bit per walker that has frames among these words. */
static u32 walkers_of(const struct sample *s, u32 i, u32 end)
{
	u32 bits = 0;

	for (; i < end; i += 1 + frame_extra(s->word[i])) {
		u32 id = frame_kind(s->word[i]) - FRAME_WALKER;

		if (id < WALKER_COUNT)
			bits |= 1u << id;
	}
	return bits;
}

/* Place the keyed frames that lie below a native frame's end. */
static void push_keyed(struct attempt *a, u64 cfa)
{
	const struct sample *s = a->sample;

	while (a->next < s->words && frame_value(s->word[a->next]) < cfa) {
		u32 i = a->next + 1, end;

		for (; i < s->words && frame_kind(s->word[i]) != FRAME_KEY;
		     i = end) {
			end = i + 1 + frame_extra(s->word[i]);
			for (; i < end && i < s->words; i++)
				push(a, s->word[i]);
		}
		a->placed |= walkers_of(s, a->next, i);
		a->next = i;
	}
}

/* Push the frames that say which walkers' frames are missing here. */
static void push_hidden(struct attempt *a)
{
	bool is_interpreter = false;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const void *data = a->module->walker[i];
		u64 word = 0;

		is_interpreter |= data != NULL;
		if (data && walkers[i]->file.hidden &&
		    !(deferred_of(a->sample)->keyed >> i & 1))
			word = walkers[i]->file.hidden(data, a->vaddr);
		if (!word || a->is_marked)
			continue;
		push(a, word);
		a->hidden[i]++;
		a->is_marked = true;
	}
	if (!is_interpreter)
		a->is_marked = false;
}

static void take_frame(void *ctx, u64 word, const struct unwind_rule *rule,
		       u64 cfa)
{
	struct attempt *a = ctx;

	if (rule)
		push_keyed(a, cfa);
	if (a->module && rule)
		push_hidden(a);
	a->chained += frame_kind(word) == FRAME_STATUS;
	push(a, word);
}

/* Count the keyed frames that were not placed, and mark that they are missing.  Only
 * called when the walk reached the root. */
static void count_left(struct attempt *a)
{
	const struct sample *s = a->sample;
	u32 left = walkers_of(s, a->next, s->words);

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker_process_ops *p = &walkers[i]->process;
		bool here = a->placed >> i & 1;

		if (!(left >> i & 1))
			continue;
		a->sink->count(a->sink->ctx, here ? p->unplaced : p->elsewhere);
		if (here)
			push(a, frame_value58(FRAME_STATUS, p->unplaced));
	}
}

/* Say which walkers were not there yet, if no native frame tells that they may miss some. */
static void push_not_ready(struct attempt *a)
{
	const struct process *p = a->process;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		u32 status = walkers[i]->process.not_ready;

		if (a->sample->status != LOST_NOT_READY ||
		    walkers[i]->file.hidden || p->walker[i] != WALKER_PROVEN)
			continue;
		push(a, frame_value58(FRAME_STATUS, status));
		a->sink->count(a->sink->ctx, status);
	}
}

/* Returns false when something is still missing. */
static bool walk(struct attempt *a)
{
	const struct unwind_env env = { .rule = find_rule,
					.frame = take_frame,
					.code = find_code,
					.ctx = a };
	const struct sample *s = a->sample;
	u32 status = s->status;

	for (u32 i = 0; i < deferred_of(s)->placed; i++)
		push(a, s->word[i]);
	a->next = deferred_of(s)->placed;
	if (deferred_is_open(status))
		status = unwind_deferred(deferred_of(s), &env);
	if (a->waits)
		return false;
	push_not_ready(a);
	if (!sample_is_whole(status))
		push(a, frame_value58(FRAME_STATUS, status));
	for (size_t i = 0; i < WALKER_COUNT; i++)
		for (u32 n = 0; n < a->hidden[i]; n++)
			a->sink->count(a->sink->ctx,
				       walkers[i]->process.not_ready);
	for (u32 n = 0; n < a->chained; n++)
		a->sink->count(a->sink->ctx, NATIVE_CHAIN);
	if (status == WALK_ROOT)
		count_left(a);
	a->sink->take(a->sink->ctx, s, status, a->word, a->words);
	return true;
}

void deferred_walk(struct tracker *t, struct process *p)
{
	struct deferred_list *b = &p->deferred;
	struct attempt a = { 0 };
	size_t left = 0;

	for (size_t i = 0; i < b->n; i++) {
		struct deferred_item item = b->item[i];

		a = (struct attempt){
			.tracker = t,
			.process = p,
			.sink = &t->config.sink,
			.sample = item.sample,
			.item = &item,
			.word = a.word,
			.capacity = a.capacity,
		};
		if (!walk(&a)) {
			b->item[left++] = item;
			continue;
		}
		p->samples += item.sample->weight;
		item_release(t, &item);
	}
	b->n = left;
	free(a.word);
}

void deferred_release(struct tracker *t, struct process *p)
{
	struct deferred_list *b = &p->deferred;

	for (size_t i = 0; i < b->n; i++)
		item_release(t, &b->item[i]);
	free(b->item);
	*b = (struct deferred_list){ 0 };
}
