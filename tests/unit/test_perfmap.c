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

#include "user/lib/mem.h"
#include "user/target/module.h"

static char *path;

static void write_map(const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static struct perfmap *read_map(uid_t owner)
{
	const struct module_code code = { .pid = getpid(), .owner = owner };
	struct module m;
	struct perfmap *p;

	module_open_code(&m, &code);
	p = perfmap_read(&m);
	module_close(&m);
	return p;
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
		struct perfmap *p;
		const char *name;
		size_t len = 0;

		print_message("# case %zu\n", i);
		write_map(cases[i].text);
		p = read_map(getuid());
		assert_non_null(p);
		name = perfmap_name(p, cases[i].address, &len);
		if (cases[i].name) {
			assert_non_null(name);
			assert_int_equal(len, strlen(cases[i].name));
			assert_memory_equal(name, cases[i].name, len);
		} else {
			assert_null(name);
		}
		perfmap_free(p);
	}
}

static void refuses(void **state)
{
	(void)state;
	/* Another kind of file. */
	unlink(path);
	assert_null(read_map(getuid()));
	assert_int_equal(mkdir(path, 0700), 0);
	assert_null(read_map(getuid()));
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(read_map(getuid()));
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_null(read_map(getuid()));
	unlink(path);
	/* Another person's. */
	if (getuid())
		return;
	write_map("1000 10 f\n");
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_null(read_map(0));
	perfmap_free(read_map(12345));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
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
