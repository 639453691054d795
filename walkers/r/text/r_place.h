/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where in a script an expression stands. */
#ifndef JPBPF_WALKERS_R_TEXT_R_PLACE_H
#define JPBPF_WALKERS_R_TEXT_R_PLACE_H

#include <stddef.h>

#include <jpbpf/types.h>

struct walker_texts;

/* What the srcfile of an expression has, and the script that it was read from. */
struct r_expression {
	u64 script; /* text id, of r_script_read() */
	u64 text; /* text id; longer than TEXT_MAX - 1 bytes: with "..." at the end */
	u64 bytes; /* of all of it */
	u32 line;  /* from 1, counted from the start of it */
};

/* The line of the script on which that is, and the script's name: len bytes, which are
 * the texts'.  0: it is not there, at more than one place, or a text is missing.  Not
 * for two threads at once; an id means one text for as long as the program runs. */
u32 r_place_line(const struct walker_texts *texts, const struct r_expression *e,
		 const char **name, size_t *len);

#endif
