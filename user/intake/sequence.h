/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Sorts records by time.  Records come from several rings: one per CPU for mappings,
 * and one for all others.
 */
#ifndef JPBPF_USER_INTAKE_SEQUENCE_H
#define JPBPF_USER_INTAKE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

/* All zeroes: empty. */
struct sequence {
	struct sequence_item *item;
	size_t n, capacity;
};

/* can_wait: the record may be held back until its time is settled.  The record stays
 * the caller's and must be valid until sequence_give() returns. */
void sequence_add(struct sequence *s, u64 time, const void *record, size_t len,
		  bool can_wait);
/* Give all records to fn, in the order of their times.  A record that can wait and is
 * later than the settled time (ns) is copied and held back. */
void sequence_give(struct sequence *s, u64 settled,
		   void (*fn)(void *ctx, const void *record, size_t len),
		   void *ctx);
bool sequence_is_empty(const struct sequence *s);
void sequence_release(struct sequence *s);

#endif
