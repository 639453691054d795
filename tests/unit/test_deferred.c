/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Deferred samples are walked by rules of the test's own: each frame of the file is two
 * words of stack, the outer one of which is the return address.
 */
#include "user/processes/deferred.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/lib/mem.h"
#include "user/processes/process.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/walker.h"

#define FILE_ID 5
#define START \
	0x1000ull    /* of its mapping; the address in the file is the same */
#define CUT   0x1e00 /* from here on no rule */
#define ROOT  0x1f00 /* from here on the root */
#define STACK 0x10000ull
#define MOST  64

static struct module module = { .fd = -1 };
static bool is_built;
static u32 turn; /* not 0: only addresses in this 256 bytes have their table */

bool tables_crowded(const struct tables *t)
{
	(void)t;
	return turn > 0;
}

const struct module *modules_get(const struct modules *ms, u32 id)
{
	(void)ms;
	return id == FILE_ID ? &module : NULL;
}

struct tables *modules_tables(const struct modules *ms)
{
	(void)ms;
	return NULL;
}

u32 tables_rule(struct tables *t, u32 id, u64 vaddr, struct unwind_rule *rule)
{
	(void)t;
	assert_int_equal(id, FILE_ID);
	if (!is_built || (turn && vaddr >> 8 != turn))
		return CUT_NOT_READY;
	*rule = (struct unwind_rule){ .kind = UNWIND_CFA,
				      .cfa_reg = REG_STACK,
				      .cfa_off = 16,
				      .ra = -1 };
	for (size_t i = 0; i < SAVED_REGS; i++)
		rule->slot[i] = UNWIND_SLOT_SAME;
	if (vaddr >= ROOT)
		rule->kind = UNWIND_ROOT;
	return vaddr >= CUT && vaddr < ROOT ? CUT_NO_RULE : 0;
}

/* What came of it. */
struct seen {
	u32 taken, status, words;
	u64 word[MOST];
	u32 counted[WALK_STATUS_COUNT];
};

static void take(void *ctx, const struct sample *head, u32 status,
		 const u64 *word, u32 words)
{
	struct seen *s = ctx;

	(void)head;
	assert_true(words <= MOST);
	s->taken++;
	s->status = status;
	s->words = words;
	memcpy(s->word, word, words * sizeof(*word));
}

static void count(void *ctx, u32 status)
{
	((struct seen *)ctx)->counted[status]++;
}

static u64 key(u64 address)
{
	return frame_value58(FRAME_KEY, address);
}

static u64 native(u64 pc)
{
	return frame_native(FILE_ID, pc);
}

#define R(extra, n) frame_walker(WALKER_R, extra, 0, n)

/* One process. */
struct scene {
	struct tracker t;
	struct process p;
};

/* Adds a sample with these words, of which so many are placed, in a function at 0x1100
 * which one at 0x1200 has called, and that one at outer. */
static void add(struct scene *scene, const u64 *word, u32 words, u32 placed,
		u64 outer)
{
	const u64 stack[] = { 0, 0x1200, 0, 0x1300, 0, outer };
	size_t len = sizeof(struct sample) + words * sizeof(u64) +
		     sizeof(struct deferred) + DEFERRED_PAGE;
	struct sample *s = xcalloc(1, len);
	struct deferred *d;

	s->type = RECORD_DEFERRED;
	s->words = words;
	s->status = CUT_NOT_READY;
	s->time = 50;
	for (u32 i = 0; i < words; i++)
		s->word[i] = word[i];
	d = (struct deferred *)deferred_of(s);
	d->placed = placed;
	d->cursor.pc = 0x1100;
	d->cursor.exact = 1;
	d->cursor.reg[REG_STACK] = STACK;
	d->cursor.valid = 1u << REG_STACK;
	d->base = STACK;
	d->pages[0] = 1;
	memcpy(d->stack, stack, sizeof(stack));
	deferred_add(&scene->t, &scene->p, s, len);
}

