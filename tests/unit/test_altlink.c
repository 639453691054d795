/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names and lines of a module whose debug information is partly in another file: from
 * altlink.so, and altlink_moved.so put below the root of a made-up container.
 */
#include "tests/unit/fixture.h"
#include "tests/unit/native_reader.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/unit/containers.h"
#include "user/lib/buf.h"
#include "user/elf/module.h"
#include "user/target/root.h"

#define SECONDS_MAX 20

extern char **environ;

static char folder[] = "/tmp/test_altlink.XXXXXX";

static bool run(const char *const *argv)
{
	pid_t pid;
	int status;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv,
			 environ))
		return false;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

#define RUN(...) run((const char *const[]){ __VA_ARGS__, NULL })

static void open_file(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(module_open(m, fd, path), 0);
}

/* "linked.so", whose link says that path, and the build-id of altlink_moved.so. */
static bool make_linked(const char *path)
{
	char *from = fixture_path("altlink.so"),
	     *moved = fixture_path("altlink_moved.so");
	FILE *f = fopen("link", "we");
	struct module m;
	bool made;

	assert_non_null(f);
	open_file(&m, moved);
	assert_true(m.build_id_len > 2);
	fwrite(path, 1, strlen(path) + 1, f);
	fwrite(m.build_id, 1, m.build_id_len, f);
	assert_int_equal(fclose(f), 0);
	module_close(&m);
	made = RUN("objcopy", "--add-section", ".gnu_debugaltlink=link", from,
		   "linked.so");
	free(from);
	free(moved);
	return made;
}

/* The line is known in any case, the name of what is inlined as expected. */
static void check(const struct root *root, const char *expected)
{
	struct native_said said;
	struct module m;
	u64 text, size;

	open_file(&m, "linked.so");
	m.root = root;
	assert_int_equal(module_section(&m, ".text", &text, &size), 0);
	alarm(SECONDS_MAX);
	said = native_said(&m, text);
	alarm(0);
	assert_string_equal(buf_text(&said.file), "made.c");
	assert_int_equal(said.line, 1);
	assert_string_equal(buf_text(&said.inlined), expected);
	native_said_release(&said);
	module_close(&m);
}

/* What lies at the link's path must not be opened: here nobody ever writes to it. */
static void test_pipe(void **state)
{
	char *pipe = xasprintf("%s/pipe", folder);

	(void)state;
	assert_int_equal(mkfifo(pipe, 0600), 0);
	if (make_linked(pipe))
		check(NULL, "?");
	if (make_linked("pipe"))
		check(NULL, "?");
	assert_int_equal(unlink(pipe), 0);
	free(pipe);
}

static void put(const struct containers *c, const char *path, const char *from)
{
	char name[256], inside[200];

	snprintf(inside, sizeof(inside), "/root%s", path);
	containers_name(c, 1, inside, name);
	for (char *at = strchr(name + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		assert_true(!mkdir(name, 0755) || errno == EEXIST);
		*at = '/';
	}
	assert_true(RUN("cp", from, name));
}

static void test_container(void **state)
{
	static const char *const path = "/usr/lib/debug/.dwz/moved.debug";
	char *moved = fixture_path("altlink_moved.so"),
	     *other = fixture_path("native.so");
	struct roots *roots = roots_new();
	struct containers c;
	const struct root *root;

	(void)state;
	containers_init(&c);
	containers_start(&c);
	root = roots_hold(roots, c.proc, 1);
	assert_true(root && root_is_known(root));
	if (!make_linked(path))
		skip();
	check(root, "?");
	put(&c, path, other);
	check(root, "?"); /* another build-id */
	put(&c, path, moved);
	check(root, "moved");
	roots_free(roots);
	containers_release(&c);
	free(moved);
	free(other);
}

static int make_folder(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	return !mkdtemp(folder) || chdir(folder);
}

static int remove_folder(void **state)
{
	(void)state;
	return !(RUN("rm", "-rf", folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_container),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
