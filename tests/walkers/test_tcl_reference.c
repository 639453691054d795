/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The Tcl walker against a reference, segment by segment.
 *
 * The reference shares nothing with the walker but the places of the evaluator's
 * three values (struct tcl_trampoline): it takes the registers from the
 * compiler's own unwinder, the structures from Tcl's private headers, and goes
 * along the callbacks one by one, where the walker takes a shorter way.
 *
 * Both are written as one line, leaf first: "[N]" is a native frame of the
 * evaluator, before it stand the frames of its segment.
 */
#include "embed_tcl.h"

#include <stdlib.h>
#include <string.h>
#include <unwind.h>

/* As Tcl's configure found it on every system of today. */
#define HAVE_UNISTD_H	   1
#define HAVE_SYS_TIME_H	   1
#define TIME_WITH_SYS_TIME 1
#define TCL_THREADS	   1
#include <tclInt.h>
#include <tclCompile.h>
#include <tclOOInt.h>

#include "user/lib/buf.h"

/* generic/tclExecute.c, core-8-6-13. */
struct tebc_data {
	ByteCode *code;
	ptrdiff_t *catch_top;
	Tcl_Obj *aux;
	CmdFrame cmd_frame;
};

static struct tcl_file file;
static u64 bias;

struct reference {
	struct buf *out;
	CallFrame *last; /* written last in this segment */
	u32 evaluators, hops;
};

static u32 evaluators, hops; /* seen in all */

static void add(struct buf *out, const char *text)
{
	buf_addf(out, "%s ", text);
}

/* ---- the reference ------------------------------------------------------ */

static void add_command(struct reference *r, Tcl_Interp *i, Tcl_Command c)
{
	Tcl_Obj *name = Tcl_NewObj();

	Tcl_IncrRefCount(name);
	Tcl_GetCommandFullName(i, c, name);
	add(r->out, Tcl_GetString(name));
	Tcl_DecrRefCount(name);
}

static void add_method(struct reference *r, Tcl_Interp *i, CallFrame *frame)
{
	CallContext *c = frame->clientData;

	for (int n = 0; n < c->callPtr->numChain; n++) {
		Method *m = c->callPtr->chain[n].mPtr;
		Object *o = m->declaringObjectPtr;
		ProcedureMethod *p = m->clientData;

		if (p->procPtr != frame->procPtr)
			continue;
		if (m->declaringClassPtr)
			o = m->declaringClassPtr->thisPtr;
		buf_adds(r->out, "method ");
		add_command(r, i, o->command);
		return;
	}
	add(r->out, "method ?");
}

static void add_frame(struct reference *r, Tcl_Interp *i, CallFrame *frame)
{
	if (frame == r->last)
		return;
	r->last = frame;
	if (!(frame->isProcCallFrame & FRAME_IS_PROC))
		return;
	if (frame->isProcCallFrame & FRAME_IS_LAMBDA)
		add(r->out, "lambda");
	else if (frame->isProcCallFrame & FRAME_IS_METHOD)
		add_method(r, i, frame);
	else
		add_command(r, i, (Tcl_Command)frame->procPtr->cmdPtr);
}

/* A bytecode activation; checked as strongly as can be. */
static void add_bytecode(struct reference *r, Tcl_Interp *i, NRE_callback *c)
{
	struct tebc_data *t = c->data[0];

	assert_ptr_equal(t->code, t->cmd_frame.data.tebc.codePtr);
	assert_ptr_equal(*t->code->interpHandle, i);
	add_frame(r, i, t->cmd_frame.framePtr);
}

static bool is_tebc(const NRE_callback *c)
{
	return (u64)c->procPtr == file.tebc_start + bias;
}

