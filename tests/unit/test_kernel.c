/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Kernel names from written symbol lists. */
#include "user/symbolize/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/heap.h"

static char path[] = "/tmp/test_kernel.XXXXXX";

static struct kernel *open_list(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return kernel_new(path);
}

/* Standard error while one name is asked for twice, in a static buffer. */
static const char *warnings(struct kernel *k, const char *expected)
{
	static char text[512];
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	size_t len;

	assert_true(f && saved >= 0);
	dup2(fileno(f), STDERR_FILENO);
	assert_string_equal(kernel_name(k, 0xffffffff81000000), expected);
	assert_string_equal(kernel_name(k, 0xffffffff81000001), expected);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	len = fread(text, 1, sizeof(text) - 1, f);
	text[len] = '\0';
	fclose(f);
	return text;
}

static void test_names(void **state)
{
	static const char list[] = "ffffffff81000100 t local\n"
				   "ffffffff81000000 t _text\n"
				   "ffffffff81000000 T startup_64\n"
				   "ffffffff81000200 W weak\n"
				   "ffffffff81000200 t also_weak\n"
				   "ffffffff81000280 D data\n"
				   "ffffffff81000300 T _etext\n"
				   "ffffffffc0000000 t ext4_read\t[ext4]\n"
				   "ffffffffc0000010 t a;b\n"
				   "junk\n"
				   "\n"
				   "ffffffffc0000020\n"
				   "ffffffffc0000020 t\n"
				   "ffffffffc0000020 t \n"
				   "ffffffffc0000020 T last";
	static const struct {
		u64 address;
		const char *name;
	} cases[] = {
		{ 0xffffffff80ffffff, "" },
		{ 0xffffffff81000000, "startup_64" },
		{ 0xffffffff810000ff, "startup_64" },
		{ 0xffffffff81000100, "local" },
		{ 0xffffffff81000200, "weak" },
		{ 0xffffffff810002ff, "weak" },
		{ 0xffffffff81000300, "" },
		{ 0xffffffffbfffffff, "" },
		{ 0xffffffffc0000001, "ext4_read" },
		{ 0xffffffffc0000011, "a;b" },
		{ 0xffffffffc0000021, "last" },
		{ 0xffffffffc0200020, "" },
		{ 0, "" },
		{ UINT64_MAX, "" },
	};
	struct kernel *k = open_list(list);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(kernel_name(k, cases[i].address),
				    cases[i].name);
	kernel_free(k);
}

static void test_hidden(void **state)
{
	struct kernel *k = open_list("0000000000000000 T a\n"
				     "0000000000000000 T b\n");

	(void)state;
	assert_string_equal(warnings(k, ""),
			    "jpbpf: warning: kernel functions have no names: "
			    "this host hides their addresses (see "
			    "kernel.kptr_restrict)\n");
	kernel_free(k);
}

static void test_missing(void **state)
{
	struct kernel *k = kernel_new("/nonexistent/kallsyms");

	(void)state;
	assert_string_equal(warnings(k, ""),
			    "jpbpf: warning: kernel functions have no names: "
			    "cannot read /nonexistent/kallsyms: "
			    "No such file or directory\n");
	kernel_free(k);
	kernel_free(NULL);
}

static void test_empty(void **state)
{
	struct kernel *k = open_list("");

	(void)state;
	assert_string_equal(warnings(k, ""), "");
	kernel_free(k);
}

static void test_no_room(void **state)
{
	static const char list[] = "ffffffff81000000 T startup_64\n";
	struct kernel *k = open_list(list);
	char expected[256];

	(void)state;
	snprintf(
		expected, sizeof(expected),
		"jpbpf: warning: some kernel functions have no names: no memory "
		"to read %s (see --max-memory, ulimit -v)\n",
		path);
	heap_limit(16);
	assert_string_equal(warnings(k, ""), expected);
	kernel_free(k);
	heap_limit(0);
	k = open_list(list);
	assert_string_equal(warnings(k, "startup_64"), "");
	kernel_free(k);
}

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_missing), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
