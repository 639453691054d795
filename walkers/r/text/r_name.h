/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The text of an R frame. */
#ifndef JPBPF_WALKERS_R_TEXT_R_NAME_H
#define JPBPF_WALKERS_R_TEXT_R_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct buf;
struct walker_texts;

/* The frame_name operation of struct walker; false for R_CALLED. */
bool r_name(const u64 *word, const struct walker_texts *texts, struct buf *out);
/* The package operation: "pkg::" or "pkg:::". */
size_t r_name_package(const char *name);
/* The called operation. */
bool r_called(const u64 *word, const struct walker_texts *texts,
	      struct buf *out);

#endif
