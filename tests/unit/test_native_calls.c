/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where native functions are entered and left: in native_calls.S, exactly; and where the C
 * and C++ libraries jump. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/fixture.h"
#include "user/elf/module.h"
#include "user/lib/buf.h"
#include "user/lib/intern.h"
#include "user/trace/native.h"
#include "user/trace/trace_part.h"
#include "walkers/walker.h"

#define LEAVE(at)                                      \
	{                                              \
		.label = at, .kind = CALL_NATIVE_LEAVE \
	}
#define TAIL(at)                                      \
	{                                             \
		.label = at, .kind = CALL_NATIVE_TAIL \
	}
#define ENTER(at, far)                                                  \
	{                                                               \
		.label = at, .kind = CALL_NATIVE_ENTER, .distance = far \
	}
/* n: of the condition, by the processor */
#define TAIL_IF(at, n)                                                      \
	{                                                                   \
		.label = at, .kind = CALL_NATIVE_TAIL, .condition = 1 + (n) \
	}
#define PLACES(...) .place = { __VA_ARGS__ }

struct expected {
	const char *label; /* NULL: no more */
	u8 kind;
	s16 distance, condition;
};

static const struct row {
	const char *function;
	int err;
	struct expected place[12];
} rows[] = {
	{ "plain", PLACES(LEAVE("plain_leave"), ENTER("plain_enter", 0)) },
	{ "several", PLACES(LEAVE("several_first"), LEAVE("several_second"),
			    ENTER("several_enter", 24)) },
	{ "nothing",
	  PLACES(LEAVE("nothing_leave"), ENTER("nothing_enter", 0)) },
	{ "patched",
	  PLACES(LEAVE("patched_leave"), ENTER("patched_enter", 0)) },
	{ "aligned", PLACES(TAIL("aligned_tail"), ENTER("aligned_enter", 0)) },
	{ "tails", PLACES(TAIL_IF("tails_when_equal", 4),
			  TAIL_IF("tails_when_above", 7), TAIL("tails_stub"),
			  TAIL("tails_register"), TAIL("tails_memory"),
			  TAIL("tails_array"), ENTER("tails_enter", 0)) },
	{ "wrapper", PLACES(TAIL("wrapper_jump"), ENTER("wrapper_jump", 0)) },
	{ "locked", PLACES(LEAVE("locked_leave"), ENTER("locked_enter", 0)) },
	{ "counter",
	  PLACES(LEAVE("counter_leave"), ENTER("counter_enter", 0)) },
	{ "rare", PLACES(LEAVE("rare_leave"), LEAVE("rare_cold_leave"),
			 ENTER("rare_enter", 0)) },
	{ "stripped",
	  PLACES(LEAVE("stripped_leave"), LEAVE("stripped_cold_leave"),
		 ENTER("stripped_enter", 0)) },
	{ "framed", PLACES(TAIL("framed_tail"), LEAVE("framed_part_leave"),
			   ENTER("framed_enter", 0)) },
	{ "switches",
	  PLACES(LEAVE("switches_first"), LEAVE("switches_second"),
		 TAIL("switches_tail"), ENTER("switches_enter", 0)) },
	{ "jumps", PLACES(LEAVE("jumps_first"), LEAVE("jumps_second"),
			  ENTER("jumps_enter", 0)) },
	{ "loops", .err = -ELOOP },
	{ "again", .err = -ELOOP },
	{ "other_stack", .err = -ENOTSUP },
	{ "exchange", .err = -ENOTSUP },
	{ "broken", .err = -EILSEQ },
	/* A rare part; the middle of a function. */
	{ "framed_part", .err = -ENOENT },
	{ "plain_leave", .err = -ENOENT },
};

static u64 vaddr_of(const struct module *m, const char *name)
{
	u64 vaddr;

	if (module_dynsym(m, name, &vaddr, NULL))
		fail_msg("no symbol %s", name);
	return vaddr;
}

static void open_fixture(struct module *m)
{
	*m = (struct module){ 0 };
	assert_int_equal(module_open(m, fixture_open("native_calls.so"),
				     "native_calls.so"),
			 0);
}

static void check(const struct module *m, const struct native_functions *f,
		  const struct row *row)
{
	u64 start = vaddr_of(m, row->function);
	struct walker_call call[12];
	int n = native_places(m, f, start, call, 12), i = 0;

	print_message("# %s: %d\n", row->function, n);
	for (; row->place[i].label; i++) {
		const struct expected *e = &row->place[i];

		assert_true(i < n);
		assert_int_equal(call[i].vaddr, vaddr_of(m, e->label));
		assert_int_equal(call[i].place.kind, e->kind);
		assert_int_equal(call[i].place.offset[0], e->distance);
		assert_int_equal(call[i].place.offset[1], e->condition);
		assert_int_equal(call[i].place.address[0], start);
	}
	assert_int_equal(n, row->err ? row->err : i);
	if (n > 0)
		assert_int_equal(native_places(m, f, start, call, n - 1),
				 -ENOSPC);
}

