/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A profile for reports, and what they print. */
#ifndef JPBPF_TESTS_REPORT_PROFILE_H
#define JPBPF_TESTS_REPORT_PROFILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/walkers.h>

#include "user/profile/profile.h"

/* "a;b;c": stacks of frames; "k:name" and others are of a kind, "name@file:3" is at
 * a line. */
static inline u32 report_frame(struct profile *p, char *name)
{
	static const char kind[] = "ci j.k!";
	static const u8 type[] = { FRAME_IS_C,		 FRAME_IS_INLINED,
				   FRAME_IS_SCRIPT,	 FRAME_IS_JIT,
				   FRAME_IS_INTERPRETER, FRAME_IS_KERNEL,
				   FRAME_IS_MARKER };
	struct frame f = { .type = FRAME_IS_SCRIPT };
	char *at = strchr(name, '@'), *colon = at ? strrchr(at, ':') : NULL;

	if (name[0] && name[1] == ':') {
		if (*name == 'T' || *name == 'R')
			f.walker = *name == 'R';
		else
			f.type = type[strchr(kind, *name) - kind];
		name += 2;
	}
	if (colon) {
		*at = *colon = '\0';
		f.file = intern_text(p->texts, at + 1);
		f.line = strtoul(colon + 1, NULL, 10);
	}
	f.flags = f.type == FRAME_IS_MARKER ? FRAME_CUT : 0;
	f.name = intern_text(p->texts, name);
	return profile_add_frame(p, &f);
}

static inline void report_stack(struct profile *p, const char *comm,
				const char *frames, u64 weight)
{
	const struct profile_key key = { .task = profile_add_command(p, comm) };
	char *text = strdup(frames), *rest = text, *name;
	u32 id[64];
	size_t n = 0;

	while ((name = strsep(&rest, ";")) && *name)
		id[n++] = report_frame(p, name);
	profile_add(p, &key, id, n, &(struct profile_sum){ weight, 0 });
	free(text);
}

static inline struct profile *report_profile(void)
{
	struct profile *p = profile_new();

	profile_add_event(p, "cpu-clock", "nanoseconds", 10000000);
	p->host = intern_text(p->texts, "lab1");
	return p;
}

#endif
