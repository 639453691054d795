/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Hostile call frame information: what comes out must be a table that the kernel
 * side can search, and the packed form must give the same answers.
 */
#include "tests/fuzz/fuzz.h"
#include "user/unwind/cfi.h"

static void check_rule(const struct unwind_rule *rule)
{
	FUZZ_ASSERT(rule->kind <= UNWIND_SWITCH);
	FUZZ_ASSERT(rule->cfa_reg < 16);
}

static void check(const struct cfi_table *t)
{
	FUZZ_ASSERT(t->rows && t->rows <= CFI_MAX_ROWS && t->rules >= 2);
	FUZZ_ASSERT(t->row[0].vaddr == 0);
	FUZZ_ASSERT(t->row[t->rows - 1].rule == CFI_RULE_NONE);
	for (size_t i = 0; i < t->rows; i++) {
		FUZZ_ASSERT(t->row[i].rule < t->rules);
		if (!i)
			continue;
		FUZZ_ASSERT(t->row[i - 1].vaddr < t->row[i].vaddr);
		FUZZ_ASSERT(t->row[i - 1].rule != t->row[i].rule);
	}
	for (size_t i = 0; i < t->rules; i++)
		check_rule(&t->rule[i]);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct cfi_mark mark[] = {
		{ 0x1810, 0x1815, 3 },
		{ 0x1000, 0x1004, 4 },
		{ 0x1002, 0x1100, 5 },
	};
	struct cfi_table t;
	struct module m;

	if (!fuzz_module(&m, data, size, "/lib/input.so"))
		return 0;
	if (!cfi_build(&t, &m, mark, sizeof(mark) / sizeof(*mark))) {
		check(&t);
		cfi_release(&t);
	}
	module_close(&m);
	return 0;
}
