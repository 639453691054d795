/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The file ids: numbers from 1 to a limit, given out and given back.  What an id
 * stands for is the caller's.
 */
#ifndef JPBPF_USER_FILES_IDS_H
#define JPBPF_USER_FILES_IDS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct ids {
	u32 next;  /* the lowest that was never given out */
	u32 limit; /* the highest */
	u32 *back; /* those that were given back, from the first on, in a circle */
	u32 first, n_back;
};

void ids_init(struct ids *ids, u32 limit);
void ids_release(struct ids *ids);
/* The next one; 0: all are out. */
u32 ids_take(struct ids *ids);
/* One that is out. */
void ids_give(struct ids *ids, u32 id);
size_t ids_left(const struct ids *ids);

#endif
