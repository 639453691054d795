/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* process.c, on a proc tree that is built here and on this very process. */
#include "user/target/proc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"

static char root[] = "/tmp/jpbpf-process-XXXXXX";

static void make_folder(const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", root, name);

	assert_int_equal(mkdir(path, 0700), 0);
}

static void make_file(const char *name, const void *bytes, size_t len)
{
	_cleanup_free_ char *path = xasprintf("%s/%s", root, name);
	_cleanup_fclose_ FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
}

static void make_text(const char *name, const char *text)
{
	make_file(name, text, strlen(text));
}

static int build_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	make_folder("12");
	make_folder("9");
	make_folder("100");
	make_folder("self");
	make_folder("12x");
	make_folder("0");
	make_folder("99999999999999999999999");
	make_folder("12/map_files");
	make_folder("12/root");
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void test_list(void **state)
{
	_cleanup_free_ pid_t *pids = NULL;

	(void)state;
	assert_int_equal(proc_list(root, &pids), 3);
	assert_int_equal(pids[0], 9);
	assert_int_equal(pids[1], 12);
	assert_int_equal(pids[2], 100);
	assert_int_equal(proc_list("/nonexistent", &pids), -ENOENT);
}

static void expect_line(const char *name, const char *key, const char *expected)
{
	_cleanup_free_ char *line = proc_line(root, 12, name, key);

	print_message("# %s\n", name);
	if (expected)
		assert_string_equal(line, expected);
	else
		assert_null(line);
}

static void test_line(void **state)
{
	(void)state;
	make_text("12/comm", "tclsh\n");
	expect_line("comm", "\n", "tclsh");
	make_text("12/comm", "");
	expect_line("comm", "\n", "");
	make_text("12/status", "Name:\tUid:\nx\nUid:\t1\t2\t3\t4\nUid:\t5\n");
	expect_line("status", "\nUid:\t", "1\t2\t3\t4");
	expect_line("status", "\nGid:\t", NULL);
	make_text("12/cgroup", "1:name=0::/a:/b\n0::/c d");
	expect_line("cgroup", "\n0::", "/c d");
	expect_line("nothing", "\n", NULL);
}

/* Folders are left out, what looks like one inside a word is not. */
static void test_command(void **state)
{
#define BYTES(text) text, sizeof(text) - 1
	static const struct {
		const char *bytes;
		size_t len;
		const char *command;
	} row[] = {
		{ BYTES("tclsh\0main.tcl\0"), "tclsh main.tcl" },
		{ BYTES("/usr/bin/tclsh8.6\0/app/a b/main.tcl\0x\0"),
		  "tclsh8.6 a b/main.tcl x" },
		{ BYTES("/usr/lib/R/bin/exec/R\0--file=/home/me/fit.R\0"),
		  "R --file=fit.R" },
		{ BYTES("ls\0/usr/lib/\0/\0a/b\0s/x/y/\0"),
		  "ls /usr/lib/ / a/b s/x/y/" },
		{ BYTES("sh\0-c\0cat /a/b; rm /c/d e\0"),
		  "sh -c cat b; rm d e" },
		{ BYTES("postgres: lab [local] a/b\0\0\0\0\0"),
		  "postgres: lab [local] a/b" },
		{ BYTES("a\0\0b\0\0\0"), "a  b" },
		{ BYTES("\0\0"), NULL },
		{ BYTES(""), NULL },
	};
	static char large[4096];
	char *got;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %s\n", row[i].bytes);
		make_file("12/cmdline", row[i].bytes, row[i].len);
		got = proc_command(root, 12);
		if (row[i].command)
			assert_string_equal(got, row[i].command);
		else
			assert_null(got);
		free(got);
	}
	memset(large, '/', sizeof(large));
	make_file("12/cmdline", large, sizeof(large));
	got = proc_command(root, 12);
	assert_in_range(strlen(got), 1, sizeof(large) / 2);
	free(got);
	assert_null(proc_command(root, 13));
}

static const struct {
	const char *text;
	pid_t parent;
	int start_err;
	u64 start;
} stats[] = {
	{ "12 (R) S 7 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20\n", 7,
	  0, 4711 },
	{ "12 (a) R 1 (b)) S 7 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 5\n",
	  7, 0, 5 },
	{ "12 (R) S 0 2 3\n", 0, -EBADMSG, 0 },
	{ "12 (R) S -7 2 3\n", -EBADMSG, -EBADMSG, 0 },
	{ "12 (R) S 99999999 2 3\n", -EBADMSG, -EBADMSG, 0 },
	{ "12 (R) S 7x 2 3\n", -EBADMSG, -EBADMSG, 0 },
	{ "12 (R)", -EBADMSG, -EBADMSG, 0 },
	{ "12 R S 7 2\n", -EBADMSG, -EBADMSG, 0 },
	{ "", -EBADMSG, -EBADMSG, 0 },
};

static void test_stat(void **state)
{
	size_t i;
	u64 ticks;

	(void)state;
	for (i = 0; i < sizeof(stats) / sizeof(*stats); i++) {
		ticks = 0;
		make_text("12/stat", stats[i].text);
		assert_int_equal(proc_parent(root, 12), stats[i].parent);
		assert_int_equal(proc_start_time(root, 12, &ticks),
				 stats[i].start_err);
		assert_int_equal(ticks, stats[i].start);
	}
	assert_int_equal(proc_parent(root, 13), -ESRCH);
	assert_int_equal(proc_start_time(root, 13, &ticks), -ESRCH);
}