/* Walks what waits.  Returns whether a look is asked for. */
static bool walk(struct scene *s, struct seen *seen)
{
	struct unwind_mapping mapping = { .start = START,
					  .end = 2 * START,
					  .file = FILE_ID };
	struct mapping_table table = { .mapping = &mapping, .maps = 1 };

	memset(seen, 0, sizeof(*seen));
	s->t.config.sink = (struct deferred_sink){ take, count, seen };
	s->p.table = &table;
	s->p.examined = 100;
	s->p.seen = 101;
	deferred_walk(&s->t, &s->p);
	s->p.table = NULL;
	return s->p.dirty;
}

/* Frames with an address stand inside the native frame that has it, payload and all;
 * those that no frame has are counted if the walk has come to the root. */
static void test_keyed(void **state)
{
	const struct {
		u64 word[12], outer, result[12];
		u32 words, placed, status, results;
		u32 unplaced, elsewhere;
	} row[] = {
		/* One in the first frame, two in the third, at its last word. */
		{ { 7, key(STACK), R(1, 1), 77, key(STACK + 0x2f), R(0, 2),
		    R(2, 3), 78, 79 },
		  ROOT + 16,
		  { 7, R(1, 1), 77, native(0x1100), native(0x11ff), R(0, 2),
		    R(2, 3), 78, 79, native(0x12ff), native(ROOT + 15) },
		  9,
		  1,
		  WALK_ROOT,
		  11,
		  0,
		  0 },
		/* Two keys in one frame; the address of the next one is not in it. */
		{ { key(STACK), R(0, 1), key(STACK + 8), R(0, 2),
		    key(STACK + 16), R(0, 3) },
		  ROOT + 16,
		  { R(0, 1), R(0, 2), native(0x1100), R(0, 3), native(0x11ff),
		    native(0x12ff), native(ROOT + 15) },
		  6,
		  0,
		  WALK_ROOT,
		  7,
		  0,
		  0 },
		/* No frame has the last one. */
		{ { key(STACK), R(0, 1), key(STACK + 4096), R(0, 2) },
		  ROOT + 16,
		  { R(0, 1), native(0x1100), native(0x11ff), native(0x12ff),
		    native(ROOT + 15),
		    frame_value58(FRAME_STATUS, R_UNPLACED) },
		  4,
		  0,
		  WALK_ROOT,
		  6,
		  1,
		  0 },
		/* No frame has any: they are another thread's. */
		{ { key(STACK + 4096), R(0, 2) },
		  ROOT + 16,
		  { native(0x1100), native(0x11ff), native(0x12ff),
		    native(ROOT + 15) },
		  2,
		  0,
		  WALK_ROOT,
		  4,
		  0,
		  1 },
		/* An outer frame might have had it. */
		{ { key(STACK), R(0, 1), key(STACK + 4096), R(0, 2) },
		  0x9000,
		  { R(0, 1), native(0x1100), native(0x11ff), native(0x12ff),
		    frame_value58(FRAME_UNMAPPED, 0x8fff),
		    frame_value58(FRAME_STATUS, CUT_NO_MAPPING) },
		  4,
		  0,
		  CUT_NO_MAPPING,
		  6,
		  0,
		  0 },
	};
	struct scene scene = { 0 };
	struct seen seen;

	(void)state;
	is_built = true;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %zu\n", i);
		add(&scene, row[i].word, row[i].words, row[i].placed,
		    row[i].outer);
		walk(&scene, &seen);
		assert_int_equal(seen.taken, 1);
		assert_int_equal(seen.status, row[i].status);
		assert_int_equal(seen.words, row[i].results);
		assert_memory_equal(seen.word, row[i].result,
				    seen.words * sizeof(u64));
		assert_int_equal(seen.counted[R_UNPLACED], row[i].unplaced);
		assert_int_equal(seen.counted[R_OTHER_THREAD],
				 row[i].elsewhere);
		assert_int_equal(scene.p.deferred.n, 0);
		assert_int_equal(scene.t.bytes, 0);
	}
	deferred_release(&scene.t, &scene.p);
}

