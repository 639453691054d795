/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From the words of one stack to its frames, with their names.
 *
 * Native addresses are named by libdwfl (.symtab, .dynsym, separate debug files
 * by build-id or debuglink, MiniDebugInfo, debuginfod), once per address and
 * file; interpreter frames by their walker; kernel addresses by kallsyms.
 */
#ifndef JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H
#define JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/lib/frame.h"
#include "walkers/walker.h"

struct intern;
struct module;
struct symbolizer; /* opaque */

/* How frames are shown. */
struct symbolizer_view {
	bool internals;	    /* show every native frame of the interpreters */
	bool lines;	    /* source lines */
	bool inlines;	    /* functions that the compiler has inlined */
	u32 walker_options; /* bit per enum walker_option_id */
	bool addresses; /* where there is no name, that of the instruction */
};

struct symbolizer_config {
	/* Module of a file id, or NULL. */
	const struct module *(*module)(void *ctx, u32 file);
	struct walker_texts texts;
	void *ctx;
	struct symbolizer_view view;
};

struct symbolizer *symbolizer_new(const struct symbolizer_config *config);
void symbolizer_free(struct symbolizer *s);

/* The texts of the frames; they live as long as the symbolizer. */
struct intern *symbolizer_texts(struct symbolizer *s);

/* The frames to show, outermost first, with the interpreters' own functions
 * folded away (unless internals).  word: kernel frames first, leaf first, as in
 * struct sample.  root: the native walk reached the root.  *frames is owned by
 * the symbolizer and valid until the next call. Number of frames. */
size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct frame **frames);

#endif
