/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The root folder of a process: ours, and that of a child that has chroot()ed (needs
 * root), with links that try to lead out of it.  And for how long the folders of many
 * processes are open, which a made-up /proc tells of. */
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
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/containers.h"
#include "user/symbolize/status.h"

static char folder[] = "/tmp/test_root.XXXXXX";

static void make_tree(void)
{
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(mkdir("etc", 0755), 0);
	assert_int_equal(mkdir("in", 0755), 0);
	write_bytes("etc/hostname", "inside", 6);
	write_bytes("in/file", "inside", 6);
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
	assert_null(roots_hold(roots, "/proc", getpid()));
	if (geteuid()) {
		roots_free(roots);
		skip();
	}
	make_tree();
	child = start_child();
	root = roots_hold(roots, "/proc", child);
	assert_non_null(root);
	assert_ptr_equal(roots_hold(roots, "/proc", child), root);
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

/* A container with a file in it. */
static pid_t add(struct containers *c)
{
	pid_t pid = containers_start(c);
	char name[256];

	write_bytes(containers_name(c, pid, "/root/file", name), "inside", 6);
	return pid;
}

static void check_inside(const struct root *root)
{
	char text[16] = "";
	int fd = root_open(root, "/file");

	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 6);
	assert_string_equal(text, "inside");
	close(fd);
}

static int descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Containers for ever: of each that is given back nothing is left. */
static void come_and_go(void **state)
{
	struct roots *roots = roots_new();
	int before = descriptors();
	struct containers host;

	(void)state;
	containers_init(&host);
	for (int i = 0; i < 1500; i++) {
		pid_t pid = add(&host);
		const struct root *root = roots_hold(roots, host.proc, pid);

		assert_true(root_is_known(root));
		assert_ptr_equal(roots_hold(roots, host.proc, pid), root);
		roots_drop(roots, root);
		assert_int_equal(roots_open(roots), 1);
		check_inside(root);
		roots_drop(roots, root);
		assert_int_equal(roots_open(roots), 0);
		assert_int_equal(descriptors(), before);
	}
	assert_int_equal(roots_refused(roots), 0);
	roots_free(roots);
	containers_release(&host);
}

/* So many at a time that no more is opened, and what there is room for then. */
static void too_many(void **state)
{
	const struct root *root[1024], *other;
	struct roots *roots;
	struct rlimit files;
	struct containers host;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_cur < 1100)
		skip();
	roots = roots_new();
	containers_init(&host);
	for (size_t i = 0; i < 1024; i++)
		root[i] = roots_hold(roots, host.proc, add(&host));
	assert_int_equal(roots_open(roots), 1024);
	other = roots_hold(roots, host.proc, add(&host));
	assert_non_null(other);
	assert_false(root_is_known(other));
	assert_int_equal(root_open(other, "/file"), -ENOENT);
	assert_int_equal(roots_refused(roots), 1);
	assert_non_null(strstr(status_find(HOST_ROOTS)->text, " 1,024 "));
	roots_drop(roots, other);
	roots_drop(roots, NULL);
	roots_drop(roots, root[7]);
	/* The others are what they were. */
	for (size_t i = 0; i < 1024; i++)
		if (i != 7)
			check_inside(root[i]);
	root[7] = roots_hold(roots, host.proc, host.pids);
	check_inside(root[7]);
	/* Of a process that has gone nothing is known. */
	other = roots_hold(roots, host.proc, host.pids + 1);
	assert_false(root_is_known(other));
	assert_int_equal(roots_refused(roots), 1);
	roots_free(roots);
	containers_release(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_root),
		cmocka_unit_test(come_and_go),
		cmocka_unit_test(too_many),
	};
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