/* What waits is walked once the table is there, and nothing of it is counted before. */
static void test_waits(void **state)
{
	const u64 word[] = { key(STACK), R(0, 1), key(STACK + 4096), R(0, 2) };
	struct scene scene = { 0 };
	struct seen seen;
	size_t bytes;

	(void)state;
	is_built = false;
	add(&scene, word, 4, 0, ROOT + 16);
	bytes = scene.t.bytes;
	add(&scene, word, 2, 0, ROOT + 16);
	assert_int_equal(deferred_oldest(&scene.p.deferred), 50);
	assert_false(walk(&scene, &seen));
	assert_int_equal(seen.taken, 0);
	assert_int_equal(seen.counted[R_UNPLACED], 0);
	assert_int_equal(scene.p.deferred.n, 2);
	assert_true(scene.t.bytes > bytes);
	is_built = true;
	assert_false(walk(&scene, &seen));
	assert_int_equal(seen.taken, 2);
	assert_int_equal(seen.counted[R_UNPLACED], 1);
	assert_int_equal(scene.p.deferred.n, 0);
	assert_int_equal(deferred_oldest(&scene.p.deferred), UINT64_MAX);
	/* Those that nobody has walked are released. */
	add(&scene, word, 4, 0, ROOT + 16);
	deferred_release(&scene.t, &scene.p);
	assert_int_equal(scene.p.deferred.n, 0);
}

/* Only one table has room at a time: a sample needs each once. */
static void test_turns(void **state)
{
	static const u32 turns[] = { 0x12, 0x11, 0x1f, 0x12, 0x1f };
	const u64 result[] = { native(0x1100), native(0x11ff), native(0x12ff),
			       native(ROOT + 15) };
	struct scene scene = { 0 };
	struct seen seen;

	(void)state;
	is_built = true;
	add(&scene, NULL, 0, 0, ROOT + 16);
	for (size_t i = 0; i < 5; i++) {
		turn = turns[i];
		assert_int_equal(scene.p.deferred.n, 1);
		walk(&scene, &seen);
		assert_int_equal(seen.taken, i == 4);
	}
	turn = 0;
	assert_int_equal(seen.status, WALK_ROOT);
	assert_int_equal(seen.words, 4);
	assert_memory_equal(seen.word, result, sizeof(result));
	add(&scene, NULL, 0, 0, ROOT + 16);
	turn = 0x11;
	walk(&scene, &seen);
	turn = 0;
	deferred_release(&scene.t, &scene.p);
}

/* What was published may not be what was there, where events of the time between have
 * been forgotten. */
static void test_forgotten(void **state)
{
	static const struct {
		u64 until;
		u32 status;
	} row[] = { { 50, WALK_ROOT }, { 51, CUT_FORGOTTEN } };
	struct scene scene = { 0 };
	struct seen seen;

	(void)state;
	is_built = true;
	for (size_t i = 0; i < 2; i++) {
		scene.p.history.forgotten = row[i].until;
		add(&scene, NULL, 0, 0, ROOT + 16);
		walk(&scene, &seen);
		assert_int_equal(seen.taken, 1);
		assert_int_equal(seen.status, row[i].status);
	}
	deferred_release(&scene.t, &scene.p);
}

/* Where a walker says that frames of its own are missing, it is counted once for each
 * such place. */
static void test_hidden(void **state)
{
	const struct r_file r = { .version = 0 };
	struct tcl_found tcl = { .file.trampolines = 1 };
	static const u32 status[WALKER_COUNT] = {
		[WALKER_R] = R_NOT_READY, [WALKER_TCL] = TCL_NOT_READY
	};
	struct scene scene = { 0 };
	struct seen seen;

	(void)state;
	is_built = true;
	tcl.file.trampoline[0].start = 0x1200;
	tcl.file.trampoline[0].end = 0x1300;
	for (u32 i = 0; i < WALKER_COUNT; i++) {
		print_message("# %s\n", walkers[i]->name);
		if (!walkers[i]->file.hidden)
			continue;
		memset(module.walker, 0, sizeof(module.walker));
		module.walker[i] = i == WALKER_R ? (void *)&r : (void *)&tcl;
		add(&scene, NULL, 0, 0, ROOT + 16);
		walk(&scene, &seen);
		assert_int_equal(seen.status, WALK_ROOT);
		assert_int_equal(seen.counted[status[i]], 1);
	}
	memset(module.walker, 0, sizeof(module.walker));
	deferred_release(&scene.t, &scene.p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keyed),  cmocka_unit_test(test_waits),
		cmocka_unit_test(test_turns),  cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
