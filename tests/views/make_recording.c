/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes a recording that was made up:
 *
 *   make_recording golden > file             one small one with all there is
 *   make_recording SAMPLES STACKS DEPTH > file
 *
 * Of the stacks each differs from the one before in its inner frames, from somewhere on.
 * They are drawn from 5,000 functions, and the samples from the stacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/mem.h"
#include "user/recording/writer.h"

#define START	  1000000000000ull
#define REAL	  1700000000000000000ull
#define TICK	  10101010ull
#define FUNCTIONS 5000
#define TCL	  0
#define R	  1

static struct writer *w;
static u32 stack;

static u32 T(const char *text)
{
	return writer_text(w, text);
}

static u32 module(const char *name, const char *build_id)
{
	char path[64];

	snprintf(path, sizeof(path), "/usr/lib/%s", name);
	return writer_id(
		w, RECORDING_MODULE,
		&(struct recording_module){ T(name), T(path), T(build_id) });
}

static u32 push(struct frame f)
{
	struct recording_stack s = { stack, writer_id(w, RECORDING_FRAME, &f) };

	stack = writer_id(w, RECORDING_STACK, &s);
	return s.frame;
}

/* A native frame and what is known of it; fn.name 0: its file has no symbol. */
static void native(u32 in, u64 address, struct recording_function fn,
		   const char *inlined, const char *called)
{
	const struct recording_inlined in_it = { T(inlined), T("fit.h"), 3 };
	struct recording_address a = {
		.file = fn.name ? T("fit.c") : 0,
		.line = fn.name ? 40 + address % 16 : 0,
		.inlines = *inlined != '\0',
		.inlined = &in_it,
	};

	fn.module = in;
	fn.start = address & ~0xffull;
	a.frame = push((struct frame){ .type = FRAME_IS_C,
				       .module = in,
				       .address = address,
				       .walker = *called ? TCL : 0,
				       .called = T(called) });
	a.function = writer_id(w, RECORDING_FUNCTION, &fn);
	writer_address(w, &a);
}

static void kernel(const char *name)
{
	const struct recording_function fn = { .name = T(name) };
	struct recording_address a = { 0 };

	a.frame = push((struct frame){ .type = FRAME_IS_KERNEL,
				       .address = 0xffffffff81000010 });
	a.function = writer_id(w, RECORDING_FUNCTION, &fn);
	writer_address(w, &a);
}

static void script(u8 walker, u16 flags, const char *space, const char *name,
		   const char *file, u32 line)
{
	push((struct frame){ .type = FRAME_IS_SCRIPT,
			     .walker = walker,
			     .flags = flags,
			     .space = T(space),
			     .name = T(name),
			     .file = T(file),
			     .line = line });
}

static void sample(struct recording_sample s, u32 tid, const char *comm,
		   const char *program)
{
	const struct recording_task task = {
		.pid = 800,
		.tid = tid,
		.comm = T(comm),
		.program = T(program),
		.cgroup = T("/system.slice/lab.service"),
	};

	s.task = writer_id(w, RECORDING_TASK, &task);
	s.stack = stack;
	writer_sample(w, &s);
	stack = 0;
}

static void note(enum recording_kind kind, u64 time, const char *text,
		 u64 count)
{
	writer_put(w, kind, &(struct recording_note){ time, T(text), count });
}

static u32 event(const char *name, const char *unit, u64 interval)
{
	return writer_id(
		w, RECORDING_EVENT,
		&(struct recording_event){ T(name), T(unit), interval });
}

static void outer(u32 shell)
{
	native(shell, 0x1010,
	       (struct recording_function){ .name = T("_start"),
					    .role = RECORDING_START_UP },
	       "", "");
	native(shell, 0x1120,
	       (struct recording_function){ .name = T("main"),
					    .role = RECORDING_MAIN },
	       "", "");
}

/* Tcl down into C with an inlined function and a system call; a command of C by its name
 * in Tcl; R with a promise and an anonymous function; a cut stack; page faults. */
