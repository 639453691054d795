/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Inlined functions: which ones, how they are called, and where (inlines.S). */
#include "user/debuginfo/inlines.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <jpbpf/types.h>

#include "tests/unit/fixture.h"
#include "user/lib/buf.h"

static Dwarf *dwarf;
static int fd;
static struct inlines_scope *scopes;

static int open_fixture(void **state)
{
	(void)state;
	fd = fixture_open("inlines.so");
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	assert_non_null(dwarf);
	return 0;
}

static int close_fixture(void **state)
{
	(void)state;
	dwarf_end(dwarf);
	close(fd);
	return 0;
}

/* By its number in the file. */
static Dwarf_Die unit_of(int number)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	for (int i = 0; i <= number; i++)
		assert_int_equal(dwarf_get_units(dwarf, cu, &cu, NULL, NULL,
						 &unit, NULL),
				 0);
	return unit;
}

static void find(int number, struct inlines *at, size_t n)
{
	Dwarf_Die unit = unit_of(number);
	Dwarf_Addr text;

	assert_int_equal(dwarf_lowpc(&unit, &text), 0);
	for (size_t i = 0; i < n; i++)
		at[i].pc += text;
	inlines_find(&unit, at, n, true);
}

/* "name (file:line)" of each, innermost first; "?" where there is none. */
static void write_all(int number, struct inlines *at, struct buf *out)
{
	Dwarf_Die unit = unit_of(number);
	struct source_place call;

	assert_true(at->n <= INLINES_MAX);
	for (size_t i = at->n; i-- > 0;) {
		buf_adds(out, i + 1 < at->n ? ", " : "");
		if (!inlines_name(&scopes, &at->die[i], out))
			buf_adds(out, "?");
		buf_adds(out, " (");
		call = inlines_call(&unit, &at->die[i]);
		if (call.file)
			buf_addf(out, "%s:%u", call.file, call.line);
		else
			buf_adds(out, "?");
		buf_adds(out, ")");
	}
	free(at->die);
}

static void names_and_calls(void **state)
{
	static const struct {
		int unit;
		u64 offset;
		const char *all;
	} cases[] = {
		{ 0, 0x00, "" },
		{ 0, 0x04, "app::shallow (made.c:12)" },
		{ 0, 0x07, "app::shallow (made.c:12)" },
		{ 0, 0x08,
		  "app::(anonymous)::inner (made.c:13), "
		  "app::shallow (made.c:12)" },
		{ 0, 0x0c, "app::shallow (made.c:12)" },
		{ 0, 0x10, "plain (made.c:14)" },
		/* A function in another is no part of its caller. */
		{ 0, 0x14, "" },
		{ 0, 0x18, "app::box<int>::get (made.c:15)" },
		{ 0, 0x20, "? (?)" },
		{ 0, 0x24, "plain (?)" },
		{ 0, 0x28, "? (?)" },
		{ 0, 0x2c, "" },
		/* In no function, and outside of the unit. */
		{ 0, 0x50, "" },
		{ 0, 0x1000, "" },
		{ 1, 0x70, "" },
	};
	struct inlines all[sizeof(cases) / sizeof(*cases)] = { 0 }, at;
	struct buf out = { 0 };
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		print_message("# unit %d + 0x%llx\n", cases[i].unit,
			      (unsigned long long)cases[i].offset);
		at = (struct inlines){ .pc = cases[i].offset };
		find(cases[i].unit, &at, 1);
		buf_reset(&out);
		write_all(cases[i].unit, &at, &out);
		assert_string_equal(buf_text(&out), cases[i].all);
		if (cases[i].unit == 0)
			all[n++].pc = cases[i].offset;
	}
	/* All at once, as well. */
	find(0, all, n);
	for (size_t i = 0; i < n; i++) {
		buf_reset(&out);
		write_all(0, &all[i], &out);
		assert_string_equal(buf_text(&out), cases[i].all);
	}
	buf_release(&out);
}

/* Of too many the outermost are given. */
static void too_many(void **state)
{
	struct inlines at = { .pc = 0x40 };
	Dwarf_Die unit = unit_of(0);
	struct source_place call;

	(void)state;
	find(0, &at, 1);
	assert_int_equal(at.n, INLINES_MAX);
	call = inlines_call(&unit, &at.die[0]);
	free(at.die);
	assert_string_equal(call.file, "made.c");
	assert_int_equal(call.line, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_and_calls, open_fixture,
						close_fixture),
		cmocka_unit_test_setup_teardown(too_many, open_fixture,
						close_fixture),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