/* Does the chain that ended with this callback belong to a coroutine? */
static CoroutineData *coroutine_of(Tcl_Interp *i, const NRE_callback *last)
{
	ExecEnv *main_env = ((Interp *)i)->execEnvPtr;
	CoroutineData *c;

	/* From the current environment outward all that are resumed are known. */
	for (c = main_env->corPtr; c; c = c->callerEEPtr->corPtr)
		if (last && last->data[0] == c)
			return c;
	return NULL;
}

/* tcl.md's algorithm A1 for one native frame of the evaluator. */
static void add_segment(struct reference *r, Tcl_Interp *i, NRE_callback *root,
			NRE_callback *running)
{
	NRE_callback *at = running->nextPtr, *last = running;
	CoroutineData *c;

	r->last = NULL;
	if (is_tebc(running))
		add_bytecode(r, i, running);
	else if ((u64)running->procPtr == file.dispatch + bias)
		buf_addf(r->out, "command %llx ", self_word(running->data[0]));
	for (;;) {
		if (!at) {
			c = coroutine_of(i, last);
			if (!c)
				break;
			buf_adds(r->out, "coroutine ");
			add_command(r, i, (Tcl_Command)c->cmdPtr);
			at = c->callerEEPtr->callbackPtr;
			last = NULL;
			r->hops++;
			continue;
		}
		if (at == root)
			break;
		if (is_tebc(at))
			add_bytecode(r, i, at);
		last = at;
		at = at->nextPtr;
	}
	assert_ptr_equal(at, root);
}

static u64 value_of(struct _Unwind_Context *context, const struct tcl_role *r)
{
	/* Slots occur only where the compiler has inlined the loop. */
	assert_int_equal(r->kind, TCL_ROLE_REG);
	return _Unwind_GetGR(context, r->reg);
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
	struct reference *r = data;

	for (u32 n = 0; n < file.trampolines; n++) {
		const struct tcl_trampoline *t = &file.trampoline[n];

		if (_Unwind_GetIP(context) != t->ret + bias)
			continue;
		add_segment(r, (void *)value_of(context, &t->interp),
			    (void *)value_of(context, &t->root),
			    (void *)value_of(context, &t->callback));
		add(r->out, "[N]");
		r->evaluators++;
	}
	return _URC_NO_REASON;
}

/* ---- the walker ---------------------------------------------------------- */

static bool is_evaluator(u64 word)
{
	for (u32 n = 0; n < file.trampolines; n++)
		if (word ==
		    self_word((void *)(file.trampoline[n].ret + bias - 1)))
			return true;
	return false;
}

static void add_qualified(const u64 *word, struct buf *out)
{
	const char *ns = host_record_text(word[1]);

	assert_non_null(ns);
	assert_non_null(host_record_text(word[2]));
	buf_addf(out, "%s%s%s ", ns, strcmp(ns, "::") ? "::" : "",
		 host_record_text(word[2]));
}

static void add_word(const u64 *word, struct buf *out)
{
	if (frame_kind(word[0]) != FRAME_WALKER + WALKER_TCL) {
		if (is_evaluator(word[0]))
			add(out, "[N]");
		return;
	}
	switch (frame_sub(word[0])) {
	case TCL_LAMBDA:
		add(out, "lambda");
		break;
	case TCL_COMMAND:
		buf_addf(out, "command %llx ", word[3]);
		break;
	case TCL_METHOD:
		buf_adds(out, "method ");
		add_qualified(word, out);
		break;
	case TCL_COROUTINE:
		buf_adds(out, "coroutine ");
		add_qualified(word, out);
		break;
	case TCL_PROC:
		add_qualified(word, out);
	}
}

static void compare(const struct perf_regs *regs, const char *unused)
{
	struct buf want_line = { 0 }, got = { 0 };
	struct reference r = { .out = &want_line };
	u64 breaks = self_breaks();
	struct sample *s;

	(void)unused;
	s = self_sample(regs);
	_Unwind_Backtrace(visit, &r);
	for (u32 i = 0; i < s->words; i += 1 + frame_extra(s->word[i]))
		add_word(&s->word[i], &got);
	assert_int_equal(s->status, WALK_ROOT);
	assert_int_equal(self_breaks(), breaks);
	assert_string_equal(buf_text(&got), buf_text(&want_line));
	evaluators += r.evaluators;
	hops += r.hops;
	buf_release(&want_line);
	buf_release(&got);
	free(s);
}

