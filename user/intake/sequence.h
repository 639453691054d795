/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Records in the order of their times: they come from a ring for each CPU, of mappings,
 * and from another one of all else.
 */
#ifndef JPBPF_USER_INTAKE_SEQUENCE_H
#define JPBPF_USER_INTAKE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

/* Zeroes: empty. */
struct sequence {
	struct sequence_item *item;
	size_t n, capacity;
};

/* can_wait: it need not be given before its time is settled.  The record stays the
 * caller's, until sequence_give(). */
void sequence_add(struct sequence *s, u64 time, const void *record, size_t len,
		  bool can_wait);
/* Give all to fn, in the order of their times, but what can wait and is later than the
 * settled time (ns): that is copied. */
void sequence_give(struct sequence *s, u64 settled,
		   void (*fn)(void *ctx, const void *record, size_t len),
		   void *ctx);
bool sequence_is_empty(const struct sequence *s);
void sequence_release(struct sequence *s);

#endif
