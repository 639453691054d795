/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of native addresses: each is looked up once. */
#ifndef JPBPF_USER_SYMBOLIZE_ADDRESSES_H
#define JPBPF_USER_SYMBOLIZE_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/symbolize/fold.h"

struct addresses; /* opaque */
struct intern;
struct symbolizer_config;

/* One native address as a finished frame. */
struct address {
	struct fold_frame frame;
	u64 start, end; /* of the function in its file; 0, 0: not known */
	/* Functions inlined at the address, innermost first. */
	struct fold_frame *inlined;
	size_t inlines;
};

/* config and texts must outlive the result. */
struct addresses *addresses_new(const struct symbolizer_config *config,
				struct intern *texts);
void addresses_free(struct addresses *s);
/* The native word will be looked up.  What is not known of all such words is asked at the
 * next addresses_find(), in one go for each file.  False: there is no room. */
bool addresses_expect(struct addresses *s, u64 word);
/* The address of a native word (jpbpf/frame.h), owned by s; NULL if its file is not
 * known. */
const struct address *addresses_find(struct addresses *s, u64 word);
/* The text id of what is shown of a function's script names, which are joined by "|":
 * "floor|ceiling|sqrt|..." */
u32 addresses_label(struct intern *texts, const char *names);

#endif
