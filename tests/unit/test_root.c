/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The root folder of a process: ours, and that of a child that has chroot()ed (needs
 * root), with links that try to lead out of it. */
#include "user/target/root.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_root.XXXXXX";

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void make_tree(void)
{
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(mkdir("etc", 0755), 0);
	assert_int_equal(mkdir("in", 0755), 0);
	write_file("etc/hostname", "inside");
	write_file("in/file", "inside");
	assert_int_equal(symlink("/etc/hostname", "in/absolute"), 0);
	assert_int_equal(symlink("../../../../etc/hostname", "in/up"), 0);
	assert_int_equal(symlink("loop", "in/loop"), 0);
	assert_int_equal(mkfifo("in/fifo", 0600), 0);
}

static void remove_tree(void)
{
	static const char *const names[] = { "etc/hostname", "in/file",
					     "in/absolute",  "in/up",
					     "in/loop",	     "in/fifo",
					     "in",	     "etc" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove(names[i]);
	assert_int_equal(rmdir(folder), 0);
}

/* A child whose root is the folder, when it is there. */
static pid_t start_child(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		if (chroot(folder) || chdir("/") || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static const struct {
	const char *path;
	int err; /* 0: it holds "inside" */
} cases[] = {
	{ "/in/file", 0 },	   { "/in/absolute", 0 },
	{ "/in/up", 0 },	   { "/../../../in/file", 0 },
	{ "/in/missing", ENOENT }, { "/in/loop", ELOOP },
};

static void check_file(const struct root *root, size_t i)
{
	char text[16] = "";
	int fd = root_open(root, cases[i].path);

	print_message("# %s\n", cases[i].path);
	if (cases[i].err) {
		assert_int_equal(fd, -cases[i].err);
		return;
	}
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 6);
	assert_string_equal(text, "inside");
	close(fd);
}

static void other_root(void **state)
{
	struct roots *roots = roots_new();
	const struct root *root;
	pid_t child;

	(void)state;
	assert_null(roots_of(roots, "/proc", getpid()));
	if (geteuid()) {
		roots_free(roots);
		skip();
	}
	make_tree();
	child = start_child();
	root = roots_of(roots, "/proc", child);
	assert_non_null(root);
	assert_ptr_equal(roots_of(roots, "/proc", child), root);
	/* Also when the process has ended. */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_file(root, i);
	/* Neither a folder nor a pipe; and nobody waits for one. */
	assert_true(root_open(root, "/in") < 0);
	assert_true(root_open(root, "/in/fifo") < 0);
	roots_free(roots);
	remove_tree();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(other_root) };

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
