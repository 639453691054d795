/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Finds where in a script an expression stands. */
#ifndef JPBPF_WALKERS_R_TEXT_R_PLACE_H
#define JPBPF_WALKERS_R_TEXT_R_PLACE_H

#include <stddef.h>

#include <jpbpf/types.h>

struct walker_texts;

/* An expression as its srcfile has it, and the script that it was read from. */
struct r_expression {
	u64 script; /* text id from r_script_read() */
	/* Text id; a text of more than TEXT_MAX - 1 bytes ends in "...". */
	u64 text;
	u64 bytes; /* length of the whole expression */
	u32 line;  /* line in the expression, from 1 */
};

/* The line of the script that the expression's line is, and in *name the script's name
 * of *len bytes, owned by texts.  0 if the expression is not in the script or stands
 * at two places, or if a text is missing.  memory is that of struct walker_text: answers
 * are kept there, so a text id must mean the same text as long as it lives. */
u32 r_place_line(const struct walker_texts *texts, void **memory,
		 const struct r_expression *e, const char **name, size_t *len);

#endif
