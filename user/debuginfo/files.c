/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The places that gdb and libdwfl look at: /usr/lib/debug by build-id, below the root of
 * the process and then below ours; below the process's root by .gnu_debuglink: beside the
 * file, in .debug there, and in /usr/lib/debug under the file's folder.  If DEBUGINFOD_URLS
 * is set, libdwfl then asks the servers; it is told the build-id and no file.
 *
 * What lies below a process's root, and what a link says, can be a trap: only regular
 * files are opened, and a debuglink must be a plain file name.
 */
#include "user/debuginfo/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>
#include <zlib.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/regular.h"
#include "user/target/root.h"

#define FOLDER	     "/usr/lib/debug"
#define LINK_MAX_LEN 4096	 /* bytes of a section with a link */
#define CHECKED_MAX  (4ll << 30) /* larger files are not read through */

/* As the process sees it, else as we do, where only root writes. */
static int open_below(const struct module *m, const char *path)
{
	int fd = m->root && *path == '/' ? root_open(m->root, path) : -ENOENT;

	if (fd < 0 && !strncmp(path, FOLDER "/", sizeof(FOLDER)) &&
	    !strstr(path, "/../"))
		fd = regular_open(path, NULL);
	return fd;
}

static char *build_id_path(const u8 *id, size_t len)
{
	struct buf path = { 0 };

	buf_adds(&path, FOLDER "/.build-id/");
	buf_addhex(&path, id, 1);
	buf_addc(&path, '/');
	buf_addhex(&path, id + 1, len - 1);
	buf_adds(&path, ".debug");
	return path.data;
}

static bool has_build_id(const struct module *m, int fd)
{
	struct module debug;
	bool same;

	if (module_open(&debug, dup(fd), ""))
		return false;
	same = debug.build_id_len == m->build_id_len &&
	       !memcmp(debug.build_id, m->build_id, m->build_id_len);
	module_close(&debug);
	return same;
}

static bool has_checksum(int fd, u32 expected)
{
	const size_t size = 1 << 16;
	_cleanup_free_ void *bytes = xmalloc(size);
	u32 crc = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, size, at)) > 0 && at < CHECKED_MAX) {
		crc = crc32(crc, bytes, n);
		at += n;
	}
	return !n && crc == expected;
}

/* A file name, and after it, from the next multiple of four on, a checksum. */
static int find_linked(const struct module *m)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", ".debug/" }, { FOLDER, "" } };
	_cleanup_free_ char *link = NULL;
	size_t len;
	const char *path =
		m->root && m->path ? root_path(m->root, m->path) : m->path;
	const char *slash = path ? strrchr(path, '/') : NULL;
	u32 crc;

	if (module_section_copy(m, ".gnu_debuglink", LINK_MAX_LEN, &link,
				&len) ||
	    !slash || !*link || strchr(link, '/') ||
	    (strlen(link) & ~3ul) + 8 > len)
		return -ENOENT;
	memcpy(&crc, link + (strlen(link) & ~3ul) + 4, sizeof(crc));
	for (size_t i = 0; i < 3; i++) {
		_cleanup_free_ char *at = xasprintf(
			"%s%.*s%s%s", places[i].before, (int)(slash + 1 - path),
			path, places[i].after, link);
		_cleanup_close_ int fd = m->root ? root_open(m->root, at)
						 : regular_open(at, NULL);

		if (fd >= 0 && has_checksum(fd, crc))
			return steal_fd(&fd);
	}
	return -ENOENT;
}

static int find_by_id(const struct module *m)
{
	_cleanup_free_ char *path = build_id_path(m->build_id, m->build_id_len);
	_cleanup_close_ int fd = open_below(m, path);

	return fd >= 0 && has_build_id(m, fd) ? steal_fd(&fd) : -ENOENT;
}

/* libdw asks debuginfod.  It looks into no folder: the file that it found there it would
 * give away, and close descriptor 0. */
static int download(const struct module *m)
{
	static char *path = (char *)"/nonexistent";
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.debuginfo_path = &path,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *mod = dwfl ? dwfl_report_module(dwfl, "", 0, 4096) : NULL;
	char *found = NULL;
	int fd = -ENOENT;

	if (mod &&
	    !dwfl_module_report_build_id(mod, m->build_id, m->build_id_len, 0))
		fd = dwfl_standard_find_debuginfo(mod, NULL, "", 0, NULL, NULL,
						  0, &found);
	dwfl_end(dwfl);
	free(found);
	return fd;
}

int files_find_debug(const struct module *m)
{
	bool has_id = m->build_id_len > 1;
	int fd = has_id ? find_by_id(m) : -ENOENT;

	if (fd < 0)
		fd = find_linked(m);
	return fd < 0 && has_id ? download(m) : fd;
}

/* A path, and after its NUL a build-id.  Debian has the file by its path only. */
static void find_alt(struct files *f, const struct module *m,
		     const struct module *of)
{
	_cleanup_free_ char *link = NULL, *by_id = NULL;
	size_t len, at;

	if (module_section_copy(of, ".gnu_debugaltlink", LINK_MAX_LEN, &link,
				&len))
		return;
	at = strlen(link) + 1;
	if (at + 2 > len || len - at > sizeof(f->alt_id))
		return;
	f->alt_id_len = len - at;
	memcpy(f->alt_id, link + at, f->alt_id_len);
	by_id = build_id_path(f->alt_id, f->alt_id_len);
	f->fd[FILES_ALT] = open_below(m, by_id);
	f->fd[FILES_ALT_BY_PATH] = open_below(m, link);
}

void files_find(struct files *f, const struct module *m)
{
	struct module debug;

	*f = (struct files){ .alt_id_len = 0 };
	f->fd[FILES_OWN] = dup(m->fd);
	f->fd[FILES_DEBUG] = files_find_debug(m);
	f->fd[FILES_ALT] = f->fd[FILES_ALT_BY_PATH] = -1;
	if (f->fd[FILES_DEBUG] >= 0 &&
	    !module_open(&debug, dup(f->fd[FILES_DEBUG]), "")) {
		find_alt(f, m, &debug);
		module_close(&debug);
	} else {
		find_alt(f, m, m);
	}
}

void files_close(struct files *f)
{
	for (size_t i = 0; i < FILES_COUNT; i++)
		guard_close(&f->fd[i]);
}

static int give_debug(Dwfl_Module *mod, void **userdata, const char *name,
		      Dwarf_Addr base, const char *file, const char *debuglink,
		      GElf_Word crc, char **found)
{
	const struct files *f = *userdata;

	(void)mod, (void)name, (void)base, (void)file, (void)debuglink,
		(void)crc;
	/* None is no error. */
	errno = 0;
	if (f->fd[FILES_DEBUG] < 0)
		return -1;
	*found = xstrdup("");
	return dup(f->fd[FILES_DEBUG]);
}

Dwfl_Module *files_report(const struct files *f)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = give_debug,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *mod =
		dwfl ? dwfl_report_elf(dwfl, "", "", dup(f->fd[FILES_OWN]), 0,
				       true)
		     : NULL;
	void **userdata;

	if (mod && dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL,
				    NULL, NULL))
		*userdata = (void *)f;
	dwfl_report_end(dwfl, NULL, NULL);
	return mod;
}
