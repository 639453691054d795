/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Texts by the ids that frames refer to them with (jpbpf/sample.h), in a store of their
 * own (user/lib/intern.h). */
#ifndef JPBPF_USER_PROFILE_TEXTS_H
#define JPBPF_USER_PROFILE_TEXTS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct intern;

/* Add a copy of the text: at most len bytes, up to the first NUL.  A second text with
 * the same id is ignored. */
void texts_add(struct intern *texts, u64 id, const char *text, size_t len);
/* The text, valid as long as the store; NULL if there is none. */
const char *texts_find(struct intern *texts, u64 id);

#endif
