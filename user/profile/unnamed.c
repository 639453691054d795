/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Counts native frames without a name by module and prints the modules that have
 * most.  Frames of code made at run time never count as unnamed: no package has
 * their names. */
#include "user/profile/unnamed.h"

#include <stdlib.h>
#include <string.h>

#include "user/profile/profile.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define MAX_SHOWN 3
#define PERCENT	  100 /* files with less than 1/100 of the frames are not shown */

struct unnamed {
	u64 frames, nameless; /* of all samples */
	u64 *by_module;	      /* nameless frames by module (text id) */
};

static void count(struct unnamed *u, struct profile *p)
{
	for (u32 i = 0; i < intern_count(p->stacks); i++) {
		struct profile_stack s = profile_stack(p, i);

		for (size_t k = 0; k < s.depth; k++) {
			const struct frame *f = profile_frame(p, s.frame[k]);

			if (!f->module)
				continue;
			u->frames += s.sum.weight;
			if (!(f->flags & FRAME_ADDRESS))
				continue;
			u->nameless += s.sum.weight;
			u->by_module[f->module] += s.sum.weight;
		}
	}
}

static void print_module(const struct profile *p, u32 id, double share)
{
	const char *name = profile_text(p, id);
	const char *build_id = name + strlen(name) + 1;

	log_info("  %8.1f %%  %s, build-id %s", share, name,
		 *build_id ? build_id : "none");
}

static void print(struct unnamed *u, const struct profile *p)
{
	int shown;

	log_info("native frames without a name: %.1f %%",
		 100.0 * u->nameless / u->frames);
	for (shown = 0; shown < MAX_SHOWN; shown++) {
		u32 most = 0;

		for (u32 i = 1; i < intern_count(p->texts); i++)
			if (u->by_module[i] > u->by_module[most])
				most = i;
		if (!most || u->by_module[most] * PERCENT < u->frames)
			break;
		print_module(p, most, 100.0 * u->by_module[most] / u->frames);
		u->by_module[most] = 0;
	}
	if (shown)
		log_info("  for names, install the -dbgsym packages of these "
			 "or set DEBUGINFOD_URLS");
}

void unnamed_print(struct profile *p)
{
	struct unnamed u = {
		.by_module =
			xcalloc(intern_count(p->texts), sizeof(*u.by_module)),
	};

	count(&u, p);
	if (u.nameless)
		print(&u, p);
	free(u.by_module);
}
