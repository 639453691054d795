/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A hostile ELF file, asked all that module.h offers; what it answers must be
 * as its comments say.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int see_reloc(const struct module_reloc *r, void *ctx)
{
	size_t *bytes = ctx;

	if (r->symbol)
		*bytes += strlen(r->symbol);
	return 0;
}

static void read_at(const struct module *m, u64 vaddr)
{
	char text[300];
	u8 bytes[64];

	module_read(m, vaddr, bytes, sizeof(bytes));
	if (!module_read_text(m, vaddr, text, sizeof(text)))
		FUZZ_ASSERT(strlen(text) < sizeof(text));
}

static void ask_functions(const struct module *m)
{
	const struct module_function *fn;
	struct module_function found;
	size_t n;

	if (module_functions(m, &fn, &n))
		return;
	FUZZ_ASSERT(n);
	for (size_t i = 0; i < n; i++) {
		FUZZ_ASSERT(fn[i].start < fn[i].end);
		FUZZ_ASSERT(!i || fn[i - 1].start < fn[i].start);
		FUZZ_ASSERT(!module_function_at(m, fn[i].start, &found));
		FUZZ_ASSERT(found.start == fn[i].start);
		read_at(m, fn[i].start);
	}
}

static void ask_names(const struct module *m)
{
	static const char *const names[] = { "alpha", "twice", "", "missing" };
	static const char *const sections[] = { ".data", ".eh_frame", "" };
	u64 vaddr, size;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!module_dynsym(m, names[i], &vaddr, &size))
			read_at(m, vaddr);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (!module_section(m, sections[i], &vaddr, &size)) {
			read_at(m, vaddr);
			read_at(m, vaddr + size);
		}
}

static void ask_needed(const struct module *m)
{
	char text[64];

	for (u64 at = 0;
	     module_dynamic_text(m, DT_NEEDED, &at, text, sizeof(text));)
		FUZZ_ASSERT(strlen(text) < sizeof(text));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct module m;
	size_t bytes = 0;
	u64 vaddr;

	if (!fuzz_module(&m, data, size, "/lib/input.so"))
		return 0;
	FUZZ_ASSERT(m.build_id_len <= MODULE_BUILD_ID_MAX);
	ask_names(&m);
	ask_needed(&m);
	module_each_reloc(&m, see_reloc, &bytes);
	module_relative(&m, 0x3000, &vaddr);
	for (u64 at = 0; at < size; at += 1024)
		if (!module_offset_to_vaddr(&m, at, &vaddr))
			read_at(&m, vaddr);
	ask_functions(&m);
	module_close(&m);
	return 0;
}
