/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Perf maps, whole, damaged and hostile; the files are our own in /tmp. */
#include "user/symbolize/perfmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

static char *path;

static void write_map(const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int open_map(uid_t owner)
{
	const struct module_code code = { .pid = getpid(), .owner = owner };
	struct module m;
	int fd;

	module_open_code(&m, &code, "");
	fd = perfmap_open(&m);
	module_close(&m);
	return fd;
}

#define MOST 320 /* addresses */

struct names {
	char *name[MOST];
};

static void take(void *ctx, size_t i, const char *name)
{
	struct names *names = ctx;

	assert_true(i < MOST && !names->name[i]);
	names->name[i] = xstrdup(name);
}

static void read_map(struct names *names, u64 base, const u64 *vaddr, size_t n)
{
	int fd = open_map(getuid());

	assert_true(fd >= 0);
	*names = (struct names){ { NULL } };
	perfmap_read(fd, base, vaddr, n, take, names);
}

static void release(struct names *names)
{
	for (size_t i = 0; i < MOST; i++)
		free(names->name[i]);
}

static const struct {
	const char *text;
	u64 address;
	const char *name; /* NULL: none */
} cases[] = {
	{ "1000 10 f\n", 0x1000, "f" },
	{ "1000 10 f\n", 0x100f, "f" },
	{ "1000 10 f\n", 0x1010, NULL },
	{ "1000 10 f\n", 0xfff, NULL },
	{ "0x1000 0x10 f g(int)\n", 0x1001, "f g(int)" },
	{ "7FFFF000 A f\n", 0x7ffff009, "f" },
	{ "2000 10 b\n1000 10 a\n", 0x1000, "a" },
	/* The later line counts. */
	{ "1000 10 old\n2000 8 x\n1000 10 new\n", 0x1008, "new" },
	/* So it does where it covers only a part, or more. */
	{ "1800 100 inner\n1000 1000 whole\n", 0x1810, "whole" },
	{ "1800 100 inner\n1000 1000 whole\n", 0x1a00, "whole" },
	{ "1000 1000 whole\n1800 100 inner\n", 0x1810, "inner" },
	{ "1000 1000 whole\n1800 100 inner\n", 0x17ff, "whole" },
	{ "1000 1000 whole\n1800 100 inner\n", 0x1900, "whole" },
	{ "1000 1000 whole\n1800 100 inner\n", 0x2000, NULL },
	{ "1000 20 low\n1010 20 high\n", 0x100f, "low" },
	{ "1000 20 low\n1010 20 high\n", 0x1010, "high" },
	{ "1010 20 high\n1000 20 low\n", 0x101f, "low" },
	{ "1010 20 high\n1000 20 low\n", 0x1020, "high" },
	{ "1000 8 a\n1008 8 b\n1000 10 c\n1004 8 d\n", 0x1003, "c" },
	{ "1000 8 a\n1008 8 b\n1000 10 c\n1004 8 d\n", 0x100b, "d" },
	{ "1000 8 a\n1008 8 b\n1000 10 c\n1004 8 d\n", 0x100c, "c" },
	{ "1000 1 a\n1002 1 b\n", 0x1001, NULL },
	{ "0 ffffffffffffffff f\n", 0xffffffffffffffff, NULL },
	{ "0 ffffffffffffffff f\n", 0xfffffffffffffffe, "f" },
	/* Lines that are none. */
	{ "", 0x1000, NULL },
	{ "\n\n \n1000\n1000 \n1000 10\n1000 10 \n", 0x1000, NULL },
	{ "g 10 f\n1000 10 f\n", 0x1000, "f" },
	{ "1000 0 f\n", 0x1000, NULL },
	{ "ffffffffffffffff ffff f\n", 0xffffffffffffffff, NULL },
	{ "11111111111111111 10 f\n", 0x1111111111111111, NULL },
	/* Half written. */
	{ "1000 10 f\n2000 10 half", 0x2000, NULL },
};

static void names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct names names;

		print_message("# case %zu\n", i);
		write_map(cases[i].text);
		read_map(&names, 0, &cases[i].address, 1);
		if (cases[i].name)
			assert_string_equal(names.name[0], cases[i].name);
		else
			assert_null(names.name[0]);
		release(&names);
	}
}

/* Addresses count from where the code begins. */
static void base(void **state)
{
	const u64 vaddr[] = { 0, 0xf, 0x10, 0x1000 };
	struct names names;

	(void)state;
	write_map("2ff0 20 early\n3000 10 f\n2000 10 before\n4000 1 last\n");
	read_map(&names, 0x3000, vaddr, 4);
	assert_string_equal(names.name[0], "f");
	assert_string_equal(names.name[1], "f");
	assert_null(names.name[2]);
	assert_string_equal(names.name[3], "last");
	release(&names);
}

/* The number of the last line that holds an address; 0: none. */
static size_t plainly(const u64 (*line)[2], size_t n, u64 address)
{
	while (n && (address < line[n - 1][0] || address >= line[n - 1][1]))
		n--;
	return n;
}

static void any_order(void **state)
{
	u64 line[64][2], vaddr[MOST];

	(void)state;
	for (u64 at = 0; at < MOST; at++)
		vaddr[at] = at;
	srand(1);
	for (size_t round = 0; round < 50; round++) {
		struct buf text = { 0 };
		struct names names;

		for (size_t i = 0; i < 64; i++) {
			line[i][0] = rand() % 256;
			line[i][1] = line[i][0] + 1 + rand() % (1 + i % 48);
			buf_addf(&text, "%llx %llx %zu\n", line[i][0],
				 line[i][1] - line[i][0], i + 1);
		}
		write_map(buf_text(&text));
		read_map(&names, 0, vaddr, MOST);
		for (u64 at = 0; at < MOST; at++) {
			const char *name = names.name[at];

			assert_int_equal(name ? strtoul(name, NULL, 10) : 0,
					 plainly(line, 64, at));
		}
		release(&names);
		buf_release(&text);
	}
}

static void refuses(void **state)
{
	(void)state;
	/* Another kind of file. */
	unlink(path);
	assert_true(open_map(getuid()) < 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_true(open_map(getuid()) < 0);
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(open_map(getuid()) < 0);
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_true(open_map(getuid()) < 0);
	unlink(path);
	/* Another person's. */
	if (getuid())
		return;
	write_map("1000 10 f\n");
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_true(open_map(0) < 0);
	assert_int_equal(close(open_map(12345)), 0);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(base),
		cmocka_unit_test(any_order),
		cmocka_unit_test(refuses),
	};
	int failed;

	path = xasprintf("/tmp/perf-%d.map", getpid());
	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	free(path);
	return failed;
}
