/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * gcc's code at the ends of a program: a program is run to its end, one instruction at a
 * time, and in that code each rule must give the CFA that the function was entered with.
 * What only stands in its place has no rule.
 */
#include "arch/cfi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/cfi_find.h"
#include "tests/unit/fixture.h"
#include "user/elf/module.h"
#include "user/unwind/cfi.h"

#define PROGRAM	  "/bin/true"
#define MAX_STEPS 5000000
#define MAX_DEPTH 8

struct run {
	pid_t pid;
	u64 bias;
	struct cfi_gaps gaps;
	struct {
		u64 cfa, rbp;
	} called[MAX_DEPTH];
	size_t depth;
	size_t checked,
		saved; /* instructions; of them, with rbp on the stack */
};

static void begin(struct run *r)
{
	char path[64], line[256];
	FILE *maps;
	int status;

	r->pid = fork();
	if (!r->pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(PROGRAM, PROGRAM, NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	assert_true(WIFSTOPPED(status));
	snprintf(path, sizeof(path), "/proc/%d/maps", r->pid);
	maps = fopen(path, "re");
	assert_non_null(maps);
	assert_non_null(fgets(line, sizeof(line), maps));
	r->bias = strtoull(line, NULL, 16);
	fclose(maps);
}

static const struct cfi_gap *part_at(const struct run *r, u64 vaddr)
{
	for (size_t i = 0; i < r->gaps.n; i++)
		if (vaddr >= r->gaps.part[i].start &&
		    vaddr < r->gaps.part[i].end)
			return &r->gaps.part[i];
	return NULL;
}

/* Whether a function begins there: behind no other part, and not a mere return. */
static bool is_entry(const struct run *r, u64 vaddr)
{
	const struct cfi_gap *p = part_at(r, vaddr);

	return p && p->start == vaddr && p->end > vaddr + 1 &&
	       !part_at(r, vaddr - 1);
}

static void check(struct run *r, const struct cfi_table *t,
		  const struct user_regs_struct *now)
{
	u64 vaddr = now->rip - r->bias;
	const struct unwind_rule *rule;

	while (r->depth && now->rsp >= r->called[r->depth - 1].cfa)
		r->depth--;
	if (!part_at(r, vaddr))
		return;
	/* One of them jumps to another: that one returns where it would have. */
	if (is_entry(r, vaddr) &&
	    (!r->depth || now->rsp + 8 != r->called[r->depth - 1].cfa)) {
		assert_true(r->depth < MAX_DEPTH);
		r->called[r->depth].cfa = now->rsp + 8;
		r->called[r->depth++].rbp = now->rbp;
	}
	rule = cfi_find(t, vaddr);
	assert_true(r->depth);
	assert_int_equal(rule->kind, UNWIND_CFA);
	assert_int_equal(rule->cfa_reg, 7);
	assert_int_equal(now->rsp + rule->cfa_off, r->called[r->depth - 1].cfa);
	r->checked++;
	if (rule->slot[SAVED_FRAME] == UNWIND_SLOT_SAME) {
		assert_int_equal(now->rbp, r->called[r->depth - 1].rbp);
		return;
	}
	assert_int_equal(rule->slot[SAVED_FRAME], -2);
	assert_int_equal((u64)ptrace(PTRACE_PEEKDATA, r->pid,
				     now->rsp + rule->cfa_off - 16, NULL),
			 r->called[r->depth - 1].rbp);
	r->saved++;
}

static void test_run(void **state)
{
	int fd = open(PROGRAM, O_RDONLY | O_CLOEXEC), status = 0;
	struct user_regs_struct now;
	struct run r = { 0 };
	struct cfi_table t;
	struct module m;

	(void)state;
	assert_int_equal(module_open(&m, fd, PROGRAM), 0);
	assert_int_equal(cfi_build(&t, &m, NULL, 0), 0);
	cfi_gaps_init(&r.gaps, &m);
	/* Three each in .init, .fini and .fini_array, and three more functions. */
	assert_int_equal(r.gaps.n, 12);
	begin(&r);
	for (int i = 0; i < MAX_STEPS; i++) {
		if (ptrace(PTRACE_GETREGS, r.pid, NULL, &now))
			break;
		check(&r, &t, &now);
		ptrace(PTRACE_SINGLESTEP, r.pid, NULL, NULL);
		if (waitpid(r.pid, &status, 0) != r.pid || !WIFSTOPPED(status))
			break;
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	print_message("# %zu instructions, %zu of them with rbp saved\n",
		      r.checked, r.saved);
	assert_true(r.checked >= 25);
	assert_true(r.saved >= 5);
	cfi_release(&t);
	module_close(&m);
}

/* A library whose arrays lead to functions of other kinds. */
static void test_other(void **state)
{
	struct module m;
	struct cfi_gaps g;

	(void)state;
	assert_int_equal(
		module_open(&m, fixture_open("cfi_crt.so"), "cfi_crt.so"), 0);
	cfi_gaps_init(&g, &m);
	/* begin: the jump and a push; a pop; a return */
	assert_int_equal(g.n, 3);
	assert_int_equal(g.part[0].end - g.part[0].start, 6);
	assert_int_equal(g.part[0].rule.cfa_off, 8);
	assert_int_equal(g.part[0].rule.slot[0], UNWIND_SLOT_SAME);
	assert_int_equal(g.part[1].start, g.part[0].end);
	assert_int_equal(g.part[1].end - g.part[1].start, 1);
	assert_int_equal(g.part[1].rule.cfa_off, 16);
	assert_int_equal(g.part[1].rule.slot[0], -2);
	assert_int_equal(g.part[1].rule.slot[SAVED_FRAME], UNWIND_SLOT_SAME);
	assert_int_equal(g.part[2].start, g.part[1].end);
	assert_int_equal(g.part[2].end - g.part[2].start, 1);
	assert_int_equal(g.part[2].rule.cfa_off, 8);
	assert_int_equal(g.part[2].rule.slot[0], UNWIND_SLOT_SAME);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
