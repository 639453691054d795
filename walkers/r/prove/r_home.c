/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The command R is a script (src/scripts/R.sh.in, R-4-2-2) in which R's folder was
 * written when R was installed, a line R_HOME_DIR=/usr/lib/R.  At its end it sets
 * LD_LIBRARY_PATH to that folder's lib and executes bin/exec/R.  Rscript runs R.
 */
#include "walkers/r/prove/r_prove.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/needed.h"

#define MAX_SCRIPT 4096 /* bytes that are read; the line is one of the first */

static const char mark[] = "\nR_HOME_DIR=/";

char *r_home_of(const char *script)
{
	_cleanup_close_ int fd =
		open(script, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[MAX_SCRIPT + 1], *home;
	ssize_t n = fd < 0 ? -1 : pread(fd, text, MAX_SCRIPT, 0);
	size_t len;

	if (n <= 0)
		return NULL;
	text[n] = '\0';
	home = strstr(text, mark);
	if (!home)
		return NULL;
	home += sizeof(mark) - 2;
	len = strcspn(home, "\n");
	return home[len] ? xasprintf("%.*s", (int)len, home) : NULL;
}

void r_home_programs(void (*add)(void *ctx, const char *path), void *ctx)
{
	static const char *const file[] = { "bin/exec/R", "lib/libR.so" };
	_cleanup_free_ char *script = needed_command("R");
	_cleanup_free_ char *home = script ? r_home_of(script) : NULL;

	for (size_t i = 0; home && i < sizeof(file) / sizeof(*file); i++) {
		char *path = xasprintf("%s/%s", home, file[i]);

		add(ctx, path);
		free(path);
	}
}
