/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Mappings in the order of their times: they come from a ring for each CPU, and have to
 * be told among notices, which come from another one.
 */
#ifndef JPBPF_USER_INTAKE_SEQUENCE_H
#define JPBPF_USER_INTAKE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct mapwatch_event;

/* Zeroes: empty. */
struct sequence {
	struct sequence_item *item; /* those given already come first */
	size_t n, given, capacity;
};

/* The event and its path stay the caller's, until sequence_hold(). */
void sequence_add(struct sequence *s, const struct mapwatch_event *e);
/* No more is added before sequence_hold(). */
void sequence_sort(struct sequence *s);
/* Give those up to that time (ns) to fn, which were not given yet. */
void sequence_give(struct sequence *s, u64 time,
		   void (*fn)(void *ctx, const struct mapwatch_event *e),
		   void *ctx);
/* Copy what was not given, and forget the rest. */
void sequence_hold(struct sequence *s);
bool sequence_is_empty(const struct sequence *s);
void sequence_release(struct sequence *s);

#endif
