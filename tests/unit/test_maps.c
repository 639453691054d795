/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* maps.c: lines as the kernel writes them, and lines as it never would. */
#include "user/target/maps.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "user/lib/buf.h"

struct row {
	const char *text;
	struct map expected;
};

static const struct row good[] = {
	{ "1000-2000 r-xp 00003000 fe:01 1234    /usr/lib/libR.so\n",
	  { 0x1000, 0x2000, 0x3000, 0, 1234, true, false, true, false,
	    (char *)"/usr/lib/libR.so", false } },
	{ "1000-2000 rw-s 0 fe:01 12 /a b  c",
	  { 0x1000, 0x2000, 0, 0, 12, true, true, false, true,
	    (char *)"/a b  c", false } },
	{ "1000-2000 ---p 0 fe:01 12 /x (deleted)\n",
	  { 0x1000, 0x2000, 0, 0, 12, false, false, false, false, (char *)"/x",
	    true } },
	{ "1000-2000 r--p 0 fe:01 12 /x (deleted) (deleted)\n",
	  { 0x1000, 0x2000, 0, 0, 12, true, false, false, false,
	    (char *)"/x (deleted)", true } },
	{ "1000-2000 r--p 0 fe:01 12 /a\\012b\\012\n",
	  { 0x1000, 0x2000, 0, 0, 12, true, false, false, false,
	    (char *)"/a\nb\n", false } },
	{ "1000-2000 r--p 0 fe:01 12 /a\\01\n",
	  { 0x1000, 0x2000, 0, 0, 12, true, false, false, false,
	    (char *)"/a\\01", false } },
	{ "1000-2000 r--p 0 fe:01 0 \n",
	  { 0x1000, 0x2000, 0, 0, 0, true, false, false, false, (char *)"",
	    false } },
	{ "1000-2000 r--p 0 fe:01 0",
	  { 0x1000, 0x2000, 0, 0, 0, true, false, false, false, (char *)"",
	    false } },
	{ "ffffffffff600000-ffffffffff601000 --xp 0 fe:01 0 [vsyscall]\n",
	  { 0xffffffffff600000, 0xffffffffff601000, 0, 0, 0, false, false, true,
	    false, (char *)"[vsyscall]", false } },
};

static void test_good_lines(void **state)
{
	struct maps maps;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		const struct map *e = &good[i].expected, *m;

		assert_int_equal(
			maps_parse(&maps, good[i].text, strlen(good[i].text)),
			0);
		assert_int_equal(maps.n, 1);
		m = &maps.map[0];
		assert_true(m->start == e->start && m->end == e->end);
		assert_int_equal(m->offset, e->offset);
		assert_int_equal(m->dev, makedev(0xfe, 1));
		assert_int_equal(m->ino, e->ino);
		assert_int_equal(m->readable, e->readable);
		assert_int_equal(m->writable, e->writable);
		assert_int_equal(m->executable, e->executable);
		assert_int_equal(m->shared, e->shared);
		assert_string_equal(m->path, e->path);
		assert_int_equal(m->deleted, e->deleted);
		maps_release(&maps);
		assert_null(maps.map);
	}
}

static const char *const bad[] = {
	"\n",
	"1000",
	"1000-\n",
	"1000-2000\n",
	"1000-2000 r-xp\n",
	"1000-2000 rzxp 0 fe:01 1 /x\n",
	"1000-2000 r-x\n",
	"1000-2000 r-xp 0 fe01 1 /x\n",
	"1000-2000 r-xp 0 fe:01 x /x\n",
	"1000-2000 r-xp 0 fe:01 1/x\n",
	"2000-1000 r-xp 0 fe:01 1 /x\n",
	"1000-1000 r-xp 0 fe:01 1 /x\n",
	"-1000-2000 r-xp 0 fe:01 1 /x\n",
	"1000-10000000000000000 r-xp 0 fe:01 1 /x\n",
	"1000-2000 r-xp 0 fe:01 18446744073709551616 /x\n",
};

static void test_bad_lines(void **state)
{
	const char nul[] = "1000-2000 r--p 0 fe:01 1 /x\0y\n";
	struct maps maps;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(maps_parse(&maps, bad[i], strlen(bad[i])), 1);
		assert_int_equal(maps.n, 0);
		maps_release(&maps);
	}
	assert_int_equal(maps_parse(&maps, nul, sizeof(nul) - 1), 1);
	maps_release(&maps);
	assert_int_equal(maps_parse(&maps, "", 0), 0);
	assert_null(maps_find(&maps, 0));
	maps_release(&maps);
}

static void test_find(void **state)
{
	/* The kernel has them in order. */
	static const char text[] = "1000-2000 r--p 0 0:0 0 a\n"
				   "bad\n"
				   "2000-3000 r--p 0 0:0 0 b\n"
				   "1800-1900 r--p 0 0:0 0 back\n"
				   "5000-6000 r--p 0 0:0 0 c\n";
	static const struct {
		u64 address;
		const char *path;
	} row[] = {
		{ 0, NULL },	  { 0xfff, NULL }, { 0x1000, "a" },
		{ 0x1fff, "a" },  { 0x2000, "b" }, { 0x3000, NULL },
		{ 0x4fff, NULL }, { 0x5fff, "c" }, { 0x6000, NULL },
		{ ~0ULL, NULL },
	};
	struct maps maps;
	size_t i;

	(void)state;
	assert_int_equal(maps_parse(&maps, text, strlen(text)), 2);
	assert_int_equal(maps.n, 3);
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct map *m = maps_find(&maps, row[i].address);

		if (row[i].path)
			assert_string_equal(m->path, row[i].path);
		else
			assert_null(m);
	}
	maps_release(&maps);
}

static void test_too_many(void **state)
{
	struct buf text = { 0 };
	struct maps maps;
	unsigned long i;

	(void)state;
	for (i = 1; i <= MAPS_MAX; i++)
		buf_addf(&text, "%lx-%lx r--p 0 0:0 0\n", i * 16, i * 16 + 16);
	assert_int_equal(maps_parse(&maps, text.data, text.len), 0);
	assert_int_equal(maps.n, MAPS_MAX);
	maps_release(&maps);
	buf_adds(&text, "f0000000-f0001000 r--p 0 0:0 0\n");
	assert_int_equal(maps_parse(&maps, text.data, text.len), -E2BIG);
	assert_int_equal(maps.n, MAPS_MAX);
	maps_release(&maps);
	buf_release(&text);
}

/* Cut anywhere, a text must do no harm. */
static void test_cut(void **state)
{
	static const char text[] =
		"1000-2000 r-xp 00003000 fe:01 1234 /a\\012b (deleted)\n";
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(text); len++) {
		/* Exactly as long, so that a sanitizer sees a byte too far. */
		char *copy = malloc(len ? len : 1);
		struct maps maps;

		memcpy(copy, text, len);
		assert_in_range(maps_parse(&maps, copy, len), 0, 1);
		maps_release(&maps);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_lines),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
