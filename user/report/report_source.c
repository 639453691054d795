/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Source with In and Under beside its lines.  Frames know their file by a path or by its
 * last part; what agrees as far as both go is the same file.  The text is foreign: it is
 * escaped, and at most so much of it is read. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/lib/utf8.h"
#include "user/report/report_part.h"
#include "user/profile/profile.h"

#define SOURCE_BYTES (16 << 20)
#define SOURCE_LINES (1 << 20)
#define TAB	     8

/* NULL: errno says why not. */
static FILE *open_source(const char *path)
{
	_cleanup_close_ int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	errno = !S_ISREG(st.st_mode)	    ? ENXIO
		: st.st_size > SOURCE_BYTES ? EFBIG
					    : 0;
	return errno ? NULL : fdopen(steal_fd(&fd), "r");
}

static bool is_same_file(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b), less = x < y ? x : y;

	if (!less || strcmp(a + x - less, b + y - less) != 0)
		return false;
	return x == y || (x > y ? a[x - less - 1] : b[y - less - 1]) == '/';
}

u32 *report_lines(const struct profile *p, const char *source)
{
	size_t n = intern_count(p->frames);
	u32 *line = xcalloc(n + 1, sizeof(*line));

	for (size_t i = 0; i < n; i++) {
		const struct frame *f = profile_frame(p, i);

		if (f->line <= SOURCE_LINES &&
		    is_same_file(profile_text(p, f->file), source))
			line[i] = f->line;
	}
	return line;
}

static void add_source(const char *text, ssize_t len, struct buf *out)
{
	size_t start = out->len;

	while (len > 0 && *text && *text != '\n') {
		size_t taken = 1;

		if (*text == '\t')
			do
				buf_addc(out, ' ');
			while ((out->len - start) % TAB);
		else
			taken = utf8_add(out, text, "", "");
		text += taken;
		len -= taken;
	}
}

static void print_lines(struct report *r, FILE *in)
{
	static const struct tree_node none;
	const struct tree *t = &r->tree;
	_cleanup_buf_ struct buf text = { 0 };
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	ssize_t len;

	page_columns(&r->page);
	for (u32 i = 1; i <= SOURCE_LINES && !r->page.err; i++) {
		len = getline(&line, &size, in);
		if (len < 0)
			break;
		buf_reset(&text);
		buf_addf(&text, "%4u  ", i);
		add_source(line, len, &text);
		page_source(&r->page, i + 1 < t->n ? &t->node[i + 1] : &none,
			    text.data);
	}
}

int report_source(struct report *r)
{
	const char *path = r->page.options->source;
	_cleanup_fclose_ FILE *in = open_source(path);
	int err = in ? 0 : -errno;

	tree_list(&r->tree);
	if (err) {
		log_err("cannot read '%s': %s; give the path of its source",
			path, strerror(-err));
	} else if (r->tree.n <= 2) { /* line 0 */
		log_err("no sample has lines of '%s'; record with --lines",
			path);
		err = -ENOENT;
	} else {
		print_lines(r, in);
	}
	return err;
}
