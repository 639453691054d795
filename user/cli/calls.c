/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/cli/calls.h"

#include <errno.h>

#include "user/cli/options.h"
#include "user/lib/log.h"

static int take(struct options *o, enum pattern_kind kind, const char *pattern)
{
	const char *id = kind == PATTERN_AS ? "db=" : "";

	if (!patterns_add(&o->run.calls, kind, pattern))
		return 0;
	log_err("'%s' is not %s; write LANGUAGE:NAME, for instance "
		"%stcl:::app::*, %sr:stats::optim, %sc:libfoo.so:bar*",
		pattern, *id ? "ID=PATTERN" : "a pattern", id, id, id);
	return -EINVAL;
}

int calls_choose(void *options, const char *pattern)
{
	return take(options, PATTERN_CHOOSES, pattern);
}

int calls_leave_out(void *options, const char *pattern)
{
	return take(options, PATTERN_NOT, pattern);
}

int calls_count_as(void *options, const char *pattern)
{
	return take(options, PATTERN_AS, pattern);
}
