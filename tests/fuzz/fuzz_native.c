/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names and source lines out of a hostile file: libdwfl and libdw on it. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/symbolize/native.h"

#define MOST 256 /* addresses */

static void take(void *ctx, const struct native_answer *a)
{
	u64 *sum = ctx;

	FUZZ_ASSERT(a->index < MOST && a->what <= NATIVE_INLINED);
	*sum += strlen(a->name) + strlen(a->file);
}

static int compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u64 vaddr[MOST], sum = 0;
	struct module m;
	size_t n = 0;

	if (!fuzz_module(&m, data, size, "/lib/input.so"))
		return 0;
	for (u64 at = 0; at < size && n < MOST; at += 64)
		n += !module_offset_to_vaddr(&m, at, &vaddr[n]);
	qsort(vaddr, n, sizeof(*vaddr), compare);
	native_ask(&(struct native_file){ &m, vaddr, n }, 1,
		   NATIVE_LINES | NATIVE_INLINES, take, &sum);
	module_close(&m);
	return 0;
}
