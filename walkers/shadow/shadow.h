/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the kernel side and the user side of shadow stacks share. */
#ifndef JPBPF_WALKERS_SHADOW_H
#define JPBPF_WALKERS_SHADOW_H

#include <jpbpf/types.h>

#define SHADOW_COPIES 4u /* of the library in one process */

/* One process; key: pid. */
struct shadow_process {
	u64 descriptor
		[SHADOW_COPIES]; /* addresses of struct jpi_process; 0: no more */
};

/* Frame words: frame_walker(WALKER_SHADOW, extra, sub, value). */
enum shadow_sub {
	SHADOW_METHOD = 1, /* + text of its name, text of its scope or 0 */
	SHADOW_UNNAMED,	   /* a frame is here but it could not be named */
	SHADOW_COROUTINE, /* the frames inward are a coroutine's; + text of its name or 0 */
	SHADOW_LINE, /* no frame: where the next frame outward is running.  value48: line; +
		      * text of the file */
};

#endif
