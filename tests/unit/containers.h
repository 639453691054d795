/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A made-up /proc of processes of which each is in a container of its own: PID/root is a
 * folder, and PID/ns/mnt a file.
 */
#ifndef JPBPF_TESTS_UNIT_CONTAINERS_H
#define JPBPF_TESTS_UNIT_CONTAINERS_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct containers {
	char proc[32];
	pid_t pids;
};

static inline void containers_init(struct containers *c)
{
	*c = (struct containers){ "/tmp/containers.XXXXXX", 0 };
	assert_non_null(mkdtemp(c->proc));
}

/* Of PROC/PID NAME; out has room for 256 bytes, and is returned. */
static inline char *containers_name(const struct containers *c, pid_t pid,
				    const char *name, char *out)
{
	snprintf(out, 256, "%s/%d%s", c->proc, pid, name);
	return out;
}

static inline void write_bytes(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* One more process. */
static inline pid_t containers_start(struct containers *c)
{
	static const char *const folders[] = { "", "/root", "/ns" };
	pid_t pid = ++c->pids;
	char name[256];

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
			mkdir(containers_name(c, pid, folders[i], name), 0755),
			0);
	write_bytes(containers_name(c, pid, "/ns/mnt", name), "", 0);
	return pid;
}

static int containers_remove(const char *path, const struct stat *st, int kind,
			     struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static inline void containers_release(const struct containers *c)
{
	assert_int_equal(
		nftw(c->proc, containers_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
