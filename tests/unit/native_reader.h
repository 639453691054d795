/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a file says of one address. */
#ifndef JPBPF_TESTS_UNIT_NATIVE_READER_H
#define JPBPF_TESTS_UNIT_NATIVE_READER_H

#include <string.h>

#include "user/lib/buf.h"
#include "user/symbolize/native.h"

struct native_said {
	u64 start;
	struct buf name, file, inlined;
	u32 line;
};

static void native_said_take(void *ctx, const struct native_answer *a)
{
	struct native_said *said = ctx;

	assert_int_equal(a->index, 0);
	if (a->what == NATIVE_NAME) {
		said->start = a->start;
		buf_adds(&said->name, a->name);
	} else if (a->what == NATIVE_PLACE) {
		said->line = a->line;
		buf_adds(&said->file, a->file);
	} else {
		buf_adds(&said->inlined, a->name);
	}
}

/* To be released. */
static inline struct native_said native_said(const struct module *m, u64 vaddr)
{
	struct native_said said = { 0 };

	native_ask(&(struct native_file){ m, &vaddr, 1 }, 1,
		   NATIVE_LINES | NATIVE_INLINES, native_said_take, &said);
	return said;
}

static inline void native_said_release(struct native_said *said)
{
	buf_release(&said->name);
	buf_release(&said->file);
	buf_release(&said->inlined);
}

/* expected NULL: the address has no name. */
static inline void native_check_name(const struct module *m, u64 vaddr,
				     const char *expected)
{
	struct native_said said = native_said(m, vaddr);

	assert_string_equal(buf_text(&said.name), expected ? expected : "");
	native_said_release(&said);
}

#endif
