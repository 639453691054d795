/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The walker of shadow stacks on this process: stacks as the library makes them, and stacks
 * and descriptors that are lies. */
#include "host.h"
#include "script.h"
#include "self.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <jpbpf-interp.h>

#include "bpf/walk.bpf.h"
#include "compare.h"
#include "user/lib/buf.h"
#include "walkers/shadow/kernel/shadow.bpf.h"
#include "walkers/walker.h"

#define NOINLINE __attribute__((noinline, noclone))

static const struct jpi_line lines[] = { { 0, 15 }, { 7, 16 }, { 12, 19 } };
static const struct jpi_method a = JPI_METHOD("a", NULL, NULL),
			       b = JPI_METHOD("b", "scope", "b.x"),
			       in_lines = { sizeof(struct jpi_method),
					    0,
					    "l",
					    NULL,
					    "l.x",
					    lines,
					    3,
					    0,
					    0 },
			       points = { sizeof(struct jpi_method),
					  JPI_AT_POINTS,
					  "p",
					  NULL,
					  "p.x",
					  lines,
					  3,
					  1000,
					  0 };

extern struct jpi_process jpi_process;

static void (*look)(const struct perf_regs *regs);
static const char *want;

static void check(const struct perf_regs *regs);
static NOINLINE void leaf(void)
{
	struct perf_regs regs;

	host_here(&regs);
	look(&regs);
	__asm__ volatile("");
}

static NOINLINE void outer(void (*then)(void))
{
	jpi_mark mark = jpi_enter(&a, 1);

	then();
	jpi_leave(mark);
}

static NOINLINE void inner(void)
{
	jpi_mark mark = jpi_enter(&b, 2);

	jpi_enter(&a, 3);
	leaf();
	jpi_leave(mark);
}

static NOINLINE void plain(void)
{
	leaf();
	__asm__ volatile("");
}

static const struct script_native natives[] = { { outer, "outer" },
						{ inner, "inner" },
						{ plain, "plain" },
						{ leaf, "leaf" },
						{ NULL, NULL } };

static void check(const struct perf_regs *regs)
{
	struct sample *s = self_sample(regs);
	struct buf line = { 0 };

	script_line(s, natives, &line);
	assert_string_equal(buf_text(&line), want);
	buf_release(&line);
	free(s);
}

static NOINLINE void expect(const char *line, void (*first)(void (*)(void)),
			    void (*then)(void))
{
	u64 breaks = self_breaks();

	look = check;
	want = line;
	first(then);
	assert_int_equal(self_breaks(), breaks);
}

static void stacks_are_exact(void **state)
{
	(void)state;
	expect("outer a inner scope::b a leaf", outer, inner);
	expect("outer a plain leaf", outer, plain);
	jpi_enter_at(&b, UINTPTR_MAX >> 17, 0);
	jpi_leave(0);
}

static NOINLINE void nested(void)
{
	outer(inner);
	__asm__ volatile("");
}

/* Each read fails in turn, then some give nonsense. */
static void reads_fail(void **state)
{
	(void)state;
	compare_mode = COMPARE_OFF;
	look = script_fail_each;
	outer(nested);
}

static void garble(const struct perf_regs *regs)
{
	script_garble(regs, 4000);
}

static void reads_give_nonsense(void **state)
{
	(void)state;
	look = garble;
	outer(nested);
	compare_mode = COMPARE_WARM;
}

static NOINLINE void with_lines(void (*unused)(void))
{
	u64 position = 1007;
	jpi_mark mark = jpi_enter(&in_lines, 0);
	jpi_mark second = jpi_enter(&points, 0);

	(void)unused;
	jpi_at(mark, 11);
	jpi_at(second, (uintptr_t)&position);
	leaf();
	position = 1100;
	jpi_at(mark, 0);
	want = "l (l.x:15) p (p.x:19) leaf";
	leaf();
	jpi_leave(mark);
}

static void lines_are_found(void **state)
{
	(void)state;
	self_want(SELF_LINES, true);
	expect("l (l.x:16) p (p.x:16) leaf", with_lines, NULL);
	self_want(SELF_LINES, false);
}

/* The coroutine that this thread came from is freed.  At its address is another one, whose C
 * stack is just being filled in: it has an upper end and no lower one. */
static void from_freed(const struct perf_regs *regs)
{
	struct jpi_stack *s = jpi_stack_new("co", NULL, NULL);

	jpi_thread.stack->from = s;
	s->high = UINTPTR_MAX;
	check(regs);
	jpi_stack_free(s);
}

static void freed_coroutines_are_no_matter(void **state)
{
	(void)state;
	look = from_freed;
	want = "outer a inner scope::b a leaf";
	outer(inner);
}

