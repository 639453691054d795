/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the scans find in Debian's libR.so 4.2.2.20221110-2, and what must hold
 * for any libR.so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>

#include "user/lib/buf.h"
#include "user/elf/module.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/walker.h"

#define LIBR "/usr/lib/R/lib/libR.so"

extern const struct walker r_walker;

static struct module module;

static int setup(void **state)
{
	int fd = open(LIBR, O_RDONLY | O_CLOEXEC);

	(void)state;
	if (fd >= 0)
		module_open(&module, fd, LIBR);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (module.cache)
		module_close(&module);
	return 0;
}

static void need_libr(void)
{
	if (!module.cache) {
		print_message("no " LIBR "\n");
		skip();
	}
}

static void need_build(void)
{
	static const u8 id[] = { 0xec, 0x19, 0x70, 0xcd, 0x82, 0x83, 0x5a,
				 0xc6, 0x5e, 0x5b, 0x53, 0x7e, 0x15, 0x1a,
				 0x43, 0x01, 0x44, 0x03, 0x0a, 0x03 };

	need_libr();
	if (module.build_id_len < 4 || memcmp(module.build_id, id, 4)) {
		print_message(LIBR " is another build than the known one\n");
		skip();
	}
}

static void test_begincontext(void **state)
{
	static const struct {
		s32 offset;
		u64 from;
	} known[] = {
		{ 0, 0x38b4d8 }, /* R_GlobalContext */
		{ 8, R_ARG(1) },   { 232, R_ARG(6) },
		{ 240, R_ARG(4) }, { 248, R_ARG(2) },
		{ 256, R_ARG(3) }, { 264, 0x38b908 }, /* R_NilValue */
		{ 312, 0x38b6d8 },		      /* R_BCbody */
		{ 320, 0x38b6e0 },		      /* R_BCpc */
		{ 344, 0x38b4a0 },		      /* R_PendingPromises */
		{ 352, 0x38b1b8 },		      /* R_BCNodeStackTop */
		{ 368, 0x38b910 },		      /* R_Srcref */
		{ 376, 0 }, /* browserfinish: copied from a context */
	};
	struct r_flow begin;

	(void)state;
	need_build();
	assert_int_equal(r_flow_run(&begin, &module,
				    r_file_export(&module, "Rf_begincontext")),
			 0);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_int_equal(r_scan_stored(&begin, known[i].offset),
				 known[i].from);
	assert_int_equal(r_scan_offset(&begin, 0x38b910), 368);
	assert_int_equal(r_scan_offset(&begin, 0x38b911), -1);
	assert_int_equal(r_scan_offset(&begin, 0), -1);
	assert_int_equal(r_scan_stored(&begin, -4), 0);
	assert_int_equal(r_scan_stored(&begin, 2), 0);
	assert_int_equal(r_scan_stored(&begin, 512), 0);
	code_release(&begin.code);
}

static void test_others(void **state)
{
	u64 buckets = 0;

	(void)state;
	need_build();
	assert_int_equal(r_scan_symbol_table(&module, &buckets), 0x38b698);
	assert_int_equal(buckets, 49157);
	assert_int_equal(r_scan_gc(&module), 0x193770);
	assert_int_equal(r_scan_console(&module), 0x38b0e0);
	assert_int_equal(r_scan_finalizers(&module), 0x198690);
	assert_int_equal(r_version_find(&module), R_VERSION_OF(4, 2, 2));
}

