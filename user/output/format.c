/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of output formats: a line for each. */
#include "user/output/format.h"

#include <errno.h>
#include <string.h>

#include "user/profile/profile.h"

#define ONE_EVENT  .one_event = true
#define BY_THREAD  .by = PROFILE_BY_PID | PROFILE_BY_TID
#define BY_TIME	   .by = PROFILE_BY_PID | PROFILE_BY_TID | PROFILE_TIMES
#define FOR_PEOPLE .for_people = true
#define PLACES	   .has_places = true
#define BINARY	   .is_binary = true
#define FORMAT(word, text, ...) \
	{ .name = #word, .help = text, .write = word##_write, __VA_ARGS__ },

/* clang-format off */
const struct format formats[] = {
	FORMAT(folded, "one line a stack, for flame graphs: a;b;c COUNT", ONE_EVENT)
	FORMAT(errors, "errors by how often: when, message, stack", ONE_EVENT, .by = PROFILE_TIMES)
	FORMAT(firefox, "for profiler.firefox.com: time, threads, kinds, marks", BY_TIME, PLACES)
	FORMAT(html, "a flame graph for a browser, in one file", FOR_PEOPLE, BINARY, BY_TIME, PLACES)
	FORMAT(jsonl, "JSON lines: a self-explaining line a sample", BY_TIME, PLACES)
	FORMAT(perf, "the text of perf script", BY_TIME, PLACES)
	FORMAT(perfetto, "for ui.perfetto.dev: a timeline", BINARY, BY_TIME, PLACES)
	FORMAT(pprof, "for go tool pprof, Pyroscope, Parca", BINARY, BY_THREAD, PLACES)
	FORMAT(rprof, "R's own Rprof format, for its summaryRprof()", ONE_EVENT)
	FORMAT(report, "a tree for people: Under and In, in percent", ONE_EVENT, FOR_PEOPLE)
	FORMAT(speedscope, "for speedscope.app: a flame graph a thread", BY_TIME, PLACES)
	FORMAT(sqlite, "a database of SQLite, with views", BINARY, BY_TIME, PLACES)
	{ 0 }
};
/* clang-format on */

const struct format *format_find(const char *name)
{
	for (const struct format *f = formats; f->name; f++) {
		if (!strcmp(f->name, name))
			return f;
	}
	return NULL;
}

int format_put(const struct buf *text, FILE *out)
{
	errno = 0;
	if (fwrite(buf_text(text), 1, text->len, out) == text->len &&
	    !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

void output_put(struct output *o)
{
	if (!o->err)
		o->err = format_put(&o->text, o->file);
	buf_reset(&o->text);
}

int output_end(struct output *o)
{
	output_put(o);
	buf_release(&o->text);
	return o->err;
}
