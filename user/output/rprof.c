/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Each frame's text, "package::name (file:12)", is taken apart once and kept by its
 * string id; files are numbered in the order in which they are written.
 *
 * Names are what R users know from Rprof(): without a package, <Anonymous>, and no frame
 * for time in the interpreter, which is the innermost function's own.
 */
#include "user/output/rprof.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "user/profile/profile.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"

#define USUAL_INTERVAL 20000u /* R's own, for a profile that has none */
#define MAX_DIGITS     9
#define NO_BREAK_SPACE "\xc2\xa0"

struct file {
	char *path;
	unsigned number; /* from 1; 0: not written yet */
	UT_hash_handle hh;
};

struct frame {
	size_t at;	   /* of the name in names, + 1; 0: not made yet */
	struct file *file; /* NULL: it has no place */
	unsigned line;
	bool hidden; /* not a function, to R */
};

struct rprof {
	const struct profile *profile;
	struct frame *frame; /* by string id */
	size_t capacity;
	struct buf names;
	struct file *files;
	unsigned numbered;
	struct buf text; /* a line of the output, and what must precede it */
};

/* Is what stands behind a name a place, " (file:12)"? */
static bool read_place(const char *text, const char **path, size_t *path_len,
		       unsigned *line)
{
	const char *colon = strrchr(text, ':');
	size_t digits;

	if (!colon || strncmp(text, " (", 2) || colon <= text + 2)
		return false;
	digits = strspn(colon + 1, "0123456789");
	if (!digits || digits > MAX_DIGITS || strcmp(colon + 1 + digits, ")"))
		return false;
	*path = text + 2;
	*path_len = (size_t)(colon - *path);
	*line = (unsigned)strtoul(colon + 1, NULL, 10);
	return true;
}

static struct file *find_file(struct rprof *r, const char *path, size_t len)
{
	struct file *file;
	struct buf text = { 0 };

	escape_name(path, len, "", &text);
	HASH_FIND(hh, r->files, buf_text(&text), text.len, file);
	if (!file) {
		file = xcalloc(1, sizeof(*file));
		file->path = xstrdup(buf_text(&text));
		HASH_ADD_KEYPTR(hh, r->files, file->path, text.len, file);
	}
	buf_release(&text);
	return file;
}

/* "[R interpreter]": what folding leaves at the leaf, see fold.c. */
static bool is_interpreter(const char *text, size_t len)
{
	static const char end[] = " interpreter]";
	const size_t n = sizeof(end) - 1;

	return len > n && *text == '[' && !memcmp(text + len - n, end, n);
}

static void add_name(struct rprof *r, const char *text, size_t len)
{
	static const char ours[] = "<anonymous>";
	struct buf name = { 0 };

	if (len == sizeof(ours) - 1 && !memcmp(text, ours, len))
		text = "<Anonymous>";
	escape_name(text, len, "", &name);
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] == ' ')
			buf_adds(&r->names, NO_BREAK_SPACE);
		else
			buf_addc(&r->names, name.data[i]);
	}
	buf_addc(&r->names, '\0');
	buf_release(&name);
}

static struct frame *find_frame(struct rprof *r, u32 id)
{
	size_t known = r->capacity, len, path_len;
	const char *text, *path;
	u32 before, behind;
	struct frame *f;

	r->frame = xgrow(r->frame, id, &r->capacity, sizeof(*r->frame));
	if (r->capacity > known)
		memset(r->frame + known, 0,
		       (r->capacity - known) * sizeof(*r->frame));
	f = &r->frame[id];
	if (f->at)
		return f;
	text = profile_text(r->profile, id);
	profile_parts(r->profile, id, &before, &behind);
	len = strlen(text);
	if (read_place(text + len - behind, &path, &path_len, &f->line)) {
		f->file = find_file(r, path, path_len);
		len -= behind;
	}
	f->hidden = is_interpreter(text, len);
	f->at = r->names.len + 1;
	add_name(r, text + before, len - before);
	return f;
}

static bool has_places(struct rprof *r)
{
	const struct profile *p = r->profile;

	for (size_t i = 0; i < profile_count(p); i++) {
		struct profile_stack s = profile_get(p, i);

		for (size_t k = 0; k < s.depth; k++)
			if (find_frame(r, s.frame[k])->file)
				return true;
	}
	return false;
}

/* #File lines of a stack go before it. */
static void number_files(struct rprof *r, const struct profile_stack *s)
{
	for (size_t k = s->depth; k > 0; k--) {
		struct file *file = find_frame(r, s->frame[k - 1])->file;

		if (!file || file->number)
			continue;
		file->number = ++r->numbered;
		buf_addf(&r->text, "#File %u: %s\n", file->number, file->path);
	}
}

static void add_line(struct rprof *r, const struct profile_stack *s)
{
	for (size_t k = s->depth; k > 0; k--) {
		const struct frame *f = find_frame(r, s->frame[k - 1]);

		if (f->hidden && s->depth > 1)
			continue;
		if (f->file)
			buf_addf(&r->text, "%u#%u ", f->file->number, f->line);
		buf_addf(&r->text, "\"%s\" ", buf_text(&r->names) + f->at - 1);
	}
	buf_addc(&r->text, '\n');
}

static int put(const struct buf *text, FILE *out)
{
	errno = 0;
	if (fwrite(text->data, 1, text->len, out) == text->len)
		return 0;
	return errno ? -errno : -EIO;
}

static int write_stack(struct rprof *r, const struct profile_stack *s,
		       FILE *out)
{
	int err;

	if (!s->depth)
		return 0;
	buf_reset(&r->text);
	number_files(r, s);
	err = put(&r->text, out);
	buf_reset(&r->text);
	add_line(r, s);
	for (u64 i = 0; i < s->count && !err; i++)
		err = put(&r->text, out);
	return err;
}

static void release(struct rprof *r)
{
	struct file *file, *next;

	HASH_ITER (hh, r->files, file, next) {
		HASH_DELETE(hh, r->files, file);
		free(file->path);
		free(file);
	}
	buf_release(&r->names);
	buf_release(&r->text);
	free(r->frame);
}

int rprof_write(const struct profile *p, FILE *out)
{
	struct rprof r = { .profile = p };
	u64 interval = profile_interval(p);
	int err;

	buf_addf(&r.text, "%ssample.interval=%llu\n",
		 has_places(&r) ? "line profiling: " : "",
		 interval ? interval : USUAL_INTERVAL);
	err = put(&r.text, out);
	for (size_t i = 0; i < profile_count(p) && !err; i++) {
		struct profile_stack s = profile_get(p, i);

		err = write_stack(&r, &s, out);
	}
	if (!err && ferror(out))
		err = -EIO;
	release(&r);
	return err;
}