static void put_golden(u64 time)
{
	u32 shell = module("tclsh8.6", "a1"), fit = module("fit.so", "b2");
	u32 tcl = module("libtcl8.6.so", "c3"), r = module("libR.so", "d4");
	u32 clock = event("cpu-clock", "nanoseconds", TICK);
	u32 faults = event("page-faults", "faults", 0);
	struct recording_sample s = {
		.time = time, .event = clock, .weight = 1, .value = TICK
	};
	const struct recording_function eval = { .walker = TCL + 1,
						 .name = T("Tcl_EvalEx") };

	outer(shell);
	native(tcl, 0x2010, eval, "", "");
	script(TCL, FRAME_QUALIFIED, "::lab", "work", "/lab/main.tcl", 12);
	native(fit, 0x3055, (struct recording_function){ .name = T("fit") },
	       "square", "");
	kernel("do_syscall_64");
	sample(s, 800, "tclsh8.6", "tclsh8.6 main.tcl");
	s.time += TICK;
	s.weight = 3;
	s.value = 3 * TICK;
	s.cpu = 1;
	outer(shell);
	native(tcl, 0x2010, eval, "", "");
	script(TCL, 0, "", "work;\x1b[1m <b>", "/lab/main.tcl", 14);
	native(tcl, 0x2230,
	       (struct recording_function){ .walker = TCL + 1,
					    .name = T("Tcl_LsortObjCmd"),
					    .script = T("lsort|sort") },
	       "", "lsort");
	sample(s, 801, "worker", "tclsh8.6 main.tcl");
	s.time += TICK;
	s.weight = 1;
	s.value = TICK;
	native(r, 0x4010,
	       (struct recording_function){ .walker = R + 1,
					    .name = T("Rf_eval") },
	       "", "");
	script(R, 0, "stats", "lm", "/lab/fit.R", 3);
	script(R, FRAME_PROMISE, "", "x", "", 0);
	script(R, FRAME_ANONYMOUS, "", "", "/lab/fit.R", 9);
	native(fit, 0x3155, (struct recording_function){ 0 }, "", "");
	sample(s, 802, "R", "R fit.R");
	s.time += TICK / 2;
	push((struct frame){ .type = FRAME_IS_MARKER,
			     .flags = FRAME_CUT,
			     .name = T("no unwind information") });
	native(fit, 0x3055, (struct recording_function){ .name = T("fit") },
	       "square", "");
	s.event = faults;
	s.value = 1;
	sample(s, 800, "tclsh8.6", "tclsh8.6 main.tcl");
}

static void golden(void)
{
	const struct recording_summary sum = { START + 20 * TICK, 14, 12, 2 };

	put_golden(START + TICK);
	note(RECORDING_MARK, START + 7 * TICK, "fitting", 0);
	put_golden(START + 8 * TICK);
	note(RECORDING_LOSS, START + 12 * TICK, "queue to user space was full",
	     2);
	writer_forget(w);
	put_golden(START + 14 * TICK);
	writer_put(w, RECORDING_SUMMARY, &sum);
}

static u64 drawn(u64 n)
{
	static u64 state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % n;
}

static void push_drawn(u32 in)
{
	u64 f = drawn(FUNCTIONS);
	char name[32];

	snprintf(name, sizeof(name), "function_%llu", f);
	if (f % 4)
		native(in, f << 8 | drawn(4),
		       (struct recording_function){ .name = T(name) }, "", "");
	else
		script(TCL, 0, "", name, "main.tcl", f);
}

static void large(u64 samples, u32 stacks, u32 depth)
{
	u32 *at = xcalloc(depth + 1, sizeof(*at));
	u32 *all = xcalloc(stacks, sizeof(*all)), in = module("lib.so", "e5");
	struct recording_sample s = { .time = START,
				      .event = event("cpu-clock", "nanoseconds",
						     TICK),
				      .weight = 1,
				      .value = TICK };

	for (u32 i = 0; i < stacks; i++) {
		for (u32 k = i ? drawn(depth) : 0; k < depth; k++) {
			stack = at[k];
			push_drawn(in);
			at[k + 1] = stack;
		}
		all[i] = at[depth];
	}
	for (u64 i = 0; i < samples; i++) {
		stack = all[i < stacks ? i : drawn(stacks)];
		s.time += TICK / 2;
		s.cpu = i & 1;
		sample(s, 800 + drawn(4), "tclsh8.6", "tclsh8.6 main.tcl");
	}
	writer_put(w, RECORDING_SUMMARY,
		   &(struct recording_summary){ s.time, samples, samples, 0 });
	free(at);
	free(all);
}

int main(int argc, char **argv)
{
	const struct recording_head head = {
		.version = "1.0",
		.host = "lab",
		.kernel = "6.1.0",
		.options = "-e cpu-clock,page-faults -o golden.jpb",
		.monotonic = START,
		.realtime = REAL,
	};

	w = writer_new(STDOUT_FILENO, &head);
	if (argc == 2 && !strcmp(argv[1], "golden")) {
		golden();
	} else if (argc == 4) {
		large(strtoull(argv[1], NULL, 10), strtoul(argv[2], NULL, 10),
		      strtoul(argv[3], NULL, 10));
	} else {
		fprintf(stderr, "usage: make_recording golden | SAMPLES "
				"STACKS DEPTH > file\n");
		return 2;
	}
	if (writer_flush(w))
		return 1;
	writer_free(w);
	return 0;
}
