/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A file that claims to be R, or a package's library: the probe as a whole, and
 * then its parts, each told that its function is wherever the file has one.
 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/lib/buf.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/walker.h"

#define MAX_FUNCTIONS 16

static void probe(struct module *m)
{
	const struct walker *w = walkers[WALKER_R];
	struct walker_mark mark[WALKER_MAX_MARKS];
	struct buf text = { 0 };
	void *found = NULL;

	if (w->file.probe(m, &found, &text) > 0) {
		w->file.describe(found, &text);
		FUZZ_ASSERT(w->file.marks(found, mark, WALKER_MAX_MARKS) <=
			    WALKER_MAX_MARKS);
		w->file.symbol(found, 0x1810);
		w->file.forget(found);
	}
	buf_release(&text);
}

static void functions(const struct module *m)
{
	const struct module_function *fn;
	struct r_flow flow;
	size_t n;

	if (module_functions(m, &fn, &n))
		return;
	for (size_t i = 0; i < n && i < MAX_FUNCTIONS; i++) {
		if (!r_flow_open(&flow, m, fn[i].start)) {
			for (int at = 0; at >= 0; at = r_flow_next(&flow, at))
				;
			code_release(&flow.code);
		}
		r_scan_jit(m, fn[i].start);
	}
}

/* Functions are sorted, each is there once, and its names can be shown. */
static void check(const struct r_functions *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct r_function *one = &f->at[i];

		FUZZ_ASSERT(!i || f->at[i - 1].start < one->start);
		FUZZ_ASSERT(!one->end || one->end > one->start);
		FUZZ_ASSERT(r_functions_name(f, one->start) == one->name);
		for (const char *c = one->name; c && *c; c++)
			FUZZ_ASSERT((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
}

static void parts(const struct module *m)
{
	struct r_functions routines = { 0 };
	struct r_functions builtins = { 0 };
	u64 buckets;

	functions(m);
	r_scan_symbol_table(m, &buckets);
	r_scan_gc(m);
	r_scan_finalizers(m);
	r_version_find(m);
	if (r_builtins_read(&builtins, m, 0x3000, 40 * 8) > 0)
		check(&builtins);
	r_functions_release(&builtins);
	FUZZ_ASSERT(!r_routines_read(&routines, m) == (routines.n > 0));
	check(&routines);
	r_functions_release(&routines);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct module m;

	if (!fuzz_module(&m, data, size, "/lib/r_routines.so"))
		return 0;
	probe(&m);
	parts(&m);
	module_close(&m);
	return 0;
}
