/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads /tmp/perf-PID.map in the target's file system; PID is the target's own pid in
 * its namespace (linux/tools/perf/Documentation/jit-interface.txt).  A line is "START
 * SIZE NAME", numbers in hexadecimal; the name may hold blanks.
 *
 * Code is made, dropped and made again at the same place, not always from the same
 * start, so the last line for an address counts.
 *
 * Anybody can write to /tmp, so only a regular file of the target's user, of root or of
 * our user is read.
 */
#include "user/symbolize/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"
#include "user/elf/module.h"
#include "user/target/root.h"

#define NAME_MAX_BYTES 4096

int perfmap_open(const struct module *m)
{
	_cleanup_free_ char *path = xasprintf("/tmp/perf-%d.map", m->code->pid);
	_cleanup_close_ int fd =
		m->root ? root_open(m->root, path)
			: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
					     O_NOFOLLOW | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -ENOENT;
	if (!S_ISREG(st.st_mode) || (st.st_uid != m->code->owner && st.st_uid &&
				     st.st_uid != geteuid()))
		return -EPERM;
	return steal_fd(&fd);
}

/* The last line may be half written, so a line without its end is ignored. */
static bool parse_line(char *line, u64 *start, u64 *end, char **name)
{
	char *newline = strchr(line, '\n');
	int len = 0;
	u64 size;

	if (!newline || sscanf(line, "%llx %llx%n", start, &size, &len) != 2 ||
	    line[len] != ' ' || line + len + 1 == newline ||
	    size > UINT64_MAX - *start)
		return false;
	*newline = '\0';
	*end = *start + size;
	*name = line + len + 1;
	return true;
}

void perfmap_read(int fd, u64 base, const u64 *vaddr, size_t n,
		  void (*take)(void *ctx, size_t i, const char *name),
		  void *ctx)
{
	_cleanup_fclose_ FILE *f = fdopen(fd, "r");
	_cleanup_free_ char **found = xcalloc(n, sizeof(*found));
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	u64 start, end;
	char *name;

	while (f && getline(&line, &size, f) > 0) {
		if (!parse_line(line, &start, &end, &name) || end <= base)
			continue;
		name = xstrndup(name, NAME_MAX_BYTES);
		for (size_t i = start > base ? search(vaddr, n, sizeof(*vaddr),
						      0, start - base - 1)
					     : 0;
		     i < n && vaddr[i] < end - base; i++)
			found[i] = name;
	}
	for (size_t i = 0; i < n; i++)
		if (found[i])
			take(ctx, i, found[i]);
}
