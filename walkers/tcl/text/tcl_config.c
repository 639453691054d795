/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads the constant array cfg[] of generic/tclPkgConfig.c (core-8-6-13, core-9-0-1),
 * pairs of strings: the flags {"debug", "0"}, {"threaded", "1"}, ..., then the
 * directories {"libdir,runtime", "/usr/lib"}, ... Extensions register arrays of the
 * same form; Tk's has all flags but the last two.
 */
#include "walkers/tcl/text/tcl_config.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/elf/pairs.h"

static const char *const flags[] = {
	"debug",     "threaded",      "profiled",      "64bit", "optimized",
	"mem_debug", "compile_debug", "compile_stats", NULL,
};

int tcl_config_read(struct pairs *p, const struct module *m)
{
	return pairs_read(p, m, flags);
}

void tcl_config_describe(const struct pairs *p, struct buf *out)
{
	const char *separator = " (";

	for (const char *const *flag = flags; *flag; flag++) {
		const char *value = pairs_find(p, *flag);

		/* 64bit tells an option of configure, not the pointer size. */
		if (!value || strcmp(value, "1") || !strcmp(*flag, "64bit"))
			continue;
		buf_adds(out, separator);
		buf_adds(out, *flag);
		separator = ", ";
	}
	if (separator[0] == ',')
		buf_addc(out, ')');
}
