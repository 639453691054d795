/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of native addresses: each is looked up once. */
#ifndef JPBPF_USER_SYMBOLIZE_ADDRESSES_H
#define JPBPF_USER_SYMBOLIZE_ADDRESSES_H

#include <stddef.h>

#include <jpbpf/types.h>

#include "user/symbolize/fold.h"

struct addresses; /* opaque */
struct strings;
struct symbolizer_config;

/* One address, as a finished frame. */
struct address {
	struct fold_frame frame;    /* text NULL: not read yet */
	struct fold_frame *inlined; /* in it, innermost first */
	size_t inlines;
};

/* config and strings are to outlive it. */
struct addresses *addresses_new(const struct symbolizer_config *config,
				struct strings *strings);
void addresses_free(struct addresses *s);
/* The address of a native word; NULL: its file is not known. */
struct address *addresses_find(struct addresses *s, u64 word);
/* Its text, which is read when it is wanted. */
const char *addresses_text(struct addresses *s, struct address *address);

#endif
