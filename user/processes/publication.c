/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Makes a process ready: its mappings and its walkers' values go to the kernel side.
 *
 * The mappings are written into the arena, the walkers' values into their maps, and
 * last the entry.  A sample so never finds half of it.
 *
 * Every publication has a new serial, which makes all cached rules of the process void.
 * So a file that was unmapped and another one at its place cannot be mixed up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/files/modules.h"
#include "user/processes/process.h"
#include "user/processes/survey.h"
#include "user/files/tables.h"
#include "user/elf/module.h"
#include "user/target/memory.h"
#include "user/unwind/arena.h"
#include "walkers/walker.h"

#define MAX_TRIES 8 /* a running process may be read at a bad moment */

static struct mapping_table *store_table(struct tracker *t,
					 const struct survey *s)
{
	struct tables *tables = modules_tables(t->config.modules);
	struct mapping_table *table = xcalloc(1, sizeof(*table));

	table->maps = s->n;
	table->chunks = (s->n + 1) / 2;
	table->users = 1;
	if (table->chunks &&
	    tables_alloc(tables, table->chunks, &table->first)) {
		free(table);
		return NULL;
	}
	table->mapping = xmalloc(s->n * sizeof(*table->mapping) + 1);
	for (size_t i = 0; i < s->n; i++) {
		struct unwind_mapping *pair =
			arena_chunk(t->config.arena, table->first + i / 2);

		table->mapping[i] = s->mapping[i];
		tables_map(tables, s->mapping[i].file);
		pair[i & 1] = s->mapping[i];
		if (!(i & 1))
			memset(&pair[1], 0xff, sizeof(pair[1]));
	}
	return table;
}

static enum walker_state state_after(int attached)
{
	if (attached > 0)
		return WALKER_PROVEN;
	return attached == -EAGAIN || attached == -ENODATA ||
			       attached == -ENOTSUP
		       ? WALKER_UNPROVEN
		       : WALKER_WAITING;
}

/* A lasting failure is reported.  The walker is then given up, unless it may still
 * succeed later (-ENODATA). */
static void note_failure(struct process *p, size_t i, int err, const char *why)
{
	bool is_said = p->tries[i] == MAX_TRIES;

	if (err >= 0 || err == -ESRCH || err == -EAGAIN)
		return;
	p->tries[i] += !is_said;
	if (p->tries[i] < MAX_TRIES || (err == -ENODATA && is_said))
		return;
	if (err != -ENODATA)
		p->walker[i] = WALKER_REFUSED;
	log_warn("process %d: %s frames cannot be shown%s: %s", p->pid,
		 walkers[i]->title, err == -ENODATA ? " yet" : "", why);
}

/* Let one walker prove itself on the process. */
static void attach(struct tracker *t, struct process *p, const struct survey *s,
		   const struct maps *maps, size_t i)
{
	const struct walker *w = walkers[i];
	const struct survey_file *with = s->with[i];
	_Alignas(8) char value[4096] = { 0 };
	struct buf why = { 0 };
	int got = 1;

	memory_forget();
	for (u32 k = w->process.adds ? 0 : s->files[i] - 1;
	     k < s->files[i] && got > 0 && w->process.attach; k++)
		got = w->process.attach(p->pid, with[k].m, with[k].bias, maps,
					with[k].m->walker[i], value, &why);
	memory_forget();
	p->walker[i] = state_after(got);
	note_failure(p, i, got, buf_text(&why));
	/* Keep what line numbers will need: the process may have ended when they are
	 * written. */
	if (got > 0 && w->process.texts && t->config.keep.add)
		w->process.texts(t->config.proc, p->pid, value,
				 &t->config.keep);
	if (got <= 0)
		walker_entry_drop(t->config.engine, w, p->pid);
	else if (walker_entry_put(t->config.engine, w, p->pid, value))
		/* Its frames are counted like those of a walker that is not proven. */
		p->walker[i] = WALKER_WAITING;
	buf_release(&why);
}

static u64 sum_of(const struct survey *s, size_t walker)
{
	u64 sum = 0;

	for (u32 k = 0; k < s->files[walker]; k++)
		sum = sum * 31 + s->with[walker][k].bias +
		      s->with[walker][k].m->id;
	return sum;
}

