/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The flat sums of stacks by name id, on two sides as in tree.h.  A stack counts once
 * under each name, however often that is on it. */
#ifndef JPBPF_USER_VIEW_FLAT_H
#define JPBPF_USER_VIEW_FLAT_H

#include <stddef.h>

#include <jpbpf/types.h>

#include "user/view/tree.h"

struct flat_row {
	u32 name;
	u64 last; /* number of the stack that was counted last */
	u64 in[TREE_SIDES], under[TREE_SIDES];
};

/* { 0 } is empty. */
struct flat {
	struct flat_row *row; /* by name id */
	size_t n;
	u64 stacks;
};

void flat_add(struct flat *f, const u32 *name, size_t depth, u32 side,
	      u64 number);
void flat_release(struct flat *f);

#endif
