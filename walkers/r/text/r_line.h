/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where an R frame is running, as text. */
#ifndef JPBPF_WALKERS_R_TEXT_R_LINE_H
#define JPBPF_WALKERS_R_TEXT_R_LINE_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct walker_texts;

/* As struct walker's line. */
bool r_line_name(const u64 *word, const struct walker_texts *texts,
		 struct buf *out);

#endif
