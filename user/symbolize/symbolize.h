/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Finds what files say of native and kernel frames.
 *
 * Native addresses are named by libdwfl (.symtab, .dynsym, separate debug files by
 * build-id or debuglink, MiniDebugInfo, debuginfod), once per address and file;
 * interpreter frames by their walker; kernel addresses by kallsyms.
 */
#ifndef JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H
#define JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/symbolize/view.h"
#include "walkers/walker.h"

struct intern;
struct kernel;
struct module;
struct symbolizer; /* opaque */

struct symbolizer_config {
	/* The module of a file id, or NULL. */
	const struct module *(*module)(void *ctx, u32 file);
	void *ctx;
	struct view_options view;
	struct kernel *kernel; /* the caller's; NULL: one of its own */
};

struct symbolizer *symbolizer_new(const struct symbolizer_config *config);
void symbolizer_free(struct symbolizer *s);

/* The texts that frames refer to; valid as long as the symbolizer. */
struct intern *symbolizer_texts(struct symbolizer *s);

/* The frame of this native word (jpbpf/frame.h) will be asked for.  What files say of all
 * such words is read at the next symbolizer_find(), each file once. */
void symbolizer_expect(struct symbolizer *s, u64 word);
/* What is known of a raw native or kernel frame (decode.h); NULL: nothing.  Valid until the
 * next call. */
const struct address *symbolizer_find(void *symbolizer,
				      const struct frame *raw);

#endif