/* Such are the words that are read of an older library, of a stack deeper than its room. */
static void crossed(const struct perf_regs *regs)
{
	struct jpi_stack *s = jpi_thread.stack;
	const struct jpi_stack was = *s;

	s->from_low = 5;
	s->from_high = 1;
	check(regs);
	*s = was;
}

static void crossed_bounds_are_no_stack(void **state)
{
	(void)state;
	look = crossed;
	want = "outer a inner scope::b a leaf";
	outer(inner);
}

/* Between the switch of stacks and that of C stacks: a coroutine is resumed whose C stack is
 * elsewhere; one yields whose C stack is here. */
static void switching(const struct perf_regs *regs)
{
	char *here = (char *)(uintptr_t)regs->sp;
	struct jpi_stack *own = jpi_thread.stack,
			 *away = jpi_stack_new("away", &own, &own + 1),
			 *co = jpi_stack_new("co", here, here + 1);

	want = "outer a plain leaf";
	jpi_resume(away);
	check(regs);
	jpi_switch(own);
	jpi_resume(co);
	jpi_enter_at(&b, (uintptr_t)regs, 0);
	jpi_switch(own);
	want = "a coroutine co outer plain leaf scope::b";
	check(regs);
	jpi_stack_free(co);
	want = "outer a plain leaf";
	check(regs);
	jpi_stack_free(away);
}

static void switches_are_exact(void **state)
{
	(void)state;
	look = switching;
	outer(plain);
}

/* ---- lies --------------------------------------------------------------- */

static NOINLINE void bounded(const struct perf_regs *regs)
{
	struct sample *s = self_sample(regs);

	script_bounds(s);
	assert_true(host_loop_turns <= WALK_MAX_STEPS);
	free(s);
}

struct lie {
	const char *name;
	void (*tell)(struct jpi_stack *s, struct jpi_frame *f);
	enum walk_status why;
};

static struct jpi_stack *other;

static void deep(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->depth = ~0ull;
}
static void roomy(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->depth = s->room = ~0ull;
}
static void cycle(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->outer = s;
}
static void wild_outer(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->outer = (void *)64;
}
static void wild_method(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)s;
	f[1].method = (void *)64;
}
static void falling(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)s;
	f[0].key = f[1].key - 64;
}
static void beyond(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)s;
	f[0].key = ~0ull - 9;
}
static void elsewhere(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->low = 64;
	s->high = 65;
}
static void wrong_from(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->from = (void *)1;
}
static void coroutines(struct jpi_stack *s, struct jpi_frame *f)
{
	(void)f;
	s->outer = other;
	other->outer = other;
}

static void dead(struct jpi_stack *s, struct jpi_frame *f)
{
	f[s->depth - 1].key = 8;
}

static const struct lie lies[] = {
	{ "dead", dead, SHADOW_JUMP },
	{ "depth", deep, SHADOW_ROOM },
	{ "room", roomy, SHADOW_ROOM },
	{ "cycle", cycle, SHADOW_ORDER },
	{ "outer", wild_outer, SHADOW_READ },
	{ "method", wild_method, SHADOW_NAME },
	{ "order", falling, SHADOW_ORDER },
	{ "key", beyond, SHADOW_UNPLACED },
	{ "C stack", elsewhere, SHADOW_SWITCHES },
	{ "from", wrong_from, 0 },
	{ "coroutines", coroutines, SHADOW_LIMIT },
};

static const struct lie *lie;

static void tell_lie(const struct perf_regs *regs)
{
	struct jpi_stack *s = jpi_thread.stack;
	struct jpi_frame *f = jpi_frames(s), frames[4];
	const struct jpi_stack was = *s;
	u64 before = lie->why ? self_count(lie->why) : 0;

	memcpy(frames, f, sizeof(frames));
	lie->tell(s, f);
	bounded(regs);
	*s = was;
	memcpy(f, frames, sizeof(frames));
	if (lie->why && self_count(lie->why) == before)
		fail_msg("%s: not counted", lie->name);
	/* Nothing of it stays. */
	look = check;
	want = "outer a outer a inner scope::b a leaf";
	check(regs);
}

static void lies_are_bounded(void **state)
{
	(void)state;
	other = jpi_stack_new("other", NULL, NULL);
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		lie = &lies[i];
		look = tell_lie;
		outer(nested);
	}
	jpi_stack_free(other);
}

static u64 seed = 1;
static int rounds = 150;

