/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The lines of /proc/PID/maps. */
#ifndef JPBPF_USER_TARGET_MAPS_H
#define JPBPF_USER_TARGET_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct map {
	u64 start, end, offset; /* bytes */
	dev_t dev;
	ino_t ino; /* 0: anonymous */
	bool readable, writable, executable;
	char *path; /* "" when there is none; " (deleted)" taken off */
	bool deleted;
};

struct maps {
	struct map *map; /* sorted by start */
	size_t n;
	size_t capacity;
	u64 time; /* ns, CLOCK_MONOTONIC: all of it was true at some time after that */
};

/* More lines than this are not kept (a hostile target can have millions). */
#define MAPS_MAX 131072

/* Parse the text of a maps file into *maps, whatever that held before.
 * Malformed lines are skipped and counted in the return value; -E2BIG when lines
 * were dropped at MAPS_MAX.  *maps is to be released in either case. */
int maps_parse(struct maps *maps, const char *text, size_t len);
void maps_release(struct maps *maps);
/* The mapping that holds address, or NULL. */
const struct map *maps_find(const struct maps *maps, u64 address);

#endif
