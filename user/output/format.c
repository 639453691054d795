/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of output formats. */
#include "user/output/format.h"

#include <string.h>

#include "user/output/folded.h"
#include "user/output/rprof.h"

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