static void test_places(void **state)
{
	struct native_functions f;
	struct module m;

	(void)state;
	open_fixture(&m);
	native_open(&f, &m);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(&m, &f, &rows[i]);
	native_close(&f);
	module_close(&m);
}

static void test_names(void **state)
{
	const struct module_function *fn;
	struct native_functions f;
	struct module m;
	size_t n;

	(void)state;
	open_fixture(&m);
	native_open(&f, &m);
	assert_int_equal(module_functions(&m, &fn, &n), 0);
	assert_int_equal(f.n, n);
	for (size_t i = 0; i < n; i++) {
		if (fn[i].start == vaddr_of(&m, "plain"))
			assert_string_equal(f.name[i], "plain");
		if (f.name[i] && !strcmp(f.name[i], "rare.cold"))
			assert_int_equal(f.whole[i], vaddr_of(&m, "rare"));
	}
	native_close(&f);
	assert_null(f.name);
	module_close(&m);
}

static const struct library {
	const char *path, *function;
	u8 kind;
} libraries[] = {
	{ "/lib/x86_64-linux-gnu/libc.so.6", "longjmp", CALL_NATIVE_JUMP },
	{ "/lib/x86_64-linux-gnu/libc.so.6", "__longjmp_chk",
	  CALL_NATIVE_JUMP },
	{ "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "__cxa_begin_catch",
	  CALL_NATIVE_CATCH },
};

static void test_jumps(void **state)
{
	const struct native_functions none = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		const struct library *l = &libraries[i];
		int fd = open(l->path, O_RDONLY | O_CLOEXEC);
		struct module_function fn;
		struct walker_call call[8];
		struct module m = { 0 };
		size_t n, found = 0;

		if (fd < 0)
			continue;
		print_message("# %s %s\n", l->path, l->function);
		assert_int_equal(module_open(&m, fd, l->path), 0);
		assert_int_equal(native_jumps(&m, &none, call, 1), 1);
		n = native_jumps(&m, &none, call, 8);
		for (size_t k = 0; k < n; k++) {
			assert_int_equal(
				module_function_at(&m, call[k].vaddr, &fn), 0);
			found += fn.start == vaddr_of(&m, l->function) &&
				 call[k].place.kind == l->kind;
		}
		assert_int_equal(found, 1);
		module_close(&m);
	}
}

/* The chosen functions of a file, by all their names; their enters come last. */
static size_t choose(const struct module *m, const char *const *text,
		     struct walker_call *call, size_t max)
{
	struct intern *texts = intern_new_texts();
	struct patterns patterns = { 0 };
	const struct trace_file *f;
	struct trace *t;
	size_t n;

	for (; *text; text++)
		assert_int_equal(
			patterns_add(&patterns, PATTERN_CHOOSES, *text), 0);
	t = trace_new(&patterns, NULL, texts);
	f = trace_file(t, m);
	assert_ptr_equal(trace_file(t, m), f);
	n = f->calls;
	assert_in_range(n, 0, max);
	memcpy(call, f->call, n * sizeof(*call));
	trace_free(t);
	intern_free(texts);
	patterns_release(&patterns);
	return n;
}

static void test_chosen(void **state)
{
	static const char *const text[] = { "c:native_calls.so:severa?",
					    "c:*:^plai", "c:*:broken", NULL };
	static const char *const labels[] = { "plain_leave", "several_first",
					      "several_second", "plain_enter",
					      "several_enter" };
	struct walker_call call[8];
	struct module m;
	u64 sum = 0;
	size_t n;

	(void)state;
	open_fixture(&m);
	n = choose(&m, text, call, 8);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(call[i].place.kind == CALL_NATIVE_ENTER,
				 i >= 3);
		sum += call[i].vaddr - vaddr_of(&m, labels[i]);
	}
	assert_int_equal(sum, 0);
	module_close(&m);
}

static void test_commands(void **state)
{
	static const char path[] = "/usr/lib/x86_64-linux-gnu/libtcl8.6.so";
	static const char *const one[] = { "c:libtcl8.6.so:lsort", NULL };
	struct walker_call call[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct buf why = { 0 };
	struct module m = { 0 };
	size_t n;

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(module_open(&m, fd, path), 0);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (walkers[i]->file.probe(&m, &m.walker[i], &why) != 1)
			m.walker[i] = NULL;
	n = choose(&m, one, call, 64);
	assert_true(n > 1);
	assert_int_equal(call[n - 1].place.kind, CALL_NATIVE_ENTER);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (m.walker[i])
			walkers[i]->file.forget(m.walker[i]);
	buf_release(&why);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),	 cmocka_unit_test(test_names),
		cmocka_unit_test(test_jumps),	 cmocka_unit_test(test_chosen),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
