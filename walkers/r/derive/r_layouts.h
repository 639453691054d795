/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The layouts that R has had: one row per range of versions. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_LAYOUTS_H
#define JPBPF_WALKERS_R_DERIVE_R_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "walkers/r/r.h"

struct r_layout_row {
	const char *versions;	/* "4.0.x..4.3.x" */
	u32 first, last;	/* R_VERSION of those in which it was seen */
	bool altrep;		/* has ALTREP: exports R_new_altrep */
	s16 nodestack, conexit; /* only for the proof */
	struct r_layout layout;
};

extern const struct r_layout_row r_layouts[];
extern const size_t r_layouts_count;

/* The row whose contexts keep R_Srcref at this offset, or NULL. */
const struct r_layout_row *r_layouts_find(s32 srcref, bool altrep);
/* Whether the row was seen in that version (R_VERSION); false for 0. */
bool r_layouts_known(const struct r_layout_row *row, u32 version);

#endif
