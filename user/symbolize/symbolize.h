/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Turns the words of one stack into frames with their names.
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
	struct walker_texts texts;
	void *ctx;
	struct view_options view;
	struct kernel *kernel; /* the caller's; NULL: one of its own */
};

struct symbolizer *symbolizer_new(const struct symbolizer_config *config);
void symbolizer_free(struct symbolizer *s);

/* The texts that frames refer to; valid as long as the symbolizer. */
struct intern *symbolizer_texts(struct symbolizer *s);

/* The stack of these words will be asked for.  What files say of the addresses of all such
 * stacks is read at the next symbolizer_stack(), each file once.  False: there is no room
 * in memory for its frames. */
bool symbolizer_expect(struct symbolizer *s, const u64 *word, size_t words);
/* Finds the frames to show, outermost first; the interpreters' own functions are
 * folded away unless the view has internals.  word: kernel frames, then user frames,
 * leaf first, as in struct sample.  root: the native walk reached the root.  *frames
 * is owned by the symbolizer and valid until the next call.  Returns the number of
 * frames. */
size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct fold_frame **frames);

/* What is known of a raw native or kernel frame (decode.h); NULL: nothing.  Valid until the
 * next call. */
const struct address *symbolizer_find(void *symbolizer,
				      const struct frame *raw);

#endif
