/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The places that gdb and libdwfl look at, below the root of the process: /usr/lib/debug
 * by build-id, then by .gnu_debuglink: beside the file, in .debug there, and in
 * /usr/lib/debug under the file's folder.  libdwfl then looks in our /usr/lib/debug and,
 * if DEBUGINFOD_URLS is set, asks the servers; it is told the build-id and no file.
 *
 * What lies below a process's root, and what a link says, can be a trap: only regular
 * files are opened, and a debuglink must be a plain file name.
 */
#include "user/debuginfo/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static int open_at(const struct module *m, const char *path)
{
	return m->root ? root_open(m->root, path) : regular_open(path, NULL);
}

static char *build_id_path(const u8 *id, size_t len)
{
	struct buf path = { 0 };

	buf_addf(&path, FOLDER "/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < len; i++)
		buf_addf(&path, "%02x", id[i]);
	buf_adds(&path, ".debug");
	return path.data;
}

static bool has_build_id(const struct module *m, int fd)
{
	struct module debug;
	bool same;

	if (!m->build_id_len || module_open(&debug, dup(fd), ""))
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
		_cleanup_close_ int fd = open_at(m, at);

		if (fd >= 0 && has_checksum(fd, crc))
			return steal_fd(&fd);
	}
	return -ENOENT;
}

static int find_elf(Dwfl_Module *mod, void **userdata, const char *name,
		    Dwarf_Addr base, char **file, Elf **elf)
{
	(void)mod, (void)userdata, (void)name, (void)base, (void)file,
		(void)elf;
	return -1;
}

/* On our side, by build-id alone; what is not installed, libdw asks debuginfod for. */
static int find_installed(const struct module *m)
{
	static char *path = (char *)FOLDER;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf,
		.debuginfo_path = &path,
	};
	Dwfl *dwfl = m->build_id_len > 1 ? dwfl_begin(&callbacks) : NULL;
	Dwfl_Module *mod = dwfl ? dwfl_report_module(dwfl, "", 0, 4096) : NULL;
	_cleanup_free_ char *path_by_id =
		build_id_path(m->build_id, m->build_id_len);
	char *found = NULL;
	/* One that libdw finds itself it gives away, and closes descriptor 0. */
	int fd = mod ? regular_open(path_by_id, NULL) : -ENOENT;

	if (mod && fd < 0 &&
	    !dwfl_module_report_build_id(mod, m->build_id, m->build_id_len, 0))
		fd = dwfl_standard_find_debuginfo(mod, NULL, "", 0, NULL, NULL,
						  0, &found);
	dwfl_end(dwfl);
	free(found);
	return fd;
}

int files_find_debug(const struct module *m)
{
	_cleanup_close_ int fd = -1;

	if (m->root && m->build_id_len > 1) {
		_cleanup_free_ char *path =
			build_id_path(m->build_id, m->build_id_len);

		fd = open_at(m, path);
		if (fd >= 0 && has_build_id(m, fd))
			return steal_fd(&fd);
		guard_close(&fd);
	}
	fd = find_linked(m);
	return fd >= 0 ? steal_fd(&fd) : find_installed(m);
}

/* As the process sees it, else as we do, where only root writes. */
static int open_alt(const struct module *m, const char *path)
{
	int fd = m->root && *path == '/' ? root_open(m->root, path) : -ENOENT;

	if (fd < 0 && !strncmp(path, FOLDER "/", sizeof(FOLDER)) &&
	    !strstr(path, "/../"))
		fd = regular_open(path, NULL);
	return fd;
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
	f->alt[0] = open_alt(m, by_id);
	f->alt[1] = open_alt(m, link);
}

static int copy_image(const struct module *m)
{
	_cleanup_close_ int fd = memfd_create("image", MFD_CLOEXEC);

	return fd >= 0 && write(fd, m->image, m->key.size) ==
				       (ssize_t)m->key.size
		       ? steal_fd(&fd)
		       : -1;
}

void files_find(struct files *f, const struct module *m)
{
	struct module debug;

	*f = (struct files){ .file = m->image ? copy_image(m) : dup(m->fd),
			     .debug = files_find_debug(m),
			     .alt = { -1, -1 } };
	if (f->debug >= 0 && !module_open(&debug, dup(f->debug), "")) {
		find_alt(f, m, &debug);
		module_close(&debug);
	} else {
		find_alt(f, m, m);
	}
}

void files_close(struct files *f)
{
	guard_close(&f->file);
	guard_close(&f->debug);
	for (size_t i = 0; i < FILES_ALT; i++)
		guard_close(&f->alt[i]);
}