/* ---- programs ------------------------------------------------------------ */

/* What a walk may meet, in an order that only a seed knows.  No name is deleted
 * while it runs. */
static const char program[] =
	"proc pick list {\n"
	"  set ::seed [expr {($::seed * 1103515245 + 12345) & 0x7fffffff}]\n"
	"  lindex $list [expr {($::seed >> 8) % [llength $list]}]\n"
	"}\n"
	"namespace eval ::n::m {\n"
	"  proc go n {::go $n}\n"
	"  namespace export go; namespace ensemble create\n"
	"}\n"
	"oo::class create Base {\n"
	"  method go n {::go $n}\n"
	"  method self n {my go $n}\n"
	"}\n"
	"oo::class create Derived {\n"
	"  superclass Base\n"
	"  method go n {next $n}\n"
	"}\n"
	"Derived create obj\n"
	"interp create k\n"
	"interp alias k go {} go\n"
	"k eval {proc kgo n {eval {go $n}}}\n"
	"proc cmp {a b} {::go $::left; return 0}\n"
	"proc traced args {::go $::left}\n"
	"proc gen n {yield; ::go $n}\n"
	"proc twice n {set v 1; yield; go $n; yield; go $n}\n"
	"set ways {plain eval uplevel lambda ens oo self child lsort trace co\n"
	"  co2 call time catch after deep}\n"
	"proc go n {\n"
	"  set ::left [expr {$n - 1}]\n"
	"  if {$n <= 0} {here; return}\n"
	"  set m $::left\n"
	"  switch [pick $::ways] {\n"
	"    plain {go $m}\n"
	"    eval {eval [list go $m]}\n"
	"    uplevel {uplevel 1 [list ::go $m]}\n"
	"    lambda {apply {{a b} {go $a}} $m x}\n"
	"    ens {n::m go $m}\n"
	"    oo {obj go $m}\n"
	"    self {obj self $m}\n"
	"    child {k eval [list kgo $m]}\n"
	"    lsort {lsort -command cmp {1 2}}\n"
	"    trace {trace add variable t write traced; set t 1}\n"
	"    co {set c [coroutine ::c[incr ::co] gen $m]; ::c$::co}\n"
	"    co2 {set c c[incr ::co]; coroutine ::$c twice $m; $c\n"
	"      set ::left $m; $c}\n"
	"    call {call [list go $m]}\n"
	"    time {time [list go $m]}\n"
	"    catch {catch {foreach x 1 {subst {[go $m]}}} e o\n"
	"      if {[dict get $o -code] == 1} {error $e}}\n"
	"    after {after 0 [list ::go $m]; after 0 {set ::done 1}\n"
	"      vwait ::done}\n"
	"    deep {go1 $m 30}\n"
	"  }\n"
	"}\n"
	"proc go1 {n d} {if {$d} {go1 $n [incr d -1]} else {go $n}}\n"
	"set co 0\n";

static void test_reference(void **state)
{
	char line[64];

	(void)state;
	self_interpreter(&bias);
	tcl_walker.file.value(self_interpreter_data(), &file);
	look = compare;
	run(program);
	for (int seed = 1; seed <= 1500; seed++) {
		snprintf(line, sizeof(line), "set seed %d; go %d", seed,
			 seed % 12);
		run(line);
	}
	/* The programs did what they are for. */
	assert_true(looks > 1500);
	assert_true(evaluators > 3 * looks);
	assert_true(hops > looks / 4);
	print_message("# %u samples, %u evaluators, %u coroutines\n", looks,
		      evaluators, hops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_reference, new_interp),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
