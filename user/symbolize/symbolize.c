/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Native addresses are looked up by addresses.c, kernel addresses by kernel.c. */
#include "user/symbolize/symbolize.h"

#include <stdlib.h>

#include <jpbpf/frame.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/kernel.h"

struct symbolizer {
	struct symbolizer_config config;
	struct kernel *kernel;
	struct intern *texts;
	struct addresses *addresses;
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

	s->config = *config;
	s->kernel =
		config->kernel ? config->kernel : kernel_new("/proc/kallsyms");
	s->texts = intern_new_texts();
	s->addresses = addresses_new(&s->config, s->texts);
	return s;
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
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

void symbolizer_expect(struct symbolizer *s, u64 word)
{
	addresses_expect(s->addresses, word);
}
