/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Inlined functions: which ones, how they are called, and where (inlines.S). */
#include "user/debuginfo/inlines.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <jpbpf/types.h>

#include "tests/unit/fixture.h"
#include "user/lib/buf.h"

static Dwarf *dwarf;
static int fd;

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

/* "name (file:line)" of each, innermost first; "?" where there is none. */
static void write_all(int number, u64 offset, struct buf *out)
{
	Dwarf_Die unit = unit_of(number), die[INLINES_MAX];
	struct source_place call;
	Dwarf_Addr text;
	size_t n;

	assert_int_equal(dwarf_lowpc(&unit, &text), 0);
	n = inlines_at(&unit, text + offset, die);
	assert_true(n <= INLINES_MAX);
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ", " : "");
		if (!inlines_name(&die[i], out))
			buf_adds(out, "?");
		buf_adds(out, " (");
		call = inlines_call(&unit, &die[i]);
		if (call.file)
			buf_addf(out, "%s:%u", call.file, call.line);
		else
			buf_adds(out, "?");
		buf_adds(out, ")");
	}
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
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		print_message("# unit %d + 0x%llx\n", cases[i].unit,
			      (unsigned long long)cases[i].offset);
		buf_reset(&out);
		write_all(cases[i].unit, cases[i].offset, &out);
		assert_string_equal(buf_text(&out), cases[i].all);
	}
	buf_release(&out);
}

/* Of too many the outermost are given. */
static void too_many(void **state)
{
	Dwarf_Die unit = unit_of(0), die[INLINES_MAX];
	struct source_place call;
	Dwarf_Addr text;

	(void)state;
	assert_int_equal(dwarf_lowpc(&unit, &text), 0);
	assert_int_equal(inlines_at(&unit, text + 0x40, die), INLINES_MAX);
	call = inlines_call(&unit, &die[INLINES_MAX - 1]);
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
