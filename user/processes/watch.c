/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Watchpoints on chosen functions in place of the uprobes that every call pays.
 *
 * Functions become known by uprobes, when they are called first.  Once each pattern has its
 * function, these are watched, and the uprobes go.  A place stays where functions are made:
 * when one of a chosen name is made, the uprobes come back until it is known, too.
 *
 * What comes is attached before what goes is detached.  For a while both tell of a call, and
 * the kernel side takes one (bpf/calls/watch.bpf.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/kernel/engine.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/processes/process.h"
#include "walkers/walker.h"

#define LOOK  100000000ull   /* ns between two looks */
#define AGAIN 10000000000ull /* ns until the share of calls is measured anew */
#define OFTEN \
	2000 /* watched calls between two looks: half of a thread's time */
#define FEW	   1000 /* calls that tell no share */
#define SHARE	   10	/* a watched call costs as much as so many by uprobes */
#define MAX_PLACES 4

enum reason {
	REASON_NOT, /* functions can be watched */
	REASON_CALLS,
	REASON_NONE,
	REASON_MADE,
	REASON_OFTEN,
	/* They are said at once. */
	REASON_OPEN,
	REASON_MANY,
	REASON_SHARE,
	REASON_SLOTS,
};

struct watch {
	u32 walker, file;
	u64 offset[MAX_PLACES], number[MAX_PLACES]; /* of uprobes */
	size_t places;
	u32 enter, made; /* numbers of places */
	u64 ip[MAX_PLACES];
	u32 watch_place[MAX_PLACES];
	size_t ips;
	u32 word, size;
	struct engine_probe *probes; /* NULL: functions are watched */
	struct engine_watch *watches;
	u64 key[CALL_WATCHES];
	size_t keys;
	u64 hits_before, calls_before; /* when the uprobes came */
	u64 made_seen, known_seen, calls_seen;
	u64 known_needed;
	u64 due, since; /* ns */
	enum reason said;
	bool never;
};

static bool attach(struct tracker *t, struct process *p, struct watch *w,
		   const struct module *m)
{
	w->probes = engine_attach_probe(t->config.engine, true, p->pid, m->fd,
					w->offset, w->number, w->places);
	return w->probes;
}

size_t watch_begin(struct tracker *t, struct process *p, const struct module *m,
		   u32 walker, const struct walker_call *call,
		   const u64 *number, size_t n)
{
	_cleanup_free_ struct watch *made = xcalloc(1, sizeof(*made));
	struct watch *w = made;
	u64 vaddr[MAX_PLACES];

	w->walker = walker;
	w->file = call->place.file;
	for (size_t i = 0; i < n; i++) {
		if (call[i].use == CALL_USE_MADE)
			w->made = number[i];
		if (call[i].use == CALL_USE_EACH && w->places < MAX_PLACES) {
			vaddr[w->places] = call[i].vaddr;
			w->enter = number[i]; /* the last */
			w->number[w->places++] = number[i];
		}
		if (call[i].use == CALL_USE_WATCH && w->ips < MAX_PLACES) {
			w->word = call[i].word;
			w->size = call[i].size;
			w->watch_place[w->ips] = number[i];
			w->ip[w->ips++] = call[i].place.bias + call[i].vaddr;
		}
	}
	for (size_t i = 0; i < w->places; i++)
		if (module_vaddr_to_offset(m, vaddr[i], &w->offset[i]))
			return 0;
	if (!attach(t, p, w, m))
		/* One by one, and it says why. */
		return probes_add(t, p, true, m, vaddr, w->number, w->places);
	p->watch = w;
	made = NULL;
	return w->places;
}

/* ----------------------------------------------------------------- reasons */

/* Why not to watch. */
static enum reason reason_of(const struct tracker *t, const struct watch *w,
			     const struct walker_chosen *c, u64 hits)
{
	u64 calls = c->calls - w->calls_before;

	if (c->open)
		return REASON_OPEN;
	if (c->n > CALL_WATCHES)
		return REASON_MANY;
	if (c->none)
		return REASON_NONE;
	if (c->known < w->known_needed)
		return REASON_MADE;
	if (t->config.calls.mode != CALL_MODE_AUTO)
		return REASON_NOT;
	if (!w->probes)
		return c->calls - w->calls_seen > OFTEN &&
				       w->due - w->since > AGAIN
			       ? REASON_OFTEN
			       : REASON_NOT;
	if (hits < FEW)
		return REASON_CALLS;
	return calls * SHARE > hits ? REASON_SHARE : REASON_NOT;
}

static void say(struct process *p, enum reason why,
		const struct walker_chosen *c, u64 hits)
{
	struct watch *w = p->watch;
	_cleanup_buf_ struct buf text = { 0 };

	if (why == REASON_OPEN)
		buf_addf(&text,
			 "%s can choose functions that were not called "
			 "yet",
			 c->open);
	else if (why == REASON_MANY)
		buf_addf(&text,
			 "%zu functions are chosen, and a thread has %u "
			 "watchpoints",
			 c->n, CALL_WATCHES);
	else if (why == REASON_SHARE)
		buf_addf(&text, "%llu of %llu are of chosen functions",
			 c->calls - w->calls_before, hits);
	else if (why == REASON_SLOTS)
		buf_addf(&text, "functions cannot be watched: %s",
			 errno == ENOSPC ? "other programs, as debuggers, have "
					   "the watchpoints"
					 : strerror(errno));
	else if (why == REASON_NONE)
		buf_addf(&text, "no function %s was called yet", c->none);
	else if (why == REASON_MADE)
		buf_adds(&text, "a function of a chosen name was made, and not "
				"called yet");
	else if (why == REASON_OFTEN)
		buf_adds(&text, "those of watched functions are many");
	else
		buf_addf(&text, "there were %llu", hits);
	w->said = why;
	log_info("process %d: following all calls of %s: %s", p->pid,
		 walkers[w->walker]->title, buf_text(&text));
}

/* ----------------------------------------------------------------- changes */

static void follow_all(struct tracker *t, struct process *p,
		       const struct walker_chosen *c)
{
	struct watch *w = p->watch;
	const struct module *m = modules_get(t->config.modules, w->file);

	if (!m || !attach(t, p, w, m)) {
		if (m && errno != ESRCH)
			log_warn("process %d: only calls of functions that are "
				 "watched are seen from now on: %m",
				 p->pid);
		w->never = true;
		return;
	}
	engine_detach_watch(t->config.engine, w->watches);
	w->watches = NULL;
	w->calls_before = c->calls;
	w->hits_before = engine_place_hits(t->config.engine, w->enter);
}

static void put_ips(struct tracker *t, struct process *p, bool on)
{
	struct watch *w = p->watch;

	for (size_t i = 0; i < w->ips; i++)
		engine_watch_place(t->config.engine, p->pid, w->ip[i],
				   on ? &w->watch_place[i] : NULL);
}

static void watch(struct tracker *t, struct process *p,
		  const struct walker_chosen *c, u64 hits)
{
	struct watch *w = p->watch;
	u64 word[CALL_WATCHES];

	for (w->keys = 0; w->keys < c->n; w->keys++) {
		w->key[w->keys] = c->key[w->keys];
		word[w->keys] = c->key[w->keys] + w->word;
	}
	put_ips(t, p, true);
	w->watches = engine_attach_watch(t->config.engine, t->config.proc,
					 p->pid, word, w->keys, w->size);
	if (!w->watches) {
		w->never = true;
		if (errno != ESRCH)
			say(p, REASON_SLOTS, c, hits);
		return;
	}
	engine_detach_probe(w->probes);
	w->probes = NULL;
	w->since = w->due;
	w->said = REASON_NOT;
	log_info("process %d: watching %zu function%s: %llu of %llu calls were "
		 "theirs",
		 p->pid, c->n, c->n == 1 ? "" : "s", c->calls - w->calls_before,
		 hits);
}

static bool is_same(const struct watch *w, const struct walker_chosen *c)
{
	return c->n == w->keys &&
	       !memcmp(c->key, w->key, c->n * sizeof(*c->key));
}

/* Notes functions that were made since the last look. */
static void note_made(struct tracker *t, struct watch *w,
		      const struct walker_chosen *c)
{
	u64 made = engine_place_hits(t->config.engine, w->made);

	if (made != w->made_seen) {
		w->known_needed = w->known_seen + made - w->made_seen;
		if (!w->probes)
			engine_count_made(t->config.engine,
					  made - w->made_seen);
	}
	w->made_seen = made;
	w->known_seen = c->known;
}

u64 watch_work(struct tracker *t, struct process *p, u64 now)
{
	struct watch *w = p->watch;
	struct walker_chosen c;
	enum reason why;
	u64 hits;

	if (w->never)
		return 0;
	if (now < w->due)
		return w->due;
	w->due = now + LOOK;
	t->config.calls.chosen(t->config.calls.ctx, p->pid, w->walker, &c);
	note_made(t, w, &c);
	hits = engine_place_hits(t->config.engine, w->enter) - w->hits_before;
	why = reason_of(t, w, &c, hits);
	if (w->probes ? why >= REASON_OPEN && why != w->said : why)
		say(p, why, &c, hits);
	if (w->probes && !why)
		watch(t, p, &c, hits);
	else if (!w->probes && (why || !is_same(w, &c)))
		follow_all(t, p, &c);
	w->calls_seen = c.calls;
	w->never |= why == REASON_OPEN;
	return w->never ? 0 : w->due;
}

void watch_free(struct tracker *t, struct process *p)
{
	struct watch *w = p->watch;

	if (!w)
		return;
	put_ips(t, p, false);
	engine_detach_probe(w->probes);
	engine_detach_watch(t->config.engine, w->watches);
	free(w);
	p->watch = NULL;
}
