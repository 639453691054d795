/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Go's table and the rules made of it: functions with the machine code of real ones
 * (golang.S), and the same file with every byte of the table damaged in turn.
 */
#include "user/elf/golang.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/cfi_find.h"
#include "tests/unit/fixture.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "tests/unit/native_reader.h"
#include "user/elf/module.h"
#include "user/unwind/cfi.h"
#include "arch/cfi.h"

#define SAME UNWIND_SLOT_SAME
#define LOST UNWIND_SLOT_LOST

enum { RDX = 1, RBP = 6, RSP = 7 };

/* The fixture beside this program, in memory. */
static u8 *bytes;
static size_t size;

static void read_fixture(void)
{
	int fd = fixture_open("golang.so");
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	size = st.st_size;
	bytes = xmalloc(size);
	assert_int_equal(read(fd, bytes, size), size);
	close(fd);
}

static void open_bytes(struct module *m)
{
	int fd = memfd_create("golang", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(module_open(m, fd, "golang"), 0);
}

static u64 symbol(const struct module *m, const char *name)
{
	u64 vaddr;

	if (module_dynsym(m, name, &vaddr, NULL))
		fail_msg("no symbol %s", name);
	return vaddr;
}

/* Slots: rbp, and all others. */
struct expected {
	const char *at;
	s32 from; /* bytes behind it */
	u8 kind, cfa_reg;
	s32 cfa_off, deref_off;
	u8 near[2];
	s16 rbp;
	u8 flags;
};

#define CALL(reg, off, rbp) UNWIND_CFA, reg, off, 0, { 0, 0 }, rbp, 0
#define INJECTED(off, rbp) \
	UNWIND_CFA, RSP, off, 0, { 0, 0 }, rbp, UNWIND_INTERRUPTED
#define TWO(kind, off, deref, rbp) kind, RSP, off, deref, { 0, 0 }, rbp, 0
#define THREAD			   UNWIND_THREAD, RSP, -8, 0xc0, { 0x30, 0x38 }, LOST, 0
#define ONLY(kind)		   kind, 0, 0, 0, { 0, 0 }, LOST, 0
#define GREGS			   offsetof(ucontext_t, uc_mcontext)

static const struct expected expected[] = {
	{ "go_plain", 0, CALL(RSP, 8, SAME) },
	{ "go_plain_1", -1, CALL(RSP, 8, SAME) },
	/* Made, but rbp not saved yet. */
	{ "go_plain_1", 0, CALL(RSP, 32, SAME) },
	{ "go_plain_saved", -1, CALL(RSP, 32, SAME) },
	{ "go_plain_saved", 0, CALL(RSP, 32, -2) },
	{ "go_plain_2", -1, CALL(RSP, 32, -2) },
	{ "go_plain_2", 0, CALL(RSP, 8, SAME) },
	{ "go_plain_3", -1, CALL(RSP, 8, SAME) },

	{ "go_pushes", 0, CALL(RSP, 8, SAME) },
	{ "go_pushes_1", 0, CALL(RSP, 16, -2) },
	{ "go_pushes_2", 0, CALL(RSP, 32, -2) },
	{ "go_pushes_3", 0, CALL(RSP, 16, -2) },
	{ "go_pushes_4", 0, CALL(RSP, 8, SAME) },

	{ "go_odd", 0, CALL(RSP, 8, SAME) },
	{ "go_odd_1", 0, CALL(RSP, 32, LOST) },
	{ "go_odd_2", 0, CALL(RSP, 8, SAME) },

	{ "go_assembly", 0, CALL(RSP, 8, LOST) },

	{ "goexit", 0, ONLY(UNWIND_ROOT) },
	{ "goexit", 6, ONLY(UNWIND_ROOT) },
	{ "go_not_top", 0, CALL(RSP, 8, SAME) },
	{ "go_top", 0, CALL(RSP, 8, SAME) },

	{ "async_preempt", 0, INJECTED(8, SAME) },
	{ "async_preempt_1", 0, INJECTED(16, -2) },

	{ "crosscall2", 0, CALL(RSP, 8, SAME) },
	{ "crosscall2_4", 0, CALL(RSP, 8, SAME) },

	{ "go_huge_saved", 0, CALL(RSP, 0x1000008, -2) },

	{ "cgocallback_1", 0, CALL(RSP, 40, SAME) },
	{ "cgocallback_pointed", 0, CALL(RBP, 16, -2) },
	{ "cgocallback_back", -1, CALL(RBP, 16, -2) },
	{ "cgocallback_back", 0, CALL(RSP, 40, -2) },
	{ "cgocallback_2", 0, CALL(RSP, 8, SAME) },

	{ "asmcgocall", 0, CALL(RSP, 8, LOST) },
	{ "asmcgocall_switched", -1, CALL(RSP, 8, LOST) },
	{ "asmcgocall_switched", 0, CALL(RDX, 8, SAME) },
	{ "asmcgocall_stored", -1, CALL(RDX, 8, SAME) },
	{ "asmcgocall_stored", 0, TWO(UNWIND_DEPTH, 0x30, 0x28, SAME) },
	{ "asmcgocall_taken", -1, TWO(UNWIND_DEPTH, 0x30, 0x28, SAME) },
	{ "asmcgocall_taken", 0, CALL(RSP, 8, LOST) },
	{ "asmcgocall_thread", 0, CALL(RDX, 8, SAME) },
	{ "asmcgocall_kept", -1, CALL(RDX, 8, SAME) },
	{ "asmcgocall_kept", 0, TWO(UNWIND_DEREF, 0x28, 8, SAME) },
	{ "asmcgocall_back", -1, TWO(UNWIND_DEREF, 0x28, 8, SAME) },
	{ "asmcgocall_back", 0, CALL(RSP, 8, LOST) },

	{ "systemstack", 0, CALL(RSP, 8, LOST) },
	{ "systemstack_switched", -1, CALL(RSP, 8, LOST) },
	{ "systemstack_switched", 0, THREAD },
	{ "systemstack_back", -1, THREAD },
	{ "systemstack_back", 0, CALL(RSP, 8, LOST) },

	{ "go_unknown_switch", 0, ONLY(UNWIND_SWITCH) },
	{ "morestack", 0, ONLY(UNWIND_SWITCH) },

	/* What a handler returns to is looked for one byte before. */
	{ "go_before", 0, CALL(RSP, 8, SAME) },
	{ "sigreturn", -2, CALL(RSP, 8, SAME) },
	{ "sigreturn", -1, TWO(UNWIND_SIGNAL, GREGS, 0, LOST) },
	{ "sigreturn", 9, TWO(UNWIND_SIGNAL, GREGS, 0, LOST) },

	{ "go_short", 0, CALL(RSP, 8, SAME) },
	{ "go_short_1", 0, ONLY(UNWIND_NONE) },
	{ "text_end", 0, ONLY(UNWIND_NONE) },
};

static void check(const struct cfi_table *t, const struct module *m,
		  const struct expected *e)
{
	const struct unwind_rule *got =
		cfi_find(t, symbol(m, e->at) + (s64)e->from);

	print_message("# %s%+d\n", e->at, e->from);
	assert_int_equal(got->kind, e->kind);
	if (e->kind == UNWIND_NONE)
		return;
	assert_int_equal(got->ra, -1);
	assert_int_equal(got->cfa_reg, e->cfa_reg);
	assert_int_equal(got->cfa_off, e->cfa_off);
	assert_int_equal(got->deref_off, e->deref_off);
	assert_int_equal(got->flags, e->flags);
	assert_memory_equal(got->near, e->near, sizeof(e->near));
	for (int i = 0; i < SAVED_REGS; i++)
		if (i != SAVED_FRAME && strncmp(e->at, "crosscall2", 10) != 0)
			assert_int_equal(got->slot[i], LOST);
	assert_int_equal(got->slot[SAVED_FRAME], e->rbp);
}

static void rules(void **state)
{
	static const s16 saved[SAVED_REGS] = { -7, -2, -6, -5, -4, -3 };
	struct cfi_table t;
	struct module m;

	(void)state;
	open_bytes(&m);
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		check(&t, &m, &expected[i]);
	/* What C finds unchanged. */
	assert_memory_equal(cfi_find(&t, symbol(&m, "crosscall2_saved"))->slot,
			    saved, sizeof(saved));
	assert_memory_equal(cfi_find(&t, symbol(&m, "crosscall2_1") + 10)->slot,
			    cfi_find(&t, symbol(&m, "crosscall2"))->slot,
			    sizeof(saved));
	cfi_release(&t);
	module_close(&m);
}

static void names(void **state)
{
	static const struct {
		const char *at;
		s32 from;
		const char *name;
	} cases[] = {
		{ "go_plain", 3, "main.plain" },
		{ "goexit", 1, "runtime.goexit" },
		{ "sigreturn", -2, "main.before" },
		{ "sigreturn", -1, "runtime.sigreturn" },
		{ "sigreturn", 3, "runtime.sigreturn" },
	};
	struct module m;

	(void)state;
	open_bytes(&m);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		native_check_name(&m,
				  symbol(&m, cases[i].at) + (s64)cases[i].from,
				  cases[i].name);
	module_close(&m);
}

struct progress {
	u64 at, end;
};

static int see_row(void *ctx, u64 end, struct unwind_rule *rule)
{
	struct progress *p = ctx;

	assert_true(end > p->at && end <= p->end);
	assert_true(rule->kind <= UNWIND_SWITCH && rule->cfa_reg < 16);
	p->at = end;
	return 0;
}

/* All of its functions that are sound, to their ends. */
static void take_apart(void)
{
	struct golang_function f;
	struct golang g;
	struct module m;

	open_bytes(&m);
	if (!golang_open(&g, &m)) {
		for (u64 i = 0; i < g.n; i++) {
			struct progress p;

			if (golang_function(&g, i, &f))
				continue;
			p = (struct progress){ f.start, f.end };
			assert_int_equal(cfi_go_rows(&m, &g, &f, see_row, &p),
					 0);
			assert_int_equal(p.at, f.end);
		}
		golang_close(&g);
	}
	module_close(&m);
}

/* Where in the file: it begins with the magic. */
static size_t find_table(u64 *len)
{
	struct module m;
	size_t at = 0;
	u64 vaddr;

	open_bytes(&m);
	assert_int_equal(module_section(&m, ".gopclntab", &vaddr, len), 0);
	module_close(&m);
	while (at + 8 < size &&
	       memcmp(bytes + at, "\xf0\xff\xff\xff\0\0\1\x8", 8) != 0)
		at++;
	return at;
}

/* Whatever is wrong with it, a table is made or refused. */
static void damaged(void **state)
{
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
	u64 len;
	size_t at = find_table(&len);

	(void)state;
	for (size_t i = at; i < at + len; i++) {
		u8 before = bytes[i];
		struct cfi_table t;
		struct module m;

		for (size_t v = 0; v < sizeof(values); v++) {
			bytes[i] = values[v];
			take_apart();
		}
		bytes[i] = values[i % sizeof(values)];
		open_bytes(&m);
		if (!cfi_build(&t, &m, NULL, 0))
			cfi_release(&t);
		module_close(&m);
		bytes[i] = before;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(names),
		cmocka_unit_test(damaged),
	};
	int failed;

	read_fixture();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(bytes);
	return failed;
}
