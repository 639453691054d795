/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The words of a stack become raw frames (decode.h).  Native addresses are looked up by
 * addresses.c, kernel addresses by kernel.c.  The view makes the frames to show of both.
 */
#include "user/symbolize/symbolize.h"

#include <stdlib.h>

#include <jpbpf/frame.h>

#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/decode.h"
#include "user/symbolize/kernel.h"

struct symbolizer {
	struct symbolizer_config config;
	struct kernel *kernel;
	struct intern *texts;
	struct addresses *addresses;
	struct decoder *decoder;
	struct view view;
	struct address in_kernel; /* found last */
};

const struct address *symbolizer_find(void *symbolizer, const struct frame *raw)
{
	struct symbolizer *s = symbolizer;

	if (raw->type != FRAME_IS_KERNEL)
		return raw->module
			       ? addresses_find(s->addresses,
						frame_native(raw->module - 1,
							     raw->address))
			       : NULL;
	s->in_kernel.frame.frame = (struct frame){
		.type = FRAME_IS_KERNEL,
		.name = intern_text(s->texts,
				    kernel_name(s->kernel, raw->address)),
	};
	return &s->in_kernel;
}

struct symbolizer *symbolizer_new(const struct symbolizer_config *config)
{
	struct symbolizer *s = xcalloc(1, sizeof(*s));
	bool where = config->view.lines ||
		     walker_options_have(config->view.walker_options,
					 WALKER_SAYS_WHERE);

	s->config = *config;
	s->kernel =
		config->kernel ? config->kernel : kernel_new("/proc/kallsyms");
	s->texts = intern_new_texts();
	s->addresses = addresses_new(&s->config, s->texts);
	s->decoder = decoder_new(s->texts, &s->config.texts, where);
	s->view = (struct view){
		.options = config->view,
		.texts = s->texts,
		.find = symbolizer_find,
		.ctx = s,
	};
	return s;
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
	view_release(&s->view);
	decoder_free(s->decoder);
	addresses_free(s->addresses);
	intern_free(s->texts);
	if (!s->config.kernel)
		kernel_free(s->kernel);
	free(s);
}

struct intern *symbolizer_texts(struct symbolizer *s)
{
	return s->texts;
}

bool symbolizer_expect(struct symbolizer *s, const u64 *word, size_t words)
{
	bool fits = decoder_fits(s->decoder, words) &&
		    heap_grows(HEAP_READING, words, s->view.capacity,
			       sizeof(*s->view.frame));

	for (size_t i = 0; fits && i < words; i += 1 + frame_extra(word[i]))
		if (frame_kind(word[i]) == FRAME_NATIVE)
			fits = addresses_expect(s->addresses, word[i]);
	return fits;
}

size_t symbolizer_stack(struct symbolizer *s, const u64 *word, size_t words,
			bool root, const struct fold_frame **frames)
{
	const struct frame *raw;
	size_t n = decoder_stack(s->decoder, word, words, &raw);

	return view_stack(&s->view, raw, n, root, frames);
}
