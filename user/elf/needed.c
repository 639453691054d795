/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Predicts the files that a command maps.
 *
 * The command is looked up as execvp() does. Interpreters after "#!" are followed,
 * then DT_NEEDED of each file, each file once. Libraries are looked for in the
 * folders that the needing file gives (DT_RUNPATH, else DT_RPATH), then in the
 * usual folders. A wrong guess costs a table that nobody uses. A missed file gets
 * its table when it is mapped.
 */
#include "user/elf/needed.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/machine.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

#define MAX_FILES   64
#define MAX_NAMES   1024 /* libraries looked up */
#define MAX_LIST    1024 /* bytes of DT_RUNPATH or DT_RPATH */
#define MAX_SCRIPTS 4	 /* chain of scripts that interpret scripts */
#define MAX_LINE    256
#define LINE	    "256"

struct search {
	char *path[MAX_FILES];
	size_t n, names;
};

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Takes path. */
static void add(struct search *s, char *path)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->path[i], path))
			path[0] = '\0';
	if (!path[0] || s->n >= MAX_FILES)
		free(path);
	else
		s->path[s->n++] = path;
}

/* The path of the file name in one of the folders of the colon-separated list; the
 * caller frees it. A leading $ORIGIN is the folder of the file "of". NULL: not
 * found. */
static char *find_in(const char *list, const char *name, const char *of)
{
	const char *slash = strrchr(of, '/');
	int folder = slash ? slash - of : 0;

	while (list && *list) {
		const char *end = strchrnul(list, ':');
		int skip = strncmp(list, "$ORIGIN", 7) ? 0 : 7;
		char *path =
			xasprintf("%.*s%.*s/%s", skip ? folder : 0, of,
				  (int)(end - list) - skip, list + skip, name);

		if (is_file(path))
			return path;
		free(path);
		list = *end ? end + 1 : end;
	}
	return NULL;
}

char *needed_command(const char *name)
{
	if (strchr(name, '/'))
		return is_file(name) ? xstrdup(name) : NULL;
	return find_in(getenv("PATH"), name, "");
}

/* Adds the library name that the file "of" needs; list holds the folders that "of"
 * gives. */
static void add_library(struct search *s, const char *name, const char *of,
			const char *list)
{
	static const char folders[] = ARCH_LIBRARIES
		":/lib64:"
		"/usr/lib64:/usr/local/lib:/usr/lib/R/lib:/lib:/usr/lib";
	char *path;

	if (strchr(name, '/') || s->names++ >= MAX_NAMES)
		return;
	path = find_in(list, name, of);
	if (!path)
		path = find_in(folders, name, "");
	if (path)
		add(s, path);
}

static void read_needed(struct search *s, const struct module *m)
{
	char list[MAX_LIST], name[NAME_MAX + 1];
	u64 at = 0, old = 0;

	if (!module_dynamic_text(m, DT_RUNPATH, &at, list, sizeof(list)) &&
	    !module_dynamic_text(m, DT_RPATH, &old, list, sizeof(list)))
		list[0] = '\0';
	for (at = 0;
	     module_dynamic_text(m, DT_NEEDED, &at, name, sizeof(name));)
		add_library(s, name, m->path, list);
}

static void read_file(struct search *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct module m;

	if (fd < 0 || module_open(&m, fd, path))
		return;
	read_needed(s, &m);
	module_close(&m);
}

/* The path of the interpreter that "#!" names; the caller frees it. NULL: no script
 * or not found. */
static char *interpreter(int fd)
{
	char line[MAX_LINE + 1], word[2][MAX_LINE + 1];
	ssize_t n = pread(fd, line, MAX_LINE, 0);
	int words;
	bool env;

	line[n < 0 ? 0 : n] = '\0';
	words = sscanf(line, "#!%" LINE "s%" LINE "s", word[0], word[1]);
	env = words == 2 && !strcmp(basename(word[0]), "env");
	return words > 0 ? needed_command(word[env]) : NULL;
}

/* Takes path. */
static void add_program(struct search *s, char *path)
{
	for (int i = 0; path && i < MAX_SCRIPTS; i++) {
		_cleanup_close_ int fd =
			open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		char *next = fd < 0 ? NULL : interpreter(fd);

		if (!next)
			break;
		free(path);
		path = next;
	}
	if (path)
		add(s, path);
}

void needed_files(const char *command, void (*fn)(void *ctx, const char *path),
		  void *ctx)
{
	struct search s = { .n = 0 };

	add_program(&s, needed_command(command));
	add_library(&s, ARCH_LOADER, "", "");
	for (size_t i = 0; i < s.n; i++)
		read_file(&s, s.path[i]);
	for (size_t i = 0; i < s.n; i++) {
		fn(ctx, s.path[i]);
		free(s.path[i]);
	}
}
