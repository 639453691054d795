/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The debug file of a module in a container: where it is looked for there, and that
 * nothing but the right one is taken.  A made-up /proc tells of the container. */
#include "tests/unit/fixture.h"
#include "user/debuginfo/files.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <zlib.h>

#include "tests/unit/containers.h"
#include "user/elf/module.h"
#include "user/target/root.h"

#define RIGHT "the right one"
#define WRONG "another one"

struct scene {
	struct containers containers;
	struct roots *roots;
	struct module m; /* /opt/app/program in the container */
};

extern char **environ;

/* native.so without a build-id, but with that .gnu_debuglink, and the checksum of RIGHT. */
static void open_linked(struct module *m, const char *link)
{
	u32 crc = crc32(0, (const void *)RIGHT, strlen(RIGHT));
	char *from = fixture_path("native.so"), section[64] = "";
	const char *const argv[] = { "objcopy",
				     "--remove-section=.note.gnu.build-id",
				     "--add-section",
				     ".gnu_debuglink=link.section",
				     from,
				     "linked.so",
				     NULL };
	size_t at = (strlen(link) & ~3ul) + 4;
	int status;
	pid_t pid;

	memcpy(section, link, strlen(link));
	memcpy(section + at, &crc, sizeof(crc));
	write_bytes("link.section", section, at + sizeof(crc));
	assert_int_equal(posix_spawnp(&pid, argv[0], NULL, NULL,
				      (char *const *)argv, environ),
			 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(module_open(m, open("linked.so", O_RDONLY | O_CLOEXEC),
				     "/opt/app/program"),
			 0);
	assert_int_equal(m->build_id_len, 0);
	free(from);
}

static char *inside(const struct scene *s, const char *path, char out[256])
{
	char name[200];

	snprintf(name, sizeof(name), "/root%s", path);
	return containers_name(&s->containers, 1, name, out);
}

/* A folder and those around it. */
static void make_folder(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		assert_true(!mkdir(path, 0755) || errno == EEXIST);
		*at = '/';
	}
}

static void put(const struct scene *s, const char *path, const char *text)
{
	char name[256];

	make_folder(inside(s, path, name));
	write_bytes(name, text, strlen(text));
}

static void set_up(struct scene *s)
{
	*s = (struct scene){ .roots = roots_new() };
	containers_init(&s->containers);
	containers_start(&s->containers);
	put(s, "/opt/app/program", "");
	s->m.root = roots_hold(s->roots, s->containers.proc, 1);
	assert_true(s->m.root && root_is_known(s->m.root));
	s->m.path = (char *)"/opt/app/program";
}

static void tear_down(struct scene *s)
{
	roots_free(s->roots);
	containers_release(&s->containers);
}

static void check(const struct scene *s, const char *link, bool found)
{
	struct module m;
	char text[32] = "";
	int fd;

	print_message("# link %s: want %d\n", link, found);
	open_linked(&m, link);
	m.root = s->m.root;
	fd = files_find_debug(&m);
	assert_int_equal(fd >= 0, found);
	if (found) {
		assert_int_equal(pread(fd, text, sizeof(text), 0),
				 strlen(RIGHT));
		assert_string_equal(text, RIGHT);
		close(fd);
	}
	module_close(&m);
}

static void test_by_link(void **state)
{
	static const char *const places[] = {
		"/usr/lib/debug/opt/app/x.debug",
		"/opt/app/.debug/x.debug",
		"/opt/app/x.debug",
	};
	struct scene s;

	(void)state;
	set_up(&s);
	check(&s, "x.debug", false);
	/* One with another checksum is not it. */
	for (size_t i = 0; i < 3; i++) {
		put(&s, places[i], RIGHT);
		check(&s, "x.debug", true);
		put(&s, places[i], WRONG);
		check(&s, "x.debug", false);
	}
	tear_down(&s);
}

/* What a link says must be the name of a file. */
static void test_bad_links(void **state)
{
	static const char *const links[] = { "", "../app/x.debug", "/x.debug",
					     ".", ".." };
	struct scene s;

	(void)state;
	set_up(&s);
	put(&s, "/opt/app/x.debug", RIGHT);
	put(&s, "/x.debug", RIGHT);
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		check(&s, links[i], false);
	tear_down(&s);
}

/* Neither a link out of the container, nor what is no file. */
static void test_traps(void **state)
{
	char name[256], outside[64];
	struct scene s;

	(void)state;
	set_up(&s);
	snprintf(outside, sizeof(outside), "%s/x.debug", s.containers.proc);
	write_bytes(outside, RIGHT, strlen(RIGHT));
	assert_int_equal(symlink(outside, inside(&s, "/opt/app/x.debug", name)),
			 0);
	check(&s, "x.debug", false);
	unlink(name);
	assert_int_equal(symlink("../../../../../../x.debug", name), 0);
	check(&s, "x.debug", false);
	/* But one that stays in is followed, as the container means it. */
	put(&s, "/x.debug", RIGHT);
	check(&s, "x.debug", true);
	unlink(name);
	assert_int_equal(mkfifo(name, 0600), 0);
	check(&s, "x.debug", false);
	unlink(name);
	assert_int_equal(mkdir(name, 0700), 0);
	check(&s, "x.debug", false);
	tear_down(&s);
}

static void build_id_path(const struct module *m, char out[128])
{
	size_t at = snprintf(out, 128, "/usr/lib/debug/.build-id/%02x/",
			     m->build_id[0]);

	for (size_t i = 1; i < m->build_id_len; i++)
		at += snprintf(out + at, 128 - at, "%02x", m->build_id[i]);
	snprintf(out + at, 128 - at, ".debug");
}

/* A file with a build-id stands for its own debug file. */
static void open_file(struct module *m, const char *name)
{
	assert_int_equal(module_open(m, fixture_open(name), "/opt/app/program"),
			 0);
	assert_true(m->build_id_len > 1);
}

static void copy_to(const struct scene *s, const struct module *m,
		    const char *path)
{
	char name[256], *bytes = malloc(m->key.size);

	make_folder(inside(s, path, name));
	assert_int_equal(pread(m->fd, bytes, m->key.size, 0), m->key.size);
	write_bytes(name, bytes, m->key.size);
	free(bytes);
}

static void test_by_build_id(void **state)
{
	struct module right, other;
	struct stat found, expected;
	char path[128], name[256];
	struct scene s;
	int fd;

	(void)state;
	set_up(&s);
	open_file(&right, "native.so");
	open_file(&other, "cfi_cases.so");
	right.root = s.m.root;
	build_id_path(&right, path);
	assert_true(files_find_debug(&right) < 0);
	/* Its place says nothing, what it holds does. */
	copy_to(&s, &other, path);
	assert_true(files_find_debug(&right) < 0);
	put(&s, path, "no ELF file");
	assert_true(files_find_debug(&right) < 0);
	copy_to(&s, &right, path);
	fd = files_find_debug(&right);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &found), 0);
	assert_int_equal(stat(inside(&s, path, name), &expected), 0);
	assert_int_equal(found.st_ino, expected.st_ino);
	close(fd);
	module_close(&right);
	module_close(&other);
	tear_down(&s);
}

static char folder[] = "/tmp/test_files.XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	return !mkdtemp(folder) || chdir(folder);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, containers_remove, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_link),
		cmocka_unit_test(test_bad_links),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_by_build_id),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
