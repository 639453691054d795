/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A line is "START SIZE NAME", numbers in hexadecimal; the name may hold blanks.
 * The file is in the target's /tmp under the pid that the target has for itself
 * (linux/tools/perf/Documentation/jit-interface.txt).  Code is made, dropped and made
 * again at the same place: the last line for a place counts.
 *
 * Anybody can write to /tmp: only a regular file of the target's user, of root or
 * of ours is read.
 */
#include "user/symbolize/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/module.h"
#include "user/target/root.h"

#define TEXT_LIMIT (64u << 20) /* bytes */
#define CODE_LIMIT (1u << 20)  /* lines */

struct code {
	u64 start, end;
	u32 order; /* of its line */
	u32 len;
	const char *name;
};

struct perfmap {
	struct buf text;
	struct code *code; /* sorted by start, then order */
	size_t n, capacity;
};

static int open_map(const struct module *m)
{
	_cleanup_free_ char *path = xasprintf("/tmp/perf-%d.map", m->code->pid);
	_cleanup_close_ int fd =
		m->root ? root_open(m->root, path)
			: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
					     O_NOFOLLOW | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -ENOENT;
	if (!S_ISREG(st.st_mode) || (st.st_uid != m->code->owner && st.st_uid &&
				     st.st_uid != geteuid()))
		return -EPERM;
	return steal_fd(&fd);
}

static void read_text(int fd, struct buf *text)
{
	const size_t size = 1 << 16;
	_cleanup_free_ char *bytes = xmalloc(size);
	ssize_t n;

	while (text->len < TEXT_LIMIT && (n = read(fd, bytes, size)) > 0)
		buf_add(text, bytes, n);
}

/* A number and the blank behind it. */
static bool take_number(const char **at, const char *end, u64 *out)
{
	static const char digits[] = "0123456789abcdef";
	const char *first = *at, *d;

	*out = 0;
	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		first = *at += 2;
	while (*at < end && **at && (d = strchr(digits, **at | 0x20)) &&
	       *at - first < 16) {
		*out = *out << 4 | (u64)(d - digits);
		++*at;
	}
	if (*at == first || *at == end || **at != ' ')
		return false;
	++*at;
	return true;
}

static void take_line(struct perfmap *p, const char *at, const char *end)
{
	struct code c = { .order = p->n };
	u64 size;

	if (!take_number(&at, end, &c.start) || !take_number(&at, end, &size) ||
	    at == end || !size || size > UINT64_MAX - c.start)
		return;
	c.end = c.start + size;
	c.name = at;
	c.len = end - at;
	p->code = xgrow(p->code, p->n, &p->capacity, sizeof(c));
	p->code[p->n++] = c;
}

static int compare(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

struct perfmap *perfmap_read(const struct module *m)
{
	_cleanup_close_ int fd = m->code ? open_map(m) : -1;
	struct perfmap *p;
	const char *end;

	if (fd < 0)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	read_text(fd, &p->text);
	end = buf_text(&p->text) + p->text.len;
	for (const char *at = buf_text(&p->text);
	     at < end && p->n < CODE_LIMIT;) {
		const char *newline = memchr(at, '\n', end - at);

		/* The last line may be half written. */
		if (!newline)
			break;
		take_line(p, at, newline);
		at = newline + 1;
	}
	if (p->n)
		qsort(p->code, p->n, sizeof(*p->code), compare);
	return p;
}

void perfmap_free(struct perfmap *p)
{
	if (!p)
		return;
	buf_release(&p->text);
	free(p->code);
	free(p);
}

const char *perfmap_name(const struct perfmap *p, u64 address, size_t *len)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->code[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= p->code[low - 1].end)
		return NULL;
	*len = p->code[low - 1].len;
	return p->code[low - 1].name;
}