static void test_probe(void **state)
{
	const struct r_file *file;
	struct buf text = { 0 };
	void *data = NULL;

	(void)state;
	need_build();
	assert_int_equal(r_walker.file.probe(&module, &data, &text), 1);
	assert_string_equal(buf_text(&text), "");
	r_walker.file.describe(data, &text);
	assert_string_equal(buf_text(&text),
			    "R 4.2.2, layout B, shared, 744 builtins");
	assert_string_equal(r_walker.file.symbol(data, 0x193770), "<GC>");
	assert_null(r_walker.file.symbol(data, 0));
	assert_null(r_walker.file.symbol(data, 0x193771));
	assert_string_equal(r_walker.file.symbol(data, 0x198690),
			    "<finalizer>");
	file = data;
	assert_int_equal(file->jit, 0x38b19c);
	assert_int_equal(file->at.bc_body, 0x38b6d8);
	assert_int_equal(file->at.bc_pc, 0x38b6e0);
	assert_int_equal(file->at.pending, 0x38b4a0);
	assert_int_equal(file->at.symbol_table, 0x38b698);
	assert_int_equal(file->at.symbol_chains, 49157);
	assert_int_equal(file->at.console, 0x38b0e0);
	assert_int_equal(file->at.nodestack, 352);
	assert_int_equal(file->at.global_context, 0x38b4d8);
	assert_int_equal(file->slot.global_context, 0x3568c8);
	r_walker.file.forget(data);
	buf_release(&text);
}

static void test_calls(void **state)
{
	static const struct {
		u64 vaddr;
		u8 kind;
	} known[] = {
		{ 0xe6e80, R_CALL_END },
		{ 0xe6d0c, R_CALL_JUMP },
		{ 0xe6d27, R_CALL_BEGIN },
	};
	struct walker_call call[R_CALL_KINDS] = { 0 };
	struct walker_site site = { .m = &module };
	struct buf why = { 0 };
	void *data = NULL;

	(void)state;
	need_build();
	assert_int_equal(r_walker.file.probe(&module, &data, &why), 1);
	site.data = data;
	assert_int_equal(r_walker.file.calls(&site, call, R_CALL_KINDS - 1), 0);
	assert_int_equal(r_walker.file.calls(&site, call, R_CALL_KINDS),
			 R_CALL_KINDS);
	for (size_t i = 0; i < R_CALL_KINDS; i++) {
		assert_int_equal(call[i].vaddr, known[i].vaddr);
		assert_int_equal(call[i].place.kind, known[i].kind);
		assert_int_equal(call[i].place.reg, REG_ARG0);
	}
	assert_int_equal(call[2].place.offset[R_CALL_FUNCTION], 8);
	assert_int_equal(call[0].place.offset[R_CALL_TARGET], 392);
	assert_int_equal(call[0].place.offset[R_CALL_VALUE], 384);
	assert_int_equal(call[0].place.offset[R_CALL_TAILS], 0);
	r_walker.file.forget(data);
	buf_release(&why);
}

/* Whatever the build: the layout is proven or refused, all of it or nothing. */
static void test_any_build(void **state)
{
	struct buf why = { 0 };
	const struct r_file *file;
	struct r_flow begin;
	void *data = NULL;
	int found;

	(void)state;
	need_libr();
	found = r_file_probe(&module, &data, &why);
	if (found == 1) {
		file = data;
		assert_int_equal(
			r_flow_run(&begin, &module,
				   r_file_export(&module, "Rf_begincontext")),
			0);
		assert_int_equal(r_scan_offset(&begin, file->at.srcref),
				 file->row->layout.srcref);
		assert_false(file->is_static);
		code_release(&begin.code);
		r_file_free(data);
	} else {
		assert_true(found < 0);
		assert_true(why.len > 0);
	}
	buf_release(&why);
}

static void test_not_r(void **state)
{
	static const char *const paths[] = { "/proc/self/exe",
					     "/usr/lib/R/bin/exec/R" };
	struct buf why = { 0 };
	struct module m;
	void *data;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		assert_int_equal(module_open(&m, fd, paths[i]), 0);
		assert_int_equal(r_walker.file.probe(&m, &data, &why), 0);
		assert_int_equal(why.len, 0);
		module_close(&m);
	}
	buf_release(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begincontext),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_any_build),
		cmocka_unit_test(test_not_r),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
