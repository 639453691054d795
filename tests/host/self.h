/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The test's own process as the target: what user space would prepare for it,
 * and samples of it.
 */
#ifndef JPBPF_TESTS_HOST_SELF_H
#define JPBPF_TESTS_HOST_SELF_H

#include <jpbpf/frame.h>
#include <jpbpf/sample.h>

#include "host.h"

struct buf;
struct module;
struct walk;
struct walker;

/* Tables for all that this process maps now; libraries that are loaded later
 * are unknown.  walker: the one that takes part, id its number; NULL: none.
 * Aborts with a message when something cannot be prepared. */
void self_open(const struct walker *walker, u32 id);
void self_close(void);

/* One sample with these registers, in the way that compare_mode says.  Never NULL;
 * the caller owns it. */
struct sample *self_sample(const struct perf_regs *regs);
/* One that is kept while the process is not known yet, and walked in user space.
 * Native frames only; the caller owns it. */
struct sample *self_sample_late(const struct perf_regs *regs);
/* One that is kept as things are, and walked in user space. */
struct sample *self_sample_deferred(const struct perf_regs *regs);
/* One that finds the ring buffer full. */
void self_sample_lost(const struct perf_regs *regs);
/* The same when the sample interrupts a system call. */
struct sample *self_sample_in_kernel(const struct perf_regs *regs);
/* One of a program that has replaced the one that is known here: while it is being
 * started, in the kernel, or when it runs; then it is kept, as the late one. */
struct sample *self_sample_replaced(const struct perf_regs *regs,
				    bool in_kernel);

/* The native word of an instruction's address; 0: in no module. */
u64 self_word(const void *address);
/* First address of the function that a native word lies in; NULL: none. */
const void *self_function(u64 word);
/* The module that has the interpreter, and what is to be added to its vaddrs;
 * NULL: none. */
const struct module *self_interpreter(u64 *bias);
/* What the walker has found out about that module. */
const void *self_interpreter_data(void);

/* The walk in a slot: the first is that of samples here. */
struct walk *self_walk(u32 slot);
/* How often this has been counted since self_open(). */
u64 self_count(enum walk_status status);
/* How often a rule had to be searched for. */
u64 self_misses(void);
/* Everything counted that says that something is missing from a stack. */
u64 self_breaks(void);
/* Forget what earlier samples left in the caches of rules, names and texts. */
void self_forget(void);

/* What else frames are to say: their source line; whether they are lexical callers;
 * what they evaluate; and whether arguments are frames.  At first none of it. */
enum self_wanted {
	SELF_LINES,
	SELF_LEXICAL,
	SELF_PROMISES,
	SELF_EXPR,
	SELF_WANTS
};
void self_want(enum self_wanted what, bool wanted);
/* Another of the settings, a word in config. */
void self_set(const volatile u32 *setting, u32 value);
/* What the walker's word says of the next frame outward, a line, "~" for no lexical
 * caller, or nothing; false: it is a frame. */
bool self_note(const u64 *word, struct buf *out);
/* Name of the walker's frame at word, or false: not to be shown. */
bool self_name(const u64 *word, struct buf *out);

#endif
