/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads /tmp/perf-PID.map in the target's file system; PID is the target's own pid in
 * its namespace (linux/tools/perf/Documentation/jit-interface.txt).  A line is "START
 * SIZE NAME", numbers in hexadecimal; the name may hold blanks.
 *
 * Code is made, dropped and made again at the same place, not always from the same
 * start, so the last line for an address counts.  The starts and ends of all lines cut
 * the addresses into pieces.  From the last line to the first, each line takes the
 * pieces of its range that no later line has taken.
 *
 * Anybody can write to /tmp, so only a regular file of the target's user, of root or of
 * our user is read.
 */
#include "user/symbolize/perfmap.h"

#include <ctype.h>
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
#include "user/lib/search.h"
#include "user/elf/module.h"
#include "user/target/root.h"

#define TEXT_LIMIT (64u << 20) /* bytes */
#define CODE_LIMIT (1u << 20)  /* lines */
#define NO_CODE	   UINT32_MAX

struct code {
	u64 start, end;
	u32 len;
	const char *name;
};

/* The addresses from start to the start of the next piece. */
struct piece {
	u64 start;
	u32 code; /* index of the code that has the piece, or NO_CODE */
	/* While pieces are taken: no piece from here up to piece number left is
	 * free. */
	u32 left;
};

struct perfmap {
	struct buf text;
	struct code *code; /* in the order of the lines */
	size_t n, capacity;
	struct piece *piece; /* sorted; the last has no code */
	size_t pieces;
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

/* Read a number and the blank behind it.  False if there is no such text. */
static bool take_number(const char **at, u64 *out)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	*out = strtoull(*at, &end, 16);
	*at = end + 1;
	return *end == ' ';
}

static void take_line(struct perfmap *p, const char *at, const char *end)
{
	struct code c;
	u64 size;

	if (!take_number(&at, &c.start) || !take_number(&at, &size) ||
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
	const struct piece *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Index of the last piece that begins at or before address; p->pieces if there is
 * none. */
static size_t piece_at(const struct perfmap *p, u64 address)
{
	size_t low = SEARCH(p->piece, p->pieces, start, address);

	return low ? low - 1 : p->pieces;
}

static void cut(struct perfmap *p)
{
	size_t kept = 0;

	p->piece = xcalloc(2 * p->n, sizeof(*p->piece));
	for (size_t i = 0; i < p->n; i++) {
		p->piece[2 * i].start = p->code[i].start;
		p->piece[2 * i + 1].start = p->code[i].end;
	}
	qsort(p->piece, 2 * p->n, sizeof(*p->piece), compare);
	for (size_t i = 0; i < 2 * p->n; i++)
		if (!kept || p->piece[kept - 1].start != p->piece[i].start)
			p->piece[kept++] = p->piece[i];
	for (size_t i = 0; i < kept; i++) {
		p->piece[i].code = NO_CODE;
		p->piece[i].left = i;
	}
	p->pieces = kept;
}

/* Index of the first free piece from i on.  Paths are shortened on the way (path
 * halving), so many lines over the same pieces take no longer than others. */
static size_t next_left(struct piece *piece, size_t i)
{
	while (piece[i].left != i) {
		piece[i].left = piece[piece[i].left].left;
		i = piece[i].left;
	}
	return i;
}

static void take_pieces(struct perfmap *p)
{
	if (!p->n)
		return;
	cut(p);
	for (size_t i = p->n; i--;) {
		size_t at = piece_at(p, p->code[i].start);

		/* The last piece begins where all code has ended. */
		for (at = next_left(p->piece, at);
		     p->piece[at].start < p->code[i].end;
		     at = next_left(p->piece, at)) {
			p->piece[at].code = i;
			p->piece[at].left = at + 1;
		}
	}
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

		/* The last line may be half written, so a line without its end is
		 * ignored. */
		if (!newline)
			break;
		take_line(p, at, newline);
		at = newline + 1;
	}
	take_pieces(p);
	return p;
}

void perfmap_free(struct perfmap *p)
{
	if (!p)
		return;
	buf_release(&p->text);
	free(p->code);
	free(p->piece);
	free(p);
}

const char *perfmap_name(const struct perfmap *p, u64 address, size_t *len)
{
	size_t at = piece_at(p, address);

	if (at == p->pieces || p->piece[at].code == NO_CODE)
		return NULL;
	*len = p->code[p->piece[at].code].len;
	return p->code[p->piece[at].code].name;
}
