/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The merged tree of an event, packed for the page (page.c says how). */
#ifndef JPBPF_USER_FLAME_TREE_H
#define JPBPF_USER_FLAME_TREE_H

#include <jpbpf/types.h>

#include "user/lib/buf.h"
#include "user/view/side.h"
#include "user/view/tree.h"

/* With more samples the page does not show when they were taken. */
#define TREE_SAMPLES 2000000
#define TREE_PARTS   200 /* of the time */

struct page {
	struct side side[TREE_SIDES];
	u32 sides;
	struct intern *names;
	struct buf head, data;
};

/* Append the columns of the sides' event to data, and what the page has to know of them to
 * head.  A number that is not there is an event without samples. */
void tree_pack(struct page *h);
/* When the profile's samples begin and end; 0 and 0: not known. */
void tree_times(const struct profile *p, u64 *start, u64 *end);

#endif
