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

/* Takes the malloc'ed record.  can_wait: it may be held back until its time is
 * settled. */
void sequence_add(struct sequence *s, u64 time, void *record, size_t len,
		  bool can_wait);
/* Add the records of another sequence, which is empty then. */
void sequence_move(struct sequence *s, struct sequence *from);
/* Hand all records over to fn, in the order of their times.  A record that can wait and
 * is later than the settled time (ns) stays. */
void sequence_give(struct sequence *s, u64 settled,
		   void (*fn)(void *ctx, void *record, size_t len), void *ctx);
void sequence_release(struct sequence *s);

#endif
