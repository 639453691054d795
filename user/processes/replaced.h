/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a process maps can be replaced by something else at the same address without the
 * kernel side's notice (MAP_FIXED, mremap()).  Until its mappings are published anew the
 * kernel side walks by the old ones, so what was sampled from then on is not known.
 */
#ifndef JPBPF_USER_PROCESSES_REPLACED_H
#define JPBPF_USER_PROCESSES_REPLACED_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct replaced_entry;

/* Zeroes: none. */
struct replaced {
	struct replaced_entry *entries; /* by the serial of the publication */
};

/* Of this publication something was replaced at that time (ns). */
void replaced_note(struct replaced *s, u32 serial, u64 time);
/* Does a sample by this publication come after that? */
bool replaced_is(const struct replaced *s, u32 serial, u64 time);
size_t replaced_count(const struct replaced *s);
void replaced_release(struct replaced *s);

#endif
