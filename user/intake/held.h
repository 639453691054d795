/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A sample that is kept (RECORD_DEFERRED) as it waits: where the record of the ring has
 * pages of the stack, this has their numbers (pages.h).
 */
#ifndef JPBPF_USER_INTAKE_HELD_H
#define JPBPF_USER_INTAKE_HELD_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/sample.h>

struct pages;

/* Bytes that the ring's record has as it waits; 0: it is malformed. */
size_t held_size(const struct sample *record, size_t len);
/* Write it so, and hold its pages.  0, or -ENOSPC: there is no room for them. */
int held_make(struct sample *held, const struct sample *record,
	      struct pages *p);
/* Is this what held_make() has made? */
bool held_valid(const struct sample *held, size_t len);
const struct deferred *held_deferred(const struct sample *held);
/* The number of its n-th page. */
u32 held_page(const struct sample *held, u32 n);
void held_drop(const struct sample *held, struct pages *p);

#endif
