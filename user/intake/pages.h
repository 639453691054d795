/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Pages of stacks, which samples that are kept hold until they are walked.
 *
 * A page is stored once, whoever holds it: from one sample to the next a thread
 * changes few of its pages, and a forked child has its parent's.
 */
#ifndef JPBPF_USER_INTAKE_PAGES_H
#define JPBPF_USER_INTAKE_PAGES_H

#include <stddef.h>

#include <jpbpf/types.h>

/* Bytes of different pages; status.h and the README name the number. */
#define PAGES_LIMIT ((size_t)64 << 20)

struct pages; /* opaque */

/* Address space; memory only as it is used.  NULL with errno. */
struct pages *pages_new(void);
void pages_free(struct pages *p); /* p may be NULL */

/* Hold a page of DEFERRED_PAGE bytes that a target has at this address: its number, or
 * -ENOSPC.  Any thread may; nothing is allocated. */
int pages_hold(struct pages *p, u64 address, const void *page);
/* Valid while it is held. */
const void *pages_at(const struct pages *p, u32 number);
void pages_drop(struct pages *p, u32 number);
/* Bytes that are held, and that were at the worst moment. */
size_t pages_bytes(struct pages *p);
size_t pages_most(struct pages *p);

#endif
