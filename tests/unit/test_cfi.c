/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Rows and rules of hand-written call frame information (cfi_cases.S and its
 * neighbours, built to .so files beside this program), and what must hold for
 * every row of real libraries.
 */
#include "user/unwind/cfi.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gelf.h>
#include <unistd.h>

#include "tests/unit/cfi_find.h"
#include "tests/unit/fixture.h"
#include "user/elf/module.h"

#define SAME UNWIND_SLOT_SAME
#define LOST UNWIND_SLOT_LOST

enum { RDX = 1, RDI = 5, RBP = 6, RSP = 7, R8 = 8, R9 = 9, R10 = 10 };

static void open_path(struct module *m, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("cannot open %s", path);
	assert_int_equal(module_open(m, fd, path), 0);
}

/* A file beside this program. */
static void open_fixture(struct module *m, const char *name)
{
	assert_int_equal(module_open(m, fixture_open(name), name), 0);
}

static u64 symbol(const struct module *m, const char *name)
{
	u64 vaddr;

	if (module_dynsym(m, name, &vaddr, NULL))
		fail_msg("no symbol %s", name);
	return vaddr;
}

/* ---- hand-written cases --------------------------------------------------- */

struct expected {
	const char *function;
	u32 offset;
	u8 kind, cfa_reg, flags;
	s32 cfa_off, deref_off;
	s16 ra;
	s16 slot[SAVED_REGS]; /* rbx rbp r12 r13 r14 r15 */
};

#define ALL_SAME                                   \
	{                                          \
		SAME, SAME, SAME, SAME, SAME, SAME \
	}
#define CALL(reg, off) UNWIND_CFA, reg, 0, off, 0, -1
#define SAVES(rbx, rbp)                          \
	{                                        \
		rbx, rbp, SAME, SAME, SAME, SAME \
	}
#define NOTHING(kind)        \
	kind, 0, 0, 0, 0, 0, \
	{                    \
		0            \
	}

