/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Hostile names: escaped for each format, demangled, and as JSON. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/unescape.h"
#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/output/escape.h"
#include "user/debuginfo/demangle.h"

/* The tests' un-escaper gives the name back, unless it was too long. */
static void check_name(const char *text)
{
	struct buf out = { 0 }, back = { 0 };

	escape_name(text, false, &out);
	FUZZ_ASSERT(out.len <= ESCAPE_MAX);
	for (size_t i = 0; i < out.len; i++) {
		unsigned char c = out.data[i];

		FUZZ_ASSERT(c >= 0x20 && c != 0x7f && c != ';');
		FUZZ_ASSERT(c != 0xc2 || (u8)out.data[i + 1] >= 0xa0);
	}
	if (!strstr(buf_text(&out), "\\...")) {
		unescape(buf_text(&out), &back);
		FUZZ_ASSERT(!strcmp(buf_text(&back), text));
	}
	buf_release(&back);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);
	struct buf out = { 0 };

	FUZZ_ASSERT(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_name(text);
	json_text(&out, text);
	for (size_t i = 0; i < out.len; i++)
		FUZZ_ASSERT((u8)out.data[i] >= 0x20);
	buf_reset(&out);
	demangle_symbol(text, &out);
	buf_release(&out);
	free(text);
	return 0;
}
