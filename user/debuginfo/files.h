/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The files that tell of a module besides itself: its separate debug file, and the one
 * that dwz has moved doublets of several debug files to.
 */
#ifndef JPBPF_USER_DEBUGINFO_FILES_H
#define JPBPF_USER_DEBUGINFO_FILES_H

#include <stddef.h>

#include <elfutils/libdwfl.h>

#include <jpbpf/types.h>

#include "user/elf/module.h"

enum files_which {
	FILES_OWN,   /* the module's own */
	FILES_DEBUG, /* separate debug file */
	/* Places where dwz's file can be: by its build-id, by its path. */
	FILES_ALT,
	FILES_ALT_BY_PATH,
	FILES_COUNT,
};

struct files {
	int fd[FILES_COUNT]; /* -1: none */
	u8 alt_id[MODULE_BUILD_ID_MAX];
	size_t alt_id_len;
};

/* Look for them where m's process sees them, then where we do, then by debuginfod if
 * the user has set that up.  Everything is open for reading; nothing was read of it but
 * a build-id, a checksum, and a link. */
void files_find(struct files *f, const struct module *m);
void files_close(struct files *f);
/* The debug file that m's link names, of that checksum, or that has m's build-id.  fd or
 * -errno. */
int files_find_debug(const struct module *m);
/* libdwfl's view of the files, at the module's own addresses.  f outlives it.  To be
 * called in a jail (jail.h).  NULL: the module cannot be read. */
Dwfl_Module *files_report(const struct files *f);

#endif