static const struct expected expected[] = {
	{ "case_push", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_push", 4, CALL(RSP, 16), SAVES(-2, SAME) },
	{ "case_push", 8, CALL(RSP, 24), SAVES(-2, -3) },
	{ "case_push", 12, CALL(RSP, 64), { -2, -3, -4, -5, -6, -7 } },
	{ "case_push", 16, CALL(RSP, 8), ALL_SAME },
	{ "case_push", 20, NOTHING(UNWIND_NONE) },

	{ "case_rbp", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_rbp", 4, CALL(RSP, 16), SAVES(SAME, -2) },
	{ "case_rbp", 8, CALL(RBP, 16), SAVES(SAME, -2) },
	{ "case_rbp", 12, CALL(RBP, 16), SAVES(-3, -2) },
	{ "case_rbp", 16, CALL(RSP, 8), SAVES(-3, -2) },

	{ "case_realign", 4, CALL(R10, 0), ALL_SAME },
	{ "case_realign", 8, UNWIND_CFA, R10, UNWIND_SLOTS_FROM_FRAME, 0, 0, -1,
	  SAVES(SAME, 0) },
	{ "case_realign", 12, UNWIND_DEREF, RBP, UNWIND_SLOTS_FROM_FRAME, -8, 0,
	  -1, SAVES(SAME, 0) },
	{ "case_realign",
	  16,
	  UNWIND_DEREF,
	  RBP,
	  UNWIND_SLOTS_FROM_FRAME,
	  -8,
	  0,
	  -1,
	  { -3, 0, SAME, SAME, SAME, -2 } },
	{ "case_realign_return", 0, UNWIND_DEREF, RBP,
	  UNWIND_SLOTS_FROM_FRAME | UNWIND_RA_FROM_FRAME, -8, 16, 1,
	  SAVES(SAME, 0) },

	{ "case_plt", 0, UNWIND_PLT, RSP, 0, 11, 0, -1, ALL_SAME },
	{ "case_plt", 4, NOTHING(UNWIND_UNSUPPORTED) },

	{ "case_signal", 0, UNWIND_SIGNAL, RSP, 0, 40, 0, 0, { 0 } },
	{ "case_signal", 4, NOTHING(UNWIND_UNSUPPORTED) },
	/* In its system call the address is one behind. */
	{ "case_signal_end", 4, UNWIND_SIGNAL, RSP, 0, 40, 0, 0, { 0 } },
	{ "case_signal_end", 5, NOTHING(UNWIND_NONE) },
	{ "case_signal_other_order", 0, NOTHING(UNWIND_UNSUPPORTED) },
	{ "case_signal_plain", 0, NOTHING(UNWIND_UNSUPPORTED) },

	{ "case_root", 0, NOTHING(UNWIND_ROOT) },

	{ "case_same", 0, CALL(RSP, 8), { SAME, SAME, -2, SAME, SAME, SAME } },
	{ "case_same", 4, CALL(RSP, 8), ALL_SAME },
	{ "case_same",
	  8,
	  CALL(RSP, 8),
	  { SAME, SAME, SAME, LOST, SAME, SAME } },

	{ "case_shrink", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_shrink", 4, CALL(RSP, 32), SAVES(-3, -2) },
	{ "case_shrink", 8, CALL(RSP, 8), ALL_SAME },
	{ "case_shrink", 12, CALL(RSP, 32), SAVES(-3, -2) },

	{ "case_far",
	  0,
	  CALL(RSP, 400000),
	  { SAME, SAME, -32766, LOST, LOST, SAME } },
	{ "case_far",
	  4,
	  CALL(RSP, 8),
	  { LOST, SAME, -32766, LOST, LOST, SAME } },

	{ "case_mixed", 0, UNWIND_DEREF, RBP, UNWIND_SLOTS_FROM_FRAME, -8, 0,
	  -1, SAVES(LOST, 0) },
	{ "case_mixed", 4, UNWIND_DEREF, RBP, 0, -8, 0, -1, SAVES(LOST, -3) },

	{ "case_rebase", 0, CALL(RBP, 16), SAVES(-3, SAME) },

	{ "case_unsupported", 0, NOTHING(UNWIND_UNSUPPORTED) },
	{ "case_unsupported", 4, UNWIND_CFA, RSP, UNWIND_RA_IN_REG, 0, 0, RDI,
	  ALL_SAME },
	{ "case_unsupported", 8, NOTHING(UNWIND_UNSUPPORTED) },
	{ "case_unsupported", 12, NOTHING(UNWIND_UNSUPPORTED) },
	{ "case_unsupported", 16, NOTHING(UNWIND_UNSUPPORTED) },

	{ "case_jump",
	  0,
	  UNWIND_CFA,
	  R8,
	  UNWIND_RA_IN_REG | UNWIND_JUMP,
	  0,
	  RDI,
	  RDX,
	  { 0, R9, 2, 3, 4, 5 } },
	{ "case_jump",
	  4,
	  UNWIND_CFA,
	  R8,
	  UNWIND_RA_IN_REG | UNWIND_JUMP,
	  0,
	  RDI,
	  RDX,
	  { LOST, R9, 3, 4, 5, SAME } },
	{ "case_jump", 8, NOTHING(UNWIND_UNSUPPORTED) },

	{ "case_rejected", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_rejected", 4, NOTHING(UNWIND_NONE) },

	{ "case_huge", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_huge", 4, CALL(RSP, 8), ALL_SAME },

	{ "case_before_gap", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_before_gap", 4, NOTHING(UNWIND_NONE) },
	{ "case_before_gap", 67, NOTHING(UNWIND_NONE) },
	{ "case_after_gap", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_after_gap", 4, NOTHING(UNWIND_NONE) },

	{ "case_init", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_init", 4, CALL(RSP, 16), ALL_SAME },
	{ "case_init", 18, CALL(RSP, 16), ALL_SAME },
	{ "case_init", 22, CALL(RSP, 8), ALL_SAME },
	{ "case_init", 23, NOTHING(UNWIND_NONE) },
	{ "case_fini", 0, CALL(RSP, 8), ALL_SAME },
	{ "case_fini", 8, CALL(RSP, 16), ALL_SAME },
	{ "case_fini", 12, CALL(RSP, 8), ALL_SAME },
	{ "case_fini", 13, NOTHING(UNWIND_NONE) },
};

static struct unwind_rule rule_of(const struct expected *e)
{
	struct unwind_rule r = { .kind = e->kind,
				 .cfa_reg = e->cfa_reg,
				 .flags = e->flags,
				 .cfa_off = e->cfa_off,
				 .deref_off = e->deref_off,
				 .ra = e->ra };

	memcpy(r.slot, e->slot, sizeof(r.slot));
	return r;
}

static void print_rule(const char *what, const struct unwind_rule *r)
{
	print_error("  %s kind %u reg %u mark %u flags %u cfa %d deref %d ra %d"
		    " slots %d %d %d %d %d %d\n",
		    what, r->kind, r->cfa_reg, r->mark, r->flags, r->cfa_off,
		    r->deref_off, r->ra, r->slot[0], r->slot[1], r->slot[2],
		    r->slot[3], r->slot[4], r->slot[5]);
}

static void check_case(const struct cfi_table *t, const struct module *m,
		       const struct expected *e)
{
	u64 vaddr = symbol(m, e->function) + e->offset;
	const struct unwind_rule *got = cfi_find(t, vaddr);
	struct unwind_rule want = rule_of(e);

	if (!memcmp(got, &want, sizeof(want)))
		return;
	print_rule("want", &want);
	print_rule("got ", got);
	fail_msg("%s+%u", e->function, e->offset);
}

/* What cfi.h promises of every table. */
static void check_form(const struct cfi_table *t)
{
	assert_true(t->rows >= 2 && t->rules >= 2);
	assert_int_equal(t->rule[CFI_RULE_NONE].kind, UNWIND_NONE);
	assert_int_equal(t->rule[CFI_RULE_UNSUPPORTED].kind,
			 UNWIND_UNSUPPORTED);
	assert_int_equal(t->row[0].vaddr, 0);
	assert_int_equal(t->row[t->rows - 1].rule, CFI_RULE_NONE);
	for (size_t i = 0; i < t->rows; i++) {
		assert_true(t->row[i].rule < t->rules);
		if (!i)
			continue;
		assert_true(t->row[i].vaddr > t->row[i - 1].vaddr);
		assert_true(t->row[i].rule != t->row[i - 1].rule);
	}
}

static void test_cases(void **state)
{
	struct cfi_table t;
	struct module m;

	(void)state;
	open_fixture(&m, "cfi_cases.so");
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	check_form(&t);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		check_case(&t, &m, &expected[i]);
	/* case_rejected, case_huge and case_deep */
	assert_int_equal(t.errors, 2);
	assert_int_equal(cfi_find(&t, 0)->kind, UNWIND_NONE);
	assert_int_equal(cfi_find(&t, UINT32_MAX)->kind, UNWIND_NONE);
	assert_int_equal(cfi_find(&t, UINT64_MAX)->kind, UNWIND_NONE);
	/* Four in case_unsupported are two rows. */
	assert_int_equal(t.unsupported, 7);
	cfi_release(&t);
	assert_null(t.row);
	module_close(&m);
}

/* Marks cut rows and nothing else; the first of two that overlap counts. */
static void test_marks(void **state)
{
	struct cfi_table plain, marked;
	struct module m;
	u64 start;

	(void)state;
	open_fixture(&m, "cfi_cases.so");
	start = symbol(&m, "case_push");
	const struct cfi_mark marks[] = {
		{ start + 6, start + 10, UNWIND_MARK(1, 2) },
		{ start + 2, start + 7, UNWIND_MARK(0, 3) },
		{ start + 18, start + 22, UNWIND_MARK(0, 1) },
	};
	assert_int_equal(cfi_build(&plain, &m, NULL, 0), 0);
	assert_int_equal(cfi_build(&marked, &m, marks, 3), 0);
	check_form(&marked);
	for (u64 at = start - 8; at < start + 40; at++) {
		struct unwind_rule want = *cfi_find(&plain, at);

		if (at >= start + 2 && at < start + 6)
			want.mark = UNWIND_MARK(0, 3);
		else if (at >= start + 6 && at < start + 10)
			want.mark = UNWIND_MARK(1, 2);
		else if (at >= start + 18 && at < start + 20)
			want.mark = UNWIND_MARK(0, 1);
		assert_memory_equal(cfi_find(&marked, at), &want, sizeof(want));
	}
	/* Rows begin at +2 +6 +10 and +18, which was in the middle of rows. */
	assert_int_equal(marked.rows, plain.rows + 4);
	assert_int_equal(UNWIND_MARK_WALKER(UNWIND_MARK(1, 2)), 1);
	assert_int_equal(UNWIND_MARK_INDEX(UNWIND_MARK(1, 2)), 2);
	cfi_release(&plain);
	cfi_release(&marked);
	module_close(&m);
}

static void test_debug_frame(void **state)
{
	static const struct expected cases[] = {
		{ "early", 0, CALL(RBP, 16), SAVES(SAME, -2) },
		{ "early", 4, NOTHING(UNWIND_NONE) },
		{ "late", 0, CALL(RSP, 8), ALL_SAME },
		{ "late", 4, CALL(RSP, 16), ALL_SAME },
		{ "late", 8, NOTHING(UNWIND_NONE) },
	};
	struct cfi_table t;
	struct module m;

	(void)state;
	open_fixture(&m, "cfi_debug.so");
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	check_form(&t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&t, &m, &cases[i]);
	assert_int_equal(t.errors, 0);
	cfi_release(&t);
	module_close(&m);
}

/* Rules that have no number any more are unsupported, and counted. */
static void test_many_rules(void **state)
{
	struct cfi_table t;
	struct module m;

	(void)state;
	open_fixture(&m, "cfi_many.so");
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	check_form(&t);
	assert_int_equal(t.rules, 65536);
	/* 65,534 rows have their rule, all after them are one. */
	assert_int_equal(t.rows, 1 + 65534 + 1 + 1);
	assert_int_equal(t.unsupported, 1);
	assert_int_equal(t.row[65535].rule, CFI_RULE_UNSUPPORTED);
	assert_int_equal(cfi_find(&t, t.row[65534].vaddr)->cfa_off, 8 * 65534);
	cfi_release(&t);
	module_close(&m);
}

/* ---- real libraries ------------------------------------------------------- */

/* The library as the dynamic linker finds it. */
static bool open_library(struct module *m, const char *name, const char *in_it)
{
	void *handle = dlopen(name, RTLD_LAZY);
	void *address = handle ? dlsym(handle, in_it) : NULL;
	Dl_info info;

	if (!address)
		return false;
	assert_true(dladdr(address, &info));
	open_path(m, info.dli_fname);
	return true;
}

struct library {
	const char *name, *function;
	size_t min_rows, max_unsupported;
};

static void check_library(const struct library *l)
{
	size_t kinds[UNWIND_CLONE + 1] = { 0 };
	struct cfi_table t;
	struct module m;

	if (!open_library(&m, l->name, l->function))
		return;
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	check_form(&t);
	assert_int_equal(t.errors, 0);
	assert_true(t.rows >= l->min_rows);
	assert_true(t.unsupported <= l->max_unsupported);
	for (size_t i = 0; i < t.rows; i++)
		kinds[t.rule[t.row[i].rule].kind]++;
	assert_true(kinds[UNWIND_CFA] > t.rows * 8 / 10);
	assert_int_equal(cfi_find(&t, symbol(&m, l->function))->kind,
			 UNWIND_CFA);
	if (!strcmp(l->name, "libc.so.6")) {
		assert_int_equal(kinds[UNWIND_SIGNAL], 1);
		assert_true(kinds[UNWIND_ROOT] >= 1);
		/* clone() and clone3() */
		assert_int_equal(kinds[UNWIND_CLONE], 2);
	}
	cfi_release(&t);
	module_close(&m);
}

static void test_libraries(void **state)
{
	static const struct library libraries[] = {
		{ "libc.so.6", "printf", 10000, 10 },
		{ "libtcl8.6.so", "Tcl_Eval", 10000, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		check_library(&libraries[i]);
}

/* Where the kernel begins a program nothing is said, and nothing has called. */
static void test_loader(void **state)
{
	struct cfi_table t;
	struct module m;
	GElf_Ehdr header;

	(void)state;
	open_path(&m, "/lib64/ld-linux-x86-64.so.2");
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	assert_non_null(gelf_getehdr(module_handle(&m), &header));
	assert_int_equal(cfi_find(&t, header.e_entry)->kind, UNWIND_ROOT);
	assert_int_equal(cfi_find(&t, header.e_entry - 1)->kind, UNWIND_NONE);
	assert_int_equal(cfi_find(&t, header.e_entry + 128)->kind, UNWIND_CFA);
	cfi_release(&t);
	module_close(&m);
}

static void test_nothing(void **state)
{
	struct module_code code = { .base = 4096 };
	struct cfi_table t;
	struct module m;

	(void)state;
	module_open_code(&m, &code, "");
	assert_int_equal(cfi_build(&t, &m, NULL, 0), -ENOENT);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_many_rules),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_loader),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
