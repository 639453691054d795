/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The Tcl walker when memory cannot be read or holds nonsense: it must end, say
 * what is missing, and leave the native frames as they are.
 */
#include "embed_tcl.h"

#include <stdlib.h>
#include <string.h>

#include "bpf/native/native.bpf.h"

#include "user/lib/buf.h"

/* Each kind of frame, each way to enter the evaluator. */
static const char without_coroutines[] =
	"oo::class create C {method m {} {namespace eval ::q {apply {{a b} {\n"
	"  rename ::gone {}; call {lsort -command ::c {1 2}}}} 1 2}}}\n"
	"C create o\n"
	"proc c {a b} {here; return 0}\n"
	"interp create k\n"
	"interp alias k up {} o m\n"
	"k eval {proc p n {if {$n} {p [expr {$n - 1}]} else up}}\n"
	"proc f {} {proc ::gone {} {k eval {p 3}}; gone}\n";

static const char with_coroutines[] =
	"proc c {a b} {here; return 0}\n"
	"proc d {} {yield; call {lsort -command c {1 2}}}\n"
	"proc e {} {coroutine in d; yield; call in}\n"
	"proc f {} {coroutine out e; g; catch {rename out {}}; catch {rename in {}}}\n"
	"proc g {} out\n";

static void fail_each(const struct perf_regs *regs, const char *unused)
{
	(void)unused;
	script_fail_each(regs);
}

static void garble(const struct perf_regs *regs, const char *unused)
{
	(void)unused;
	script_garble(regs, 6000);
}

static void check(const char *define, look_fn fn)
{
	look = fn;
	looks = 0;
	run(define);
	run("f");
	assert_int_equal(looks, 1);
}

static void test_every_read_fails(void **state)
{
	(void)state;
	check(without_coroutines, fail_each);
}

static void test_every_read_fails_in_coroutines(void **state)
{
	(void)state;
	check(with_coroutines, fail_each);
}

static void test_nonsense(void **state)
{
	(void)state;
	check(without_coroutines, garble);
}

static void test_nonsense_in_coroutines(void **state)
{
	(void)state;
	check(with_coroutines, garble);
}

/* A line that cannot be found is counted too. */
static void test_faults_with_lines(void **state)
{
	u64 before = self_count(TCL_NO_LINE), names = self_count(TCL_NAME),
	    reads = self_count(TCL_READ),
	    edges = self_count(TCL_COROUTINE_EDGE);

	(void)state;
	self_want(SELF_LINES, true);
	check(with_coroutines, fail_each);
	check(with_coroutines, garble);
	self_want(SELF_LINES, false);
	assert_true(self_count(TCL_NO_LINE) > before);
	assert_true(self_count(TCL_NAME) > names);
	assert_true(self_count(TCL_READ) > reads);
	assert_true(self_count(TCL_COROUTINE_EDGE) > edges);
}

/* ---- more frames than a record holds -------------------------------------- */

static void check_full(const struct perf_regs *regs, const char *unused)
{
	struct sample *s = self_sample(regs);

	(void)unused;
	script_bounds(s);
	assert_int_equal(s->status, CUT_DEPTH);
	assert_true(s->words > WALK_WORDS - 2 * WALK_RESERVE);
	assert_int_equal(s->word[s->words - 1],
			 frame_value58(FRAME_STATUS, CUT_DEPTH));
	free(s);
}

/* The stack is whole, or it says that it is not. */
static void check_edge(const struct perf_regs *regs, const char *unused)
{
	static u32 words;
	struct sample *s = self_sample(regs);

	(void)unused;
	script_bounds(s);
	if (words)
		assert_true(s->status == CUT_DEPTH || s->words == words + 3);
	words = s->status == WALK_ROOT ? s->words : 1;
	free(s);
}

/* And the walker ends before the record is full when it takes too many steps. */
static void check_steps(const struct perf_regs *regs, const char *unused)
{
	u64 before = self_count(TCL_LIMIT);
	struct sample *s = self_sample(regs);

	(void)unused;
	script_bounds(s);
	assert_int_equal(s->status, WALK_ROOT);
	assert_int_equal(self_count(TCL_LIMIT), before + 1);
	free(s);
}

static void test_too_deep(void **state)
{
	(void)state;
	run("interp recursionlimit {} 100000");
	run("proc r n {if {$n} {r [expr {$n - 1}]} else here}");
	look = check_full;
	run("r 24000");
	look = check_edge;
	run("for {set n 21820} {$n < 21850} {incr n} {r $n}");
	/* Evaluations in a frame that is there already are no frames. */
	look = check_steps;
	run("proc f {} {set n 70000; set s {incr n -1; if {$n} {eval $s} "
	    "else here}; eval $s}; f");
}

/* ---- two addresses, one slot --------------------------------------------- */

#define SLED (8u << 20) /* the cache keeps apart what is not near */

/* Any of these bytes can be the beginning of the command call. */
extern const u8 sled[];
__asm__(".text\n"
	".globl sled\n"
	".hidden sled\n"
	".type sled, @function\n"
	"sled:\n"
	"	.cfi_startproc\n"
	"	.fill 8 << 20, 1, 0x90\n"
	"	jmp *sled_end(%rip)\n"
	"	.cfi_endproc\n"
	"	.size sled, . - sled\n");
extern void *sled_end;
__attribute__((visibility("hidden"))) void *sled_end = call;

static void check_line(const struct perf_regs *regs, const char *line)
{
	const struct script_native with_sled[] = {
		natives[0], natives[1], { sled, "[sled]" }, { NULL, NULL }
	};
	struct sample *s = self_sample(regs);
	struct buf got = { 0 };

	assert_int_equal(s->status, WALK_ROOT);
	script_line(s, with_sled, &got);
	assert_string_equal(buf_text(&got), line);
	buf_release(&got);
	free(s);
}

/* A command's function is looked up while the evaluator's frame is at hand; that
 * both share a slot of the cache must not show. */
static void test_shared_slot(void **state)
{
	struct tcl_file file;
	u64 bias, address;
	u32 slot, at = 0;

	(void)state;
	self_interpreter(&bias);
	tcl_walker.file.value(self_interpreter_data(), &file);
	slot = cache_slot(file.trampoline[0].ret + bias - 1);
	while (at < SLED && cache_slot((u64)sled + at) != slot)
		at++;
	assert_true(at < SLED);
	address = (u64)sled + at;
	Tcl_CreateObjCommand(interp, "slide", (Tcl_ObjCmdProc *)address, NULL,
			     NULL);
	look = check_line;
	run("proc g want {here $want}\n"
	    "proc f {} {slide {g {f slide [call] g here [here]}}}\n"
	    "f; f");
	assert_true(looks > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_every_read_fails, new_interp),
		cmocka_unit_test_setup(test_every_read_fails_in_coroutines,
				       new_interp),
		cmocka_unit_test_setup(test_nonsense, new_interp),
		cmocka_unit_test_setup(test_nonsense_in_coroutines, new_interp),
		cmocka_unit_test_setup(test_faults_with_lines, new_interp),
		cmocka_unit_test_setup(test_too_deep, new_interp),
		cmocka_unit_test_setup(test_shared_slot, new_interp),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
