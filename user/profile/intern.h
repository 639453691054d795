/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Bytes to a dense id: equal bytes have equal ids, counted from 0 in the order
 * of first sight.
 *
 * The bytes never move and stay until intern_free(); they are followed by a NUL
 * and start at a multiple of 8.
 */
#ifndef JPBPF_USER_PROFILE_INTERN_H
#define JPBPF_USER_PROFILE_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct intern; /* opaque */

/* One key may come in two pieces, so that callers need not copy them together.
 * A piece of length 0 may be NULL. */
struct intern_key {
	const void *head;
	size_t head_len;
	const void *tail;
	size_t tail_len;
};

struct intern *intern_new(void);
void intern_free(struct intern *in);
/* The id of these bytes, a new one if need be.  A key is at most 4 GiB. */
u32 intern_add(struct intern *in, const struct intern_key *key);
/* Is there an id for these bytes already? */
bool intern_find(const struct intern *in, const struct intern_key *key,
		 u32 *id);
/* The bytes behind an id that intern_add() returned.  len may be NULL. */
const void *intern_get(const struct intern *in, u32 id, size_t *len);
size_t intern_count(const struct intern *in);
size_t intern_bytes(const struct intern *in); /* memory held */

#endif
