/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Text of what an R frame evaluates, or of the path that leads to its function. */
#ifndef JPBPF_WALKERS_R_TEXT_R_EXPR_H
#define JPBPF_WALKERS_R_TEXT_R_EXPR_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct walker_texts;

#define R_EXPR_MAX 80 /* bytes, "..." included */

/* Append "f(x, 1)" for an R_EXPR, "a$b$f" for an R_PATH.  False, and nothing appended,
 * if a text never arrived. */
bool r_expr(const u64 *word, const struct walker_texts *texts, struct buf *out);

#endif
