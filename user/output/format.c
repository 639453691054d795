/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of output formats: a line for each. */
#include "user/output/format.h"

#include <errno.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/profile/profile.h"

#define ONE_EVENT  .one_event = true
#define FOR_PEOPLE .for_people = true
#define BINARY	   .is_binary = true
#define ALL	   (PROFILE_BY_PID | PROFILE_BY_TID)
#define ALL_TIMES  (ALL | PROFILE_TIMES)
#define FORMAT(word, text, ...) \
	{ .name = #word, .help = text, .write = word##_write, __VA_ARGS__ },

/* clang-format off */
const struct format formats[] = {
	FORMAT(folded, "one line a stack, for flame graphs: a;b;c COUNT", ONE_EVENT)
	FORMAT(perfetto, "for ui.perfetto.dev: a timeline", BINARY, .by = ALL_TIMES)
	FORMAT(pprof, "for go tool pprof, Pyroscope, Parca", BINARY, .by = ALL)
	FORMAT(rprof, "R's own Rprof format, for its summaryRprof()", ONE_EVENT)
	FORMAT(sqlite, "a database of SQLite, with views", BINARY, .by = ALL_TIMES)
	FORMAT(report, "a tree for people: Under and In, in percent", ONE_EVENT, FOR_PEOPLE)
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
	if (fwrite(text->data, 1, text->len, out) == text->len && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
