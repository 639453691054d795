/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds and keeps the script that R was started with.
 *
 * R reads a script (Rscript FILE, R -f FILE) as if it were typed: line by line, and
 * each expression at top level separately.  With keep.source it keeps the bytes of each
 * expression, from the end of the one before, but neither the file's name nor the place
 * in the file (src/main/gram.y, R_Parse1Buffer; src/main/main.c, Rf_ReplIteration,
 * R-4-2-2).  The bytes are therefore looked for in the script (r_place.c).
 *
 * R is told the file's name (--file=NAME, -f NAME) and keeps the file open while it
 * runs (src/unix/system.c, ifp, R-4-2-2).  The name alone may lead elsewhere later,
 * from another working directory or to a newer file.  The script is therefore the open
 * file that has this name or that the name leads to; if two files qualify, none is
 * taken.
 *
 * It cannot be known beforehand whether R keeps the source, because a script can ask
 * for it (options(keep.source = TRUE)).  Every script is therefore kept.
 */
#include "walkers/r/text/r_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpbpf/sample.h>
#include <jpbpf/text.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

#define MAX_SCRIPT (1u << 20)
#define MAX_FDS	   4096
#define MAX_PATH   4096
#define BLANK	   "~+~"

/* Undo the front end's encoding of blanks in names, as R does (src/scripts/R.sh.in;
 * src/unix/system.c, unescape_arg(), R-4-2-2).  The caller frees the result. */
static char *unescape(const char *name)
{
	char *out = xstrdup(name), *to = out;

	for (; *name; to++) {
		bool blank = !strncmp(name, BLANK, strlen(BLANK));

		*to = blank ? ' ' : *name;
		name += blank ? strlen(BLANK) : 1;
	}
	*to = '\0';
	return out;
}

/* The script's name from R's arguments; NULL if there is none.  The caller frees it. */
static char *find_name(const struct buf *arguments)
{
	static const char option[] = "--file=";
	const char *at = buf_text(arguments), *end = at + arguments->len;
	const char *name = NULL, *next;

	for (; at < end && !name; at = next) {
		next = at + strlen(at) + 1;
		if (!strcmp(at, "--args"))
			return NULL;
		if (!strncmp(at, option, sizeof(option) - 1))
			name = at + sizeof(option) - 1;
		else if (!strcmp(at, "-f") && next < end)
			name = next;
	}
	if (!name || !*name || !strcmp(name, "-") || strchr(name, '\n'))
		return NULL;
	return unescape(name);
}

/* Whether the file open as fd has this name. */
static bool is_named(const char *proc, pid_t pid, const char *fd,
		     const char *name)
{
	_cleanup_free_ char *path = xasprintf("%s/%d/fd/%s", proc, pid, fd);
	_cleanup_free_ char *leads = xcalloc(1, MAX_PATH + 1);

	return readlink(path, leads, MAX_PATH) > 0 &&
	       !strcmp(basename(leads), basename(name));
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Open the script that the process has open under this name: fd, or -1. */
static int open_script(const char *proc, pid_t pid, const char *name)
{
	pid_t tid = thread_living(proc, pid);
	_cleanup_free_ char *path = xasprintf("%s/%d/fd", proc, tid);
	_cleanup_free_ char *now =
		xasprintf("%s/%s", *name == '/' ? "root" : "cwd", name);
	_cleanup_close_ int found = -1, named = proc_open(proc, tid, now);
	struct stat want = { 0 }, have = { 0 }, st;
	DIR *dir = opendir(path);
	bool several = false;
	struct dirent *e;
	int n = 0;

	if (!dir)
		return -1;
	/* A name that leads nowhere is no file's. */
	fstat(named, &want);
	while ((e = readdir(dir)) && n++ < MAX_FDS) {
		_cleanup_free_ char *at = xasprintf("fd/%s", e->d_name);
		_cleanup_close_ int fd = proc_open(proc, tid, at);

		if (fd < 0 || fstat(fd, &st) ||
		    (!same_file(&st, &want) &&
		     !is_named(proc, tid, e->d_name, name)))
			continue;
		several |= found >= 0 && !same_file(&st, &have);
		have = st;
		if (found < 0)
			found = steal_fd(&fd);
	}
	closedir(dir);
	return several ? -1 : steal_fd(&found);
}

/* Read the whole file, with line ends as R makes them (src/unix/sys-std.c,
 * Rstd_ReadConsole, R-4-2-2). */
static int read_script(int fd, struct buf *out)
{
	_cleanup_free_ char *bytes = xmalloc(MAX_SCRIPT + 1);
	size_t len = 0;
	ssize_t n;

	while (len <= MAX_SCRIPT &&
	       (n = pread(fd, bytes + len, MAX_SCRIPT + 1 - len, len)) > 0)
		len += n;
	if (len > MAX_SCRIPT || memchr(bytes, 0, len))
		return -EFBIG;
	for (size_t i = 0; i < len; i++)
		if (bytes[i] != '\r' || i + 1 == len || bytes[i + 1] != '\n')
			buf_addc(out, bytes[i]);
	return 0;
}

u64 r_script_read(const char *proc, pid_t pid, const struct walker_keep *keep)
{
	__attribute__((cleanup(buf_release))) struct buf arguments = { 0 };
	__attribute__((cleanup(buf_release))) struct buf text = { 0 };
	_cleanup_free_ char *name = NULL;
	_cleanup_close_ int fd = -1;
	u64 id;

	if (proc_arguments(proc, pid, &arguments))
		return 0;
	name = find_name(&arguments);
	if (!name)
		return 0;
	buf_addf(&text, "%s\n", name);
	fd = open_script(proc, pid, name);
	if (fd < 0 || read_script(fd, &text))
		return 0;
	id = text.len;
	for (size_t i = 0; i < text.len; i++)
		id = text_mix(id, (u8)text.data[i]);
	id = id ? id : 1;
	return keep->add(keep->ctx, id, buf_text(&text), text.len) ? id : 0;
}