/* Let the walkers prove themselves.  Returns one bit per walker that just has. */
static u32 attach_all(struct tracker *t, struct process *p,
		      const struct survey *s, const struct maps *maps)
{
	u32 bits = 0;

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		u64 files = sum_of(s, i);
		bool more = walkers[i]->process.adds && p->files[i] != files;

		/* All of them have been unmapped. */
		if (more && !files && p->walker[i] == WALKER_PROVEN) {
			walker_entry_drop(t->config.engine, walkers[i], p->pid);
			p->walker[i] = WALKER_ABSENT;
		}
		if (!s->files[i] || p->walker[i] == WALKER_REFUSED ||
		    (p->walker[i] == WALKER_PROVEN && !more))
			continue;
		attach(t, p, s, maps, i);
		p->files[i] = files;
		if (p->walker[i] == WALKER_PROVEN)
			bits |= 1u << i;
	}
	return bits;
}

/* Drop the new walker values when the process has no entry of ours: it has ended, has
 * begun another program, or found no room.  Nothing else would remove them. */
static void keep_attached(struct tracker *t, struct process *p, u32 bits)
{
	struct process_entry now = { 0 };

	if (!bits || (!engine_get_process(t->config.engine, p->pid, &now) &&
		      now.serial == p->serial))
		return;
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!(bits >> i & 1))
			continue;
		walker_entry_drop(t->config.engine, walkers[i], p->pid);
		p->walker[i] = WALKER_WAITING;
	}
}

static u32 next_serial(void)
{
	static u32 serial;

	serial = (serial + 1) & ~SERIAL_FROM_KERNEL;
	return serial ? serial : ++serial;
}

static u32 walker_bits(const struct process *p)
{
	return process_walkers(p, 1u << WALKER_PROVEN | 1u << WALKER_WAITING);
}

static bool has_same(const struct mapping_table *table, const struct survey *s)
{
	return table->maps == s->n &&
	       (!s->n || !memcmp(table->mapping, s->mapping,
				 s->n * sizeof(*s->mapping)));
}

/* Whether the entry says all this already.  Cached rules then stay valid. */
static bool is_published(const struct tracker *t, const struct process *p,
			 const struct survey *s,
			 const struct process_entry *entry)
{
	return p->table && entry->state == PROCESS_READY &&
	       entry->serial == p->serial &&
	       !engine_has_noted(t->config.engine, p->pid, entry->since) &&
	       !process_is_replaced(p, p->serial, ~0ull) &&
	       entry->walkers == walker_bits(p) && entry->strays == p->strays &&
	       entry->maps_first == p->table->first && has_same(p->table, s);
}

/* Write the entry, unless the kernel side has changed it since before. */
static int publish(struct tracker *t, struct process *p,
		   const struct process_entry *before)
{
	struct process_entry now = { 0 }, entry = {
		.serial = next_serial(),
		.state = PROCESS_READY,
		.maps_first = p->table->first,
		.maps = p->table->maps,
		.walkers = walker_bits(p),
		.memory = before->memory,
		.since = p->examined,
		.strays = p->strays,
	};
	int err;

	/* An entry of another serial than the notices told of may belong to another
	 * program. */
	if (before->memory && before->memory_of == before->serial &&
	    before->serial == p->serial)
		entry.memory_of = entry.serial;
	entry.fresh = entry.serial;
	engine_get_process(t->config.engine, p->pid, &now);
	if (now.serial != before->serial)
		return -EAGAIN;
	err = engine_put_process(t->config.engine, p->pid, &entry,
				 p->serial || before->serial);
	if (err)
		return err;
	p->serial = entry.serial;
	p->published = now_ns();
	return 0;
}

/* Replace the process's table by the survey's mappings. */
static int replace(struct tracker *t, struct process *p, const struct survey *s,
		   const struct process_entry *before)
{
	bool is_noted =
		engine_has_noted(t->config.engine, p->pid, before->since);
	struct mapping_table *old = p->table;
	int err;

	p->table = store_table(t, s);
	err = p->table ? publish(t, p, before) : -ENOSPC;
	if (err) {
		mapping_table_drop(t, &p->table);
		p->table = old;
		return err;
	}
	process_published(p, old, before->serial, is_noted);
	mapping_table_drop(t, &old);
	return 0;
}

int publication_make(struct tracker *t, struct process *p,
		     const struct survey *s, const struct maps *maps,
		     const struct process_entry *before)
{
	u32 attached;
	int err = 0;

	p->partial = s->partial;
	p->strays = p->strays && p->table && has_same(p->table, s);
	attached = attach_all(t, p, s, maps);
	if (!is_published(t, p, s, before))
		err = replace(t, p, s, before);
	keep_attached(t, p, attached);
	for (size_t i = 0; i < s->n && !err; i++)
		tables_want(modules_tables(t->config.modules),
			    s->mapping[i].file);
	return err;
}
