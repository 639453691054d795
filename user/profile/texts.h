/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Text ids and the bytes behind them, as the kernel side sent them. */
#ifndef JPBPF_USER_PROFILE_TEXTS_H
#define JPBPF_USER_PROFILE_TEXTS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct texts; /* opaque */

struct texts *texts_new(void);
void texts_free(struct texts *t);
/* Keeps a copy; a second text with the same id is ignored. */
void texts_add(struct texts *t, u64 id, const char *text, size_t len);
/* NULL when there is none. */
const char *texts_find(const struct texts *t, u64 id);
size_t texts_bytes(const struct texts *t); /* memory held */

#endif
