/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names and source lines out of a hostile file: libdwfl and libdw on it. */
#include "tests/fuzz/fuzz.h"
#include "user/lib/buf.h"
#include "tests/unit/native_reader.h"

static void name_at(struct native *n, u64 vaddr)
{
	struct buf text = { 0 };

	native_name(n, vaddr, &text);
	native_function(n, vaddr);
	native_line(n, vaddr);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct native *n;
	struct module m;
	u64 vaddr;

	if (!fuzz_module(&m, data, size, "/lib/input.so"))
		return 0;
	n = native_new(&m, reader, false);
	for (u64 at = 0; at < size; at += 64)
		if (!module_offset_to_vaddr(&m, at, &vaddr))
			name_at(n, vaddr);
	native_free(n);
	module_close(&m);
	return 0;
}
