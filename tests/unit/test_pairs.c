/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Arrays of pairs in this very program, among others that resemble them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/elf/module.h"
#include "user/elf/pairs.h"

#define LONG_16	  "0123456789abcdef"
#define LONG_256  LONG_64 LONG_64 LONG_64 LONG_64
#define LONG_64	  LONG_16 LONG_16 LONG_16 LONG_16
#define LONG_1024 LONG_256 LONG_256 LONG_256 LONG_256
#define LONG_4096 LONG_1024 LONG_1024 LONG_1024 LONG_1024

struct text_pair {
	const char *key, *value;
};

/* Not static, so that they are not thought away. */
extern const struct text_pair other_order[], short_one[], wanted[], last[],
	too_long[], endless[];

const struct text_pair other_order[] = {
	{ "pairs-a", "1" },
	{ "pairs-c", "1" },
	{ "pairs-b", "1" },
	{ NULL, NULL },
};
const struct text_pair short_one[] = {
	{ "pairs-a", "2" },
	{ "pairs-b", "2" },
	{ NULL, NULL },
};
const struct text_pair wanted[] = {
	{ "pairs-a", "x" },	      { "pairs-b", "" }, { "pairs-c", "z z" },
	{ "dir,runtime", "/\xff\n" }, { NULL, NULL },
};
const struct text_pair too_long[] = {
	{ "long-a", "1" },
	{ "long-b", LONG_4096 },
	{ "long-c", "1" },
	{ NULL, NULL },
};
const struct text_pair endless[] = {
	[0 ... 299] = { "endless", "1" },
};
const struct text_pair last[] = {
	{ "an-end-of pairs-a", "1" }, /* its end may be the text "pairs-a" */
	{ NULL, NULL },
};

static struct module self;

static int setup(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	return fd < 0 || module_open(&self, fd, "self") ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	module_close(&self);
	return 0;
}

static void check_wanted(const struct pairs *p)
{
	assert_int_equal(p->n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(p->pair[i].key, wanted[i].key);
		assert_string_equal(p->pair[i].value, wanted[i].value);
	}
	assert_string_equal(pairs_find(p, "pairs-c"), "z z");
	assert_null(pairs_find(p, "pairs"));
}

static void test_found(void **state)
{
	static const char *const keys[] = { "pairs-a", "pairs-b", "pairs-c",
					    NULL };
	struct pairs p;

	(void)state;
	assert_int_equal(pairs_read(&p, &self, keys), 0);
	check_wanted(&p);
	pairs_release(&p);
	assert_int_equal(p.n, 0);
}

static void test_refused(void **state)
{
	static const char *const absent[] = { "pairs-a", "pairs-b", "pairs-x",
					      NULL };
	static const char *const longer[] = { "pairs-a",      "pairs-b",
					      "pairs-c",      "dir,runtime",
					      "one more key", NULL };
	static const char *const large[] = { "long-a", "long-b", NULL };
	struct pairs p;

	(void)state;
	assert_int_equal(pairs_read(&p, &self, absent), -ENOENT);
	assert_int_equal(pairs_read(&p, &self, longer), -ENOENT);
	assert_int_equal(pairs_read(&p, &self, large), -ENOENT);
	pairs_release(&p);
}

static void test_bounded(void **state)
{
	static const char *const first[] = { "endless", NULL };
	static const char *const before[] = { "long-a", NULL };
	struct pairs p;

	(void)state;
	assert_int_equal(pairs_read(&p, &self, first), 0);
	assert_int_equal(p.n, PAIRS_MAX);
	pairs_release(&p);
	/* What cannot be read ends the array. */
	assert_int_equal(pairs_read(&p, &self, before), 0);
	assert_int_equal(p.n, 1);
	pairs_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