/* Some bytes of the descriptor, of the stack and of its frames are others. */
static void damage(const struct perf_regs *regs)
{
	struct jpi_stack *s = jpi_thread.stack;
	const struct jpi_process process = jpi_process;
	char stack[512];
	u8 *at[] = { (u8 *)&jpi_process + 16, (u8 *)s, (u8 *)jpi_frames(s) };
	size_t len[] = { sizeof(process) - 24, sizeof(*s), 128 };

	memcpy(stack, s, sizeof(stack));
	for (int i = 0; i < rounds; i++) {
		for (u32 n = host_random(&seed) % 4 + 1; n; n--) {
			u32 where = host_random(&seed) % 3;

			at[where][host_random(&seed) % len[where]] =
				host_random(&seed) % 3 ? 0xff
						       : host_random(&seed);
		}
		bounded(regs);
		jpi_process = process;
		memcpy(s, stack, sizeof(stack));
	}
}

static void damage_is_bounded(void **state)
{
	(void)state;
	look = damage;
	compare_mode = COMPARE_OFF;
	outer(nested);
	compare_mode = COMPARE_DIRECT;
	rounds = 10;
	outer(nested);
}

static void other_versions(const struct perf_regs *regs)
{
	u64 before = self_count(SHADOW_VERSION);

	jpi_process.major = 2;
	bounded(regs);
	assert_true(self_count(SHADOW_VERSION) > before);
	jpi_process.major = 1;
	jpi_shutdown();
	want = "outer plain leaf";
	check(regs);
	jpi_process.magic[0] = 'J';
	/* More members at the end are no matter. */
	jpi_process.minor = 7;
	want = "outer a plain leaf";
	check(regs);
	jpi_process.minor = 0;
}

static void versions_are_told_apart(void **state)
{
	(void)state;
	look = other_versions;
	outer(plain);
}

/* A name of a megabyte. */
static void long_name(const struct perf_regs *regs)
{
	char *name = malloc(1 << 20);
	struct jpi_method m = JPI_METHOD(name, name, NULL);

	memset(name, 'x', 1 << 20);
	jpi_enter_at(&m, (uintptr_t)regs, 0);
	bounded(regs);
	jpi_leave(jpi_thread.stack->depth - 1);
	free(name);
}

static void names_are_bounded(void **state)
{
	(void)state;
	look = long_name;
	outer(plain);
}

static void no_line(const struct perf_regs *regs)
{
	const struct jpi_method m = {
		sizeof(m), 0, "n", NULL, "n.x", (const struct jpi_line *)64,
		9,	   0, 0
	};
	u64 before = self_count(SHADOW_NO_LINE);

	self_want(SELF_LINES, true);
	jpi_enter_at(&m, (uintptr_t)regs, 0);
	bounded(regs);
	jpi_leave(jpi_thread.stack->depth - 1);
	self_want(SELF_LINES, false);
	assert_true(self_count(SHADOW_NO_LINE) > before);
}

static void lines_are_bounded(void **state)
{
	(void)state;
	look = no_line;
	outer(plain);
}

/* User space has not told of the process yet. */
static void not_ready(const struct perf_regs *regs)
{
	host_map_empty(&shadow_processes);
	bounded(regs);
	assert_true(self_count(SHADOW_NOT_READY) > 0);
}

static void says_what_is_not_ready(void **state)
{
	(void)state;
	look = not_ready;
	outer(plain);
}

/* What a counter grows by is the sample's. */
static void counts(const struct perf_regs *regs)
{
	static const u64 values[] = { 100, 150, 150, 151, 20 },
			 grown[] = { 0, 50, 0, 1, 20 };

	for (int i = 0; i < 5; i++) {
		struct sample *s;

		jpi_count(values[i]);
		s = self_sample(regs);
		/* Of the first, it depends on what there was before. */
		assert_true(!i || s->count == grown[i]);
		free(s);
	}
}

static void counts_are_values(void **state)
{
	(void)state;
	compare_mode = COMPARE_OFF;
	look = counts;
	plain();
}

static int open_self(void **state)
{
	(void)state;
	compare_mode = COMPARE_WARM;
	__asm__("mov %%fs:0, %0" : "=r"(host_task_current.thread.fsbase));
	self_open(walkers[WALKER_SHADOW], WALKER_SHADOW);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_exact),
		cmocka_unit_test(lines_are_found),
		cmocka_unit_test(freed_coroutines_are_no_matter),
		cmocka_unit_test(crossed_bounds_are_no_stack),
		cmocka_unit_test(switches_are_exact),
		cmocka_unit_test(reads_fail),
		cmocka_unit_test(reads_give_nonsense),
		cmocka_unit_test(lies_are_bounded),
		cmocka_unit_test(versions_are_told_apart),
		cmocka_unit_test(names_are_bounded),
		cmocka_unit_test(counts_are_values),
		cmocka_unit_test(damage_is_bounded),
		cmocka_unit_test(lines_are_bounded),
		cmocka_unit_test(says_what_is_not_ready),
	};

	return cmocka_run_group_tests(tests, open_self, close_self);
}
