/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts by the ids that frames refer to them with (jpbpf/sample.h). */
#ifndef JPBPF_USER_PROFILE_TEXTS_H
#define JPBPF_USER_PROFILE_TEXTS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct texts; /* opaque */

struct texts *texts_new(void);
void texts_free(struct texts *t);
/* Add a copy of the text: at most len bytes, up to the first NUL.  A second text with
 * the same id is ignored. */
void texts_add(struct texts *t, u64 id, const char *text, size_t len);
/* The text, valid as long as t; NULL if there is none. */
const char *texts_find(const struct texts *t, u64 id);
size_t texts_bytes(const struct texts *t); /* bytes of memory held */

#endif
