/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parser of /proc/PID/maps.
 *
 * A line is "START-END PERM OFFSET MAJOR:MINOR INODE PATH"; all numbers but the
 * inode are hexadecimal. A process can choose any path. The kernel writes a newline
 * in a path as \012 and leaves everything else as it is. The parser reads only the
 * bytes that it is given, so a text that was cut within a line or holds NULs does
 * no harm.
 */
#include "user/target/maps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "user/lib/mem.h"
#include "user/lib/search.h"

#define DELETED " (deleted)"

/* The unread rest of a line. */
struct line {
	const char *at, *end;
};

static bool take_char(struct line *l, char c)
{
	if (l->at == l->end || *l->at != c)
		return false;
	l->at++;
	return true;
}

/* strtoull() stops at the latest at the NUL that ends the text. */
static bool take_number(struct line *l, int base, u64 *out)
{
	char *end;

	if (l->at == l->end || !isxdigit((unsigned char)*l->at))
		return false;
	errno = 0;
	*out = strtoull(l->at, &end, base);
	l->at = end;
	return !errno && end <= l->end;
}

static bool take_permissions(struct line *l, struct map *map)
{
	const char *p = l->at;

	if (l->end - p < 4 || (p[0] != 'r' && p[0] != '-') ||
	    (p[1] != 'w' && p[1] != '-') || (p[2] != 'x' && p[2] != '-') ||
	    (p[3] != 'p' && p[3] != 's'))
		return false;
	map->readable = p[0] == 'r';
	map->writable = p[1] == 'w';
	map->executable = p[2] == 'x';
	map->shared = p[3] == 's';
	l->at += 4;
	return true;
}

static void take_path(struct line *l, struct map *map)
{
	size_t suffix = strlen(DELETED), len, i, n = 0;
	const char *p;

	while (take_char(l, ' '))
		;
	p = l->at;
	len = l->end - p;
	if (len > suffix && !memcmp(l->end - suffix, DELETED, suffix)) {
		map->deleted = true;
		len -= suffix;
	}
	map->path = xmalloc(len + 1);
	for (i = 0; i < len; i++) {
		if (len - i >= 4 && !memcmp(p + i, "\\012", 4)) {
			map->path[n++] = '\n';
			i += 3;
		} else {
			map->path[n++] = p[i];
		}
	}
	map->path[n] = '\0';
}

/* least: the start of the line before.  The kernel gives them in order. */
static bool parse_line(struct line l, u64 least, struct map *map)
{
	u64 major, minor, ino;

	*map = (struct map){ 0 };
	if (!take_number(&l, 16, &map->start) || !take_char(&l, '-') ||
	    !take_number(&l, 16, &map->end) || !take_char(&l, ' ') ||
	    !take_permissions(&l, map) || !take_char(&l, ' ') ||
	    !take_number(&l, 16, &map->offset) || !take_char(&l, ' ') ||
	    !take_number(&l, 16, &major) || !take_char(&l, ':') ||
	    !take_number(&l, 16, &minor) || !take_char(&l, ' ') ||
	    !take_number(&l, 10, &ino))
		return false;
	if (map->start < least || map->start >= map->end ||
	    memchr(l.at, '\0', l.end - l.at) || (l.at < l.end && *l.at != ' '))
		return false;
	map->dev = makedev(major, minor);
	map->ino = ino;
	take_path(&l, map);
	return true;
}

int maps_parse(struct maps *maps, const char *text, size_t len)
{
	const char *end = text + len;
	int malformed = 0;
	u64 last = 0;

	*maps = (struct maps){ 0 };
	while (text < end && maps->n < MAPS_MAX) {
		const char *newline = memchr(text, '\n', end - text);
		struct line l = { text, newline ? newline : end };
		struct map map;

		if (parse_line(l, last, &map)) {
			maps->map = xgrow(maps->map, maps->n, &maps->capacity,
					  sizeof(map));
			maps->map[maps->n++] = map;
			last = map.start;
		} else if (malformed < MAPS_MAX) {
			malformed++;
		}
		text = newline ? newline + 1 : end;
	}
	return text < end ? -E2BIG : malformed;
}

void maps_release(struct maps *maps)
{
	size_t i;

	for (i = 0; i < maps->n; i++)
		free(maps->map[i].path);
	free(maps->map);
	*maps = (struct maps){ 0 };
}

const struct map *maps_find(const struct maps *maps, u64 address)
{
	size_t low = SEARCH(maps->map, maps->n, start, address);

	if (!low || address >= maps->map[low - 1].end)
		return NULL;
	return &maps->map[low - 1];
}