/* More than any single read of the file returns. */
static void test_large_maps(void **state)
{
	struct buf text = { 0 };
	struct maps maps;
	unsigned long i;

	(void)state;
	for (i = 1; i <= 20000; i++)
		buf_addf(&text, "%lx-%lx r--p 0 00:00 0 /file/%lu\n", i << 12,
			 (i + 1) << 12, i);
	make_file("12/maps", text.data, text.len);
	buf_release(&text);
	assert_int_equal(proc_maps(root, 12, &maps), 0);
	assert_int_equal(maps.n, 20000);
	assert_string_equal(maps_find(&maps, 20000UL << 12)->path,
			    "/file/20000");
	maps_release(&maps);
	assert_int_equal(proc_maps(root, 13, &maps), -ESRCH);
	assert_int_equal(maps.n, 0);
}

static void expect_content(int fd, const char *expected)
{
	char out[16] = { 0 };

	assert_true(fd >= 0);
	assert_true(read(fd, out, sizeof(out) - 1) >= 0);
	assert_string_equal(out, expected);
	close(fd);
}

/* A mapping of the file at root/12/root/PATH, as stat() knows it. */
static struct map map_of(const char *path)
{
	_cleanup_free_ char *full = xasprintf("%s/12/root%s", root, path);
	struct stat st;

	assert_int_equal(stat(full, &st), 0);
	return (struct map){ .start = 0x7f00abc000,
			     .end = 0x7f00abd000,
			     .dev = st.st_dev,
			     .ino = st.st_ino,
			     .path = (char *)path };
}

static void test_open_fallback(void **state)
{
	struct map map;

	(void)state;
	make_text("12/root/lib.so", "below root");
	map = map_of("/lib.so");
	expect_content(proc_open_map(root, 12, &map), "below root");
	assert_int_equal(proc_open_map(root, 13, &map), -ESRCH);
	map.ino++;
	assert_int_equal(proc_open_map(root, 12, &map), -ESTALE);
	map.ino--;
	map.dev++;
	assert_int_equal(proc_open_map(root, 12, &map), -ESTALE);
	map.path = (char *)"/none.so";
	assert_int_equal(proc_open_map(root, 12, &map), -ENOENT);
	map.path = (char *)"[heap]";
	assert_int_equal(proc_open_map(root, 12, &map), -ENOENT);
}

static void test_open_map_files(void **state)
{
	struct map map;

	(void)state;
	make_text("12/root/other.so", "by path");
	map = map_of("/other.so");
	make_text("12/map_files/7f00abc000-7f00abd000", "by map_files");
	expect_content(proc_open_map(root, 12, &map), "by map_files");
}

/* Opening a pipe to look at it would wait for ever. */
static void test_open_pipe(void **state)
{
	_cleanup_free_ char *pipe = xasprintf("%s/12/root/pipe", root);
	struct map map;

	(void)state;
	assert_int_equal(mkfifo(pipe, 0600), 0);
	map = map_of("/pipe");
	map.start -= 0x1000;
	assert_int_equal(proc_open_map(root, 12, &map), -ENXIO);
}

static void test_self(void **state)
{
	_cleanup_free_ char *comm = NULL;
	u64 ticks = 0, again = 0;
	struct maps maps;

	(void)state;
	assert_int_equal(prctl(PR_SET_NAME, "a ) b"), 0);
	comm = proc_line("/proc", getpid(), "comm", "\n");
	assert_string_equal(comm, "a ) b");
	assert_int_equal(proc_parent("/proc", getpid()), getppid());
	assert_false(proc_ended("/proc", getpid()));
	assert_int_equal(proc_start_time("/proc", getpid(), &ticks), 0);
	assert_int_equal(proc_start_time("/proc", getpid(), &again), 0);
	assert_true(ticks > 0 && ticks == again);
	assert_int_equal(proc_maps("/proc", getpid(), &maps), 0);
	assert_true(maps_find(&maps, (unsigned long)test_self)->executable);
	assert_true(maps_find(&maps, (unsigned long)root)->writable);
	maps_release(&maps);
}

/* The file of a mapping, after its name has gone.  Only map_files can do that;
 * without the privilege for it the answer must be an error. */
static void test_self_deleted(void **state)
{
	char path[] = "/tmp/jpbpf-mapped-XXXXXX";
	_cleanup_close_ int fd = mkstemp(path);
	const struct map *map;
	struct maps maps;
	char *p;
	int got;

	(void)state;
	assert_int_equal(write(fd, "mapped", 6), 6);
	p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(p != MAP_FAILED);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(proc_maps("/proc", getpid(), &maps), 0);
	map = maps_find(&maps, (unsigned long)p);
	assert_true(map->deleted);
	assert_string_equal(map->path, path);
	got = proc_open_map("/proc", getpid(), map);
	if (geteuid())
		assert_true(got >= 0 || got == -ENOENT);
	if (got >= 0 || !geteuid())
		expect_content(got, "mapped");
	maps_release(&maps);
	munmap(p, 4096);
}

static void test_gone(void **state)
{
	_cleanup_free_ pid_t *pids = NULL;
	pid_t pid = fork();
	struct maps maps;

	(void)state;
	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(proc_maps("/proc", pid, &maps), -ESRCH);
	assert_null(proc_line("/proc", pid, "comm", "\n"));
	assert_null(proc_command("/proc", pid));
	assert_int_equal(proc_parent("/proc", pid), -ESRCH);
	assert_true(proc_list("/proc", &pids) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_large_maps),
		cmocka_unit_test(test_open_fallback),
		cmocka_unit_test(test_open_map_files),
		cmocka_unit_test(test_open_pipe),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_self_deleted),
		cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests(tests, build_tree, remove_tree);
}
