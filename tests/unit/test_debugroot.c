/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The debug file of a module in a container: where it is looked for there, and that
 * nothing but the right one is taken.  A made-up /proc tells of the container. */
#include "user/debuginfo/debugroot.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What is found by that link: where, or NULL. */
static char *find(const struct scene *s, const char *link)
{
	u32 crc = crc32(0, (const void *)RIGHT, strlen(RIGHT));
	char text[32] = "", *name = NULL;
	int fd = debugroot_open(&s->m, link, crc, &name);

	if (fd < 0)
		return NULL;
	assert_int_equal(pread(fd, text, sizeof(text), 0), strlen(RIGHT));
	assert_string_equal(text, RIGHT);
	/* It cannot be cut short by whoever runs the container. */
	assert_int_equal(lseek(fd, 0, SEEK_END), strlen(RIGHT));
	close(fd);
	return name;
}

static void check(const struct scene *s, const char *link, const char *where)
{
	char *name = find(s, link);

	print_message("# link %s: want %s\n", link, where ? where : "nothing");
	if (where)
		assert_string_equal(name, where);
	else
		assert_null(name);
	free(name);
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
	check(&s, "x.debug", NULL);
	/* From the last place that is looked at to the first. */
	for (size_t i = 0; i < 3; i++) {
		put(&s, places[i], RIGHT);
		check(&s, "x.debug", places[i]);
	}
	/* One with another checksum is not it. */
	put(&s, places[2], WRONG);
	check(&s, "x.debug", places[1]);
	put(&s, places[1], WRONG);
	put(&s, places[0], WRONG);
	check(&s, "x.debug", NULL);
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
		check(&s, links[i], NULL);
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
	check(&s, "x.debug", NULL);
	unlink(name);
	assert_int_equal(symlink("../../../../../../x.debug", name), 0);
	check(&s, "x.debug", NULL);
	/* But one that stays in is followed, as the container means it. */
	put(&s, "/x.debug", RIGHT);
	check(&s, "x.debug", "/opt/app/x.debug");
	unlink(name);
	assert_int_equal(mkfifo(name, 0600), 0);
	check(&s, "x.debug", NULL);
	unlink(name);
	assert_int_equal(mkdir(name, 0700), 0);
	check(&s, "x.debug", NULL);
	/* Larger than what is copied, and costs nobody disk space. */
	rmdir(name);
	write_bytes(name, "", 0);
	assert_int_equal(truncate(name, (256l << 20) + 1), 0);
	check(&s, "x.debug", NULL);
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
static void open_fixture(struct module *m, const char *name)
{
	const char *folder = getenv("JPBPF_TEST_DIR");
	char path[256];

	snprintf(path, sizeof(path), "%s/unit/%s",
		 folder ? folder : "build/tests", name);
	assert_int_equal(module_open(m, open(path, O_RDONLY | O_CLOEXEC), path),
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
	char path[128], *name = NULL;
	struct scene s;
	int fd;

	(void)state;
	set_up(&s);
	open_fixture(&right, "native.so");
	open_fixture(&other, "cfi_cases.so");
	s.m.build_id_len = right.build_id_len;
	memcpy(s.m.build_id, right.build_id, right.build_id_len);
	build_id_path(&right, path);
	assert_true(debugroot_open(&s.m, NULL, 0, &name) < 0);
	/* Its place says nothing, what it holds does. */
	copy_to(&s, &other, path);
	assert_true(debugroot_open(&s.m, NULL, 0, &name) < 0);
	put(&s, path, "no ELF file");
	assert_true(debugroot_open(&s.m, NULL, 0, &name) < 0);
	/* Then the link is looked at. */
	put(&s, "/opt/app/x.debug", RIGHT);
	check(&s, "x.debug", "/opt/app/x.debug");
	copy_to(&s, &right, path);
	fd = debugroot_open(&s.m, "x.debug", 0, &name);
	assert_true(fd >= 0);
	assert_string_equal(name, path);
	assert_int_equal(lseek(fd, 0, SEEK_END), right.key.size);
	free(name);
	close(fd);
	module_close(&right);
	module_close(&other);
	tear_down(&s);
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
	return cmocka_run_group_tests(tests, NULL, NULL);
}
