/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Bytes to a dense id: equal bytes have equal ids, counted from 0 in the order
 * of first sight.  With each go numbers of the caller's, 0 at first.
 *
 * The bytes never move and stay until intern_free(); they are followed by a NUL
 * and start at a multiple of 8.
 */
#ifndef JPBPF_USER_LIB_INTERN_H
#define JPBPF_USER_LIB_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#define INTERN_NONE (~0u) /* no id */

struct intern; /* opaque */

/* One key may come in two pieces, so that callers need not copy them together.
 * A piece of length 0 may be NULL. */
struct intern_key {
	const void *head;
	size_t head_len;
	const void *tail;
	size_t tail_len;
};

/* So many numbers go with each. */
struct intern *intern_new(unsigned numbers);
/* For texts, without numbers: the empty one is there, with the id 0. */
struct intern *intern_new_texts(void);
void intern_free(struct intern *in);
/* The id of these bytes.  If they have none: a new one, or INTERN_NONE unless add.  A
 * key is at most 4 GiB. */
u32 intern_id(struct intern *in, const struct intern_key *key, bool add);
/* The same of a text, which is added. */
u32 intern_text(struct intern *in, const char *text);
/* The bytes behind an id.  len may be NULL. */
const void *intern_get(const struct intern *in, u32 id, size_t *len);
/* Its numbers; the place is good until something is added. */
u64 *intern_numbers(struct intern *in, u32 id);
size_t intern_count(const struct intern *in);
size_t intern_bytes(const struct intern *in); /* memory held */

#endif
