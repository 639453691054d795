/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The mappings of a process, from /proc/PID/maps. */
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
	bool readable, writable, executable, shared;
	char *path; /* "" if there is none; without " (deleted)" */
	bool deleted;
};

struct maps {
	struct map *map; /* sorted by start */
	size_t n;
	size_t capacity;
	u64 time; /* ns, CLOCK_MONOTONIC: every line was true at some time after this */
};

/* Further lines are not kept (a hostile process can have millions). */
#define MAPS_MAX 131072

/* Parses the text of a maps file, which must end with a NUL at text[len], into
 * *maps, whose old content is overwritten. Returns the number of malformed lines
 * and of those out of order, which are skipped, or -E2BIG if lines were dropped at MAPS_MAX. Call
 * maps_release() in either case. */
int maps_parse(struct maps *maps, const char *text, size_t len);
void maps_release(struct maps *maps);
/* The mapping that holds address, or NULL. */
const struct map *maps_find(const struct maps *maps, u64 address);

#endif
