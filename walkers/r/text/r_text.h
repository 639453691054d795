/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is told of R for people to read. */
#ifndef JPBPF_WALKERS_R_TEXT_R_TEXT_H
#define JPBPF_WALKERS_R_TEXT_R_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "walkers/walker.h"

/* r_facts.c: the operation facts of struct walker_file_ops. */
void r_facts(const struct walker_site *site, struct fact *out);

/* r_name.c: the operation read of struct walker. */
enum walker_says r_name(const u64 *word, const struct walker_texts *texts,
			struct walker_text *out);

/* r_expr.c: what an R frame evaluates, or the path that leads to its function. */

#define R_EXPR_MAX 80 /* bytes, "..." included */

/* Append "f(x, 1)" for an R_EXPR, "a$b$f" for an R_PATH.  False, and nothing appended,
 * if a text never arrived. */
bool r_expr(const u64 *word, const struct walker_texts *texts, struct buf *out);

/* r_script.c: the script that an R process runs. */

/* Keep the script that a process was started with: a text that has the script's name, a
 * newline, and the script.  Returns the text's id; 0 if there is no script, if it is not
 * clear which file it is, or if there was no room. */
u64 r_script_read(const char *proc, pid_t pid, const struct walker_keep *keep);

/* r_place.c: where in a script an expression stands. */

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
 * at two places, or if a text is missing. */
u32 r_place_line(const struct walker_texts *texts, const struct r_expression *e,
		 const char **name, size_t *len);

#endif
