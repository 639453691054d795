/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Text of the frames that the Tcl walker writes. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_NAME_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_NAME_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;
struct walker_texts;

/* As struct walker's frame_name, line and entry. */
bool tcl_name(const u64 *word, const struct walker_texts *texts,
	      struct buf *out);
bool tcl_name_line(const u64 *word, const struct walker_texts *texts,
		   struct buf *out);
u64 tcl_name_entry(const u64 *word);

#endif
