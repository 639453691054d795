/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * From the words of one stack to the names of its frames.
 *
 * Native addresses are named by libdwfl (.symtab, .dynsym, separate debug files
 * by build-id or debuglink, MiniDebugInfo, debuginfod), once per address and
 * file; interpreter frames by their walker; kernel addresses by kallsyms.
 */
#ifndef JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H
#define JPBPF_USER_SYMBOLIZE_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/frame.h>

#include "walkers/walker.h"

struct module;
struct symbolizer; /* opaque */

/* How frames are shown. */
struct symbolizer_view {
	bool internals; /* show every native frame of the interpreters */
	bool lines;	/* put source lines behind names: "name (file:12)" */
	bool inlines; /* functions that the compiler has inlined: "name_[i]" */
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

enum name_kind { NAME_NATIVE, NAME_KERNEL, NAME_SCRIPT, NAME_STATUS };

struct stack_name {
	const char
		*text; /* owned by the symbolizer, lives as long as it does */
	const struct module *module; /* of a native frame, else NULL */
	enum name_kind kind;
	bool nameless; /* native: text is where its function begins */
	u32 before;    /* bytes of text in front of the name alone: "stats::" */
	u32 behind;    /* and those after it: " (fit.R:12)" */
};

/* The frames to show, outermost first, with the interpreters' own functions
 * folded away (unless internals).  word: kernel frames first, leaf first, as in
 * struct sample.  root: the native walk reached the root.  *names is owned by
 * the symbolizer and valid until the next call. Number of names. */
size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct stack_name **names);

#endif
