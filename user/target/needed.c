/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The command is looked for as execvp() does it; "#!" is followed; then DT_NEEDED,
 * file by file, each file once.  Libraries are looked for in the usual folders
 * only: a wrong guess costs a table that nobody uses, one that is missed is built
 * when it is mapped.
 */
#include "user/target/needed.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define MAX_FILES   64
#define MAX_SCRIPTS 4 /* interpreters that are scripts themselves */
#define MAX_LINE    256

struct search {
	char *path[MAX_FILES];
	size_t n;
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

/* The file in one of the folders of a list with colons; NULL: in none. */
static char *find_in(const char *list, const char *name)
{
	while (list && *list) {
		const char *end = strchrnul(list, ':');
		char *path =
			xasprintf("%.*s/%s", (int)(end - list), list, name);

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
	return find_in(getenv("PATH"), name);
}

static void add_library(struct search *s, const char *name)
{
	static const char folders[] =
		"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:"
		"/usr/lib64:/usr/local/lib:/usr/lib/R/lib:/lib:/usr/lib";
	char *path = find_in(folders, name);

	if (path)
		add(s, path);
}

static void read_dynamic(struct search *s, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? data->d_size / h->sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; i < n && gelf_getdyn(data, i, &dyn); i++) {
		const char *name;

		if (dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, h->sh_link, dyn.d_un.d_val);
		if (name && *name && !strchr(name, '/'))
			add_library(s, name);
	}
}

static void read_elf(struct search *s, int fd)
{
	Elf *elf = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_DYNAMIC)
			read_dynamic(s, elf, scn, &h);
	elf_end(elf);
}

static char *next_word(char **at)
{
	char *word;

	while (isblank((unsigned char)**at))
		++*at;
	word = *at;
	while (**at && !isspace((unsigned char)**at))
		++*at;
	if (**at)
		*(*at)++ = '\0';
	return word;
}

/* What "#!" in the file's first line names; NULL: it is no script. */
static char *interpreter(int fd)
{
	char line[MAX_LINE + 1], *at = line + 2, *word;
	ssize_t n = pread(fd, line, MAX_LINE, 0);

	if (n < 3 || line[0] != '#' || line[1] != '!')
		return NULL;
	line[n] = '\0';
	word = next_word(&at);
	if (strlen(word) >= 4 && !strcmp(word + strlen(word) - 4, "/env"))
		word = next_word(&at);
	return *word ? needed_command(word) : NULL;
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
	add_library(&s, "ld-linux-x86-64.so.2");
	for (size_t i = 0; i < s.n; i++) {
		_cleanup_close_ int fd =
			open(s.path[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd >= 0)
			read_elf(&s, fd);
	}
	for (size_t i = 0; i < s.n; i++) {
		fn(ctx, s.path[i]);
		free(s.path[i]);
	}
}
