/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a recording knows of its frames. */
#ifndef JPBPF_USER_PROFILE_KNOWN_H
#define JPBPF_USER_PROFILE_KNOWN_H

#include "user/lib/buf.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/view.h"

struct replay;

struct known_frame {
	bool is;	  /* it was asked for */
	struct frame raw; /* its texts are in known.texts */
	struct address address;
};

struct known {
	const struct replay *replay;
	struct intern *texts;
	const struct view_options *options;
	struct known_frame *at; /* by the recording's ids - 1 */
	size_t n;
	struct buf scratch;
};

/* frame: its id in the recording, whose records are all read.  What is returned stays until
 * known_forget(). */
const struct known_frame *known_get(struct known *k, u32 frame);
/* The ids end. */
void known_forget(struct known *k);

#endif
