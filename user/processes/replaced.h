/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process can replace a mapping by another at the same address without the kernel
 * side's notice (MAP_FIXED, mremap()).  Until its mappings are published anew, the
 * kernel side walks by the replaced one, so the stacks of samples taken since are not
 * known.
 */
#ifndef JPBPF_USER_PROCESSES_REPLACED_H
#define JPBPF_USER_PROCESSES_REPLACED_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct replaced_entry;

/* All zeroes: none. */
struct replaced {
	struct replaced_entry *entries; /* by the serial of the publication */
};

/* Note that a mapping of this publication was replaced at that time (ns). */
void replaced_note(struct replaced *s, u32 serial, u64 time);
/* Whether a sample walked by this publication was taken after a replacement. */
bool replaced_is(const struct replaced *s, u32 serial, u64 time);
size_t replaced_count(const struct replaced *s);
void replaced_release(struct replaced *s);

#endif
