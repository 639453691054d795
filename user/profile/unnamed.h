/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Native frames without a name, by file: what a profile lacks for want of symbols. */
#ifndef JPBPF_USER_PROFILE_UNNAMED_H
#define JPBPF_USER_PROFILE_UNNAMED_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct module;
struct unnamed_file; /* opaque */

struct unnamed {
	u64 frames, nameless; /* of all samples */
	struct unnamed_file *files;
};

/* A frame of so many samples is shown. */
void unnamed_count(struct unnamed *u, const struct module *m, bool nameless,
		   u64 samples);
/* Say what share it is, in which files, and what can be done. */
void unnamed_print(struct unnamed *u);
void unnamed_release(struct unnamed *u);

#endif
