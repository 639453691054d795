/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Chains of contexts that are made by hand, for the R walker.
 *
 * What the walker is told of this process is replaced by variables of the test: where
 * the chain begins and ends and where the node stack lies.  The functions and calls are
 * R's own.  A chain lies in the frame of outer(), which calls inner(), where the sample
 * is taken; so its frames are expected between the two.
 */
#ifndef JPBPF_TESTS_WALKERS_R_CHAIN_H
#define JPBPF_TESTS_WALKERS_R_CHAIN_H

#include "embed_r.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "bpf/walk.bpf.h"
#include "walkers/r/kernel/r.bpf.h"

#define WORDS (R_CONTEXT_READ / 8 + 21) /* of a context */
#define LIMIT R_MAX_CONTEXTS
#define STRIDE \
	48u /* bytes between contexts of the node stack that may overlap */
#define APART 12u /* strides between those that do not */
#define CALLS 3

typedef u64 context[WORDS];

static struct r_process *told; /* the walker, of this process */
static u64 first, toplevel[WORDS], node_end;
static SEXP function[CALLS], call[CALLS];
static _Alignas(16) u8 nodes[(LIMIT + 8) * STRIDE + sizeof(context)];
static struct buf line;
static u32 ended;

/* ---- the place ---------------------------------------------------------- */

static context *room; /* in outer()'s frame */
static u64 cfa, sp;   /* the CFA of inner(), the stack pointer of the sample */

/* Makes the chain. */
typedef void (*make_fn)(void);

static SEXP outer(make_fn make);
static void inner(make_fn make);

static const struct script_native shown[] = {
	{ outer, "[outer]" },
	{ inner, "[inner]" },
	{ NULL, NULL },
};

static NOINLINE void inner(make_fn make)
{
	struct perf_regs regs;
	struct sample *s;

	host_here(&regs);
	cfa = (u64)__builtin_dwarf_cfa();
	sp = regs.sp;
	make();
	s = self_sample(&regs);
	ended = s->status;
	buf_reset(&line);
	script_line(s, shown, &line);
	free(s);
}

static NOINLINE SEXP outer(make_fn make)
{
	context contexts[8];

	memset(contexts, 0, sizeof(contexts));
	room = contexts;
	inner(make);
	__asm__ volatile("" : : "r"(contexts) : "memory");
	return R_NilValue;
}

/* ---- contexts ----------------------------------------------------------- */

static void put(u64 *c, s16 offset, u64 value)
{
	memcpy((u8 *)c + offset, &value, sizeof(value));
}

static inline u64 *bare(u64 *c, const u64 *next, u64 flags)
{
	const struct r_layout *l = &told->layout;

	put(c, l->next, (u64)next);
	put(c, l->flags, flags);
	put(c, l->srcref, told->nil);
	return c;
}

/* Context c is that of the call of the nth function. */
static u64 *frame(u64 *c, u32 n, const u64 *next)
{
	const struct r_layout *l = &told->layout;

	bare(c, next, R_CTXT_FUNCTION);
	put(c, l->callfun, (u64)function[n]);
	put(c, l->call, (u64)call[n]);
	put(c, l->cloenv, told->global_env);
	put(c, l->sysparent, told->global_env);
	return c;
}

/* From the bottom of the node stack. */
static u64 *node(u32 n)
{
	return (u64 *)(nodes + n * STRIDE);
}

/* The nth of them that does not overlap, with the nth function.  Its key is bcpc. */
static inline u64 *node_frame(u32 n, u64 key, const u64 *next)
{
	u64 *c = frame(node(n * APART), n, next);

	put(c, told->layout.bcpc, key);
	return c;
}

static void begin(const u64 *c)
{
	first = (u64)c;
}

/* ---- what is expected --------------------------------------------------- */

static const u32 counted[] = { R_READ,	R_ORDER,     R_UNPLACED,
			       R_LIMIT, R_NAME,	     R_OTHER_THREAD,
			       R_JUMP,	R_NOT_READY, R_NO_LINE };
#define COUNTED (sizeof(counted) / sizeof(*counted))

/* The frames from outer() inward are these, and of what is counted of R only this is,
 * once; WALK_ROOT: nothing. */
static inline void check(make_fn make, const char *frames, u32 why)
{
	u64 before[COUNTED];
	const char *got;

	self_forget();
	for (size_t i = 0; i < COUNTED; i++)
		before[i] = self_count(counted[i]);
	outer(make);
	assert_int_equal(ended, WALK_ROOT);
	got = strstr(buf_text(&line), "[outer]");
	assert_non_null(got);
	assert_string_equal(got, frames);
	assert_ptr_equal(got, buf_text(&line));
	for (size_t i = 0; i < COUNTED; i++)
		if (self_count(counted[i]) - before[i] != (counted[i] == why))
			fail_msg("status %u was counted %llu times", counted[i],
				 self_count(counted[i]) - before[i]);
}

/* ---- all of it ---------------------------------------------------------- */

static int open_chain(void **state)
{
	u32 pid = getpid();

	open_self(state);
	told = host_map_lookup(host_map_named("r_processes"), &pid);
	told->global_context = (u64)&first;
	told->toplevel = (u64)toplevel;
	told->node_stack_end = (u64)&node_end;
	told->layout.node_stack = sizeof(nodes) / told->layout.bcstack_cell;
	node_end = (u64)nodes + sizeof(nodes);
	return 0;
}

static void make_functions(void)
{
	char text[64];

	for (int i = 0; i < CALLS; i++) {
		snprintf(text, sizeof(text), "%c <- function() %d", 'a' + i, i);
		run(text);
		call[i] = Rf_lang1(Rf_install((char[]){ 'a' + i, 0 }));
		R_PreserveObject(call[i]);
		function[i] = Rf_findFun(CAR(call[i]), R_GlobalEnv);
		R_PreserveObject(function[i]);
	}
}

#endif
