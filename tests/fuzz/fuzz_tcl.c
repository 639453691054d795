/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A file that claims to be Tcl: its machine code, stub tables, version and
 * configuration.  First the probe as a whole; then its parts by themselves, so
 * that a fuzzer need not get through all of the earlier ones.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/lib/buf.h"
#include "user/elf/pairs.h"
#include "walkers/tcl/text/tcl_text.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/walker.h"

#define MAX_ENGINES 16 /* functions taken for the bytecode engine */

static void probe(struct module *m)
{
	const struct walker *w = walkers[WALKER_TCL];
	struct walker_mark mark[WALKER_MAX_MARKS];
	struct buf text = { 0 };
	struct tcl_file file;
	void *found = NULL;

	if (w->file.probe(m, &found, &text) > 0) {
		w->file.find_lines(m, found);
		w->file.describe(found, &text);
		w->file.value(found, &file);
		FUZZ_ASSERT(w->file.marks(found, mark, WALKER_MAX_MARKS) <=
			    WALKER_MAX_MARKS);
		FUZZ_ASSERT(file.trampolines <= TCL_MAX_TRAMPOLINES);
		FUZZ_ASSERT(file.pc_ranges <= TCL_MAX_PC_RANGES);
		w->file.internal(found, 0x1810);
		w->file.forget(found);
	}
	buf_release(&text);
}

static void trampolines(const struct module *m, u32 version)
{
	struct tcl_found t = { .row = tcl_layouts_find(version) };

	if (tcl_trampolines_find(&t, m))
		return;
	FUZZ_ASSERT(t.file.trampolines <= TCL_MAX_TRAMPOLINES);
	FUZZ_ASSERT(t.unproven || t.n_ranges <= TCL_MAX_RANGES);
}

static void engines(const struct module *m)
{
	const struct module_function *fn;
	struct tcl_pc_range range[TCL_MAX_PC_RANGES];
	size_t n;

	if (module_functions(m, &fn, &n))
		return;
	for (size_t i = 0; i < n && i < MAX_ENGINES; i++) {
		tcl_track_find(range, m, fn[i].start);
	}
}

static void parts(const struct module *m)
{
	struct tcl_found t = { 0 };
	struct tcl_version version;
	struct module_function f;
	struct pairs p = { 0 };

	tcl_stubs_find(m, &t.stubs);
	t.stubs.major = 9;
	tcl_functions_find(&t, m);
	tcl_stubs_range(m, &t.stubs, &f);
	if (!tcl_version_find(m, 0, &version))
		FUZZ_ASSERT(strlen(version.text) < sizeof(version.text));
	tcl_config_read(&p, m);
	pairs_release(&p);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct module m;

	if (!fuzz_module(&m, data, size, "/lib/libtcl8.6.so"))
		return 0;
	probe(&m);
	trampolines(&m, 0x080613);
	trampolines(&m, 0x090001);
	engines(&m);
	parts(&m);
	module_close(&m);
	return 0;
}
