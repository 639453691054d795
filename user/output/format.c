/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of output formats. */
#include "user/output/format.h"

#include <errno.h>
#include <string.h>

#include "user/lib/buf.h"

const struct format formats[] = {
	{ "folded", "one line a stack, for flame graphs: a;b;c COUNT", 0,
	  folded_write },
	{ "rprof", "R's own Rprof format, for its summaryRprof()", 0,
	  rprof_write },
	{ NULL, NULL, 0, NULL },
};

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
