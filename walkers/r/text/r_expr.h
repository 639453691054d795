/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What an R frame is evaluating, as text. */
#ifndef JPBPF_WALKERS_R_TEXT_R_EXPR_H
#define JPBPF_WALKERS_R_TEXT_R_EXPR_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct walker_texts;

/* Is word[0] a frame's expression? Then append " [f(x, 1)]", at most R_EXPR_MAX bytes
 * between the brackets, or nothing when a text in it never arrived. */
#define R_EXPR_MAX 80
bool r_expr_name(const u64 *word, const struct walker_texts *texts,
		 struct buf *out);

/* Append "a$b$f", as long at most; false: a text in it never arrived. */
bool r_expr_path(const u64 *word, const struct walker_texts *texts,
		 struct buf *out);

#endif
