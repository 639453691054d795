/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/cli/calls.h"

#include <errno.h>

#include "user/cli/options.h"
#include "user/lib/log.h"
#include "walkers/walker.h"

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

static int refuse(const char *why)
{
	log_err("%s", why);
	return -EINVAL;
}

int calls_check(const struct options *o)
{
	const struct session_config *run = &o->run;
	const struct patterns *patterns = &run->calls;

	if (run->stacks && run->trace_view)
		return refuse("--stacks needs a format of stacks: -f folded, "
			      "-f html");
	if (run->engine.call_mode && run->net)
		return refuse("--net goes with --mode all: hits of "
			      "watchpoints have another price");
	if (run->engine.call_mode && run->stacks)
		return refuse("--stacks goes with --mode all: no stack is "
			      "taken at a watchpoint");
	for (size_t i = 0; i < patterns->n; i++) {
		const struct pattern *p = &patterns->at[i];
		const char *language = pattern_language(p->language);

		if (run->engine.call_mode != CALL_MODE_WATCH || p->is_not ||
		    p->language == CALL_NATIVE)
			continue;
		if (!walkers[p->language]->file.watches) {
			log_err("'%s:%s' cannot be watched: only functions of "
				"Tcl can; use --mode all",
				language, p->name);
			return -EINVAL;
		}
		if (!pattern_is_whole(p)) {
			log_err("'%s:%s' cannot be watched: functions that it "
				"chooses later would be missed; give whole "
				"names, or --mode all",
				language, p->name);
			return -EINVAL;
		}
	}
	return 0;
}
