/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The Tcl walker against Tcl itself, in one process.
 *
 * A script calls the command here, which takes the registers and walks.  What
 * must come out stands beside the script; and where Tcl can say it itself, the
 * procs must be those that `info frame` tells.
 */
#include "embed_tcl.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "user/lib/buf.h"

/* ---- what every construct looks like ------------------------------------ */

static void check_line(const struct perf_regs *regs, const char *line)
{
	u64 breaks = self_breaks();
	struct sample *s = self_sample(regs);
	struct buf got = { 0 };

	assert_int_equal(s->status, WALK_ROOT);
	script_line(s, natives, &got);
	assert_string_equal(buf_text(&got), line);
	assert_int_equal(self_breaks(), breaks);
	buf_release(&got);
	free(s);
}

struct construct {
	const char *define, *call, *want;
	unsigned looks;
};

static void check_constructs(const struct construct *c, size_t n)
{
	for (; n--; c++) {
		look = check_line;
		want = c->want;
		looks = 0;
		run(c->define);
		/* The second time everything is compiled. */
		run(c->call);
		run(c->call);
		assert_int_equal(looks, 2 * c->looks);
	}
}

#define CHECK(table) check_constructs(table, sizeof(table) / sizeof(*(table)))

static const struct construct procs[] = {
	{ "", "here", "here [here]", 1 },
	{ "proc f {} here; proc g {} f", "g", "g f here [here]", 1 },
	{ "proc f {} {here; set x 1}; proc g {} {f; f}", "g", "g f here [here]",
	  2 },
};

static const struct construct names[] = {
	{ "namespace eval a::b {proc p {} here}", "a::b::p",
	  "::a::b::p here [here]", 1 },
	{ "namespace eval a {proc q {} here}; namespace eval a {rename q r}",
	  "a::r; rename a::r a::q; namespace eval a {rename q r}",
	  "::a::r here [here]", 1 },
	{ "namespace eval e {proc sub {} here; namespace export sub; "
	  "namespace ensemble create}",
	  "e sub", "::e::sub here [here]", 1 },
	{ "namespace eval n {proc i {} here; namespace export i}; "
	  "namespace eval m {namespace import -force ::n::i}",
	  "m::i", "::n::i here [here]", 1 },
	{ "proc g {} here; interp alias {} al {} g", "al", "g here [here]", 1 },
	{ "", "proc f {} {rename f {}; here}; f", "f here [here]", 1 },
	{ "", "proc f {} {proc f {} {}; here}; f", "f here [here]", 1 },
	{ "proc f {} {namespace eval ::q {here}}", "f",
	  "f namespace eval ::q here [here]", 1 },
	{ "proc f {} {namespace eval ::q here}", "f",
	  "f namespace eval ::q here [here]", 1 },
	{ "proc f {} {namespace eval ::q [list here]}", "f",
	  "f namespace eval ::q here [here]", 1 },
	/* What was known of a name must not outlive it. */
	{ "proc h2 want {here $want}",
	  "h2 {h2 here [here]}; rename h2 k2; k2 {k2 here [here]}; "
	  "namespace eval a {}; rename k2 a::l2; "
	  "a::l2 {::a::l2 here [here]}; rename a::l2 h2; "
	  "h2 {h2 here [here]}",
	  "", 4 },
	{ "",
	  "namespace eval z {proc f {w1 w2} {here $w1; "
	  "rename f {}; here $w2}}; "
	  "z::f {::z::f here [here]} {z::f here [here]}",
	  "", 2 },
	{ "proc unknown args here", "nothing at all", "unknown here [here]",
	  1 },
};

static const struct construct control[] = {
	{ "proc f {} {apply {{x y} here} 1 2}", "f",
	  "f apply {x y} here [here]", 1 },
	{ "proc f {} {apply {{} {here}}}", "f", "f apply {} here [here]", 1 },
	{ "proc f {} {uplevel 1 here}; proc g {} f", "g", "g f here [here]",
	  1 },
	{ "proc f {} {uplevel 1 h}; proc g {} f; proc h {} here", "g",
	  "g f h here [here]", 1 },
	{ "proc f {} {uplevel #0 {set x 1; here}}; proc g {} f", "g",
	  "g f here [here]", 1 },
	{ "proc f {} {catch here}", "f", "f here [here]", 1 },
	{ "proc f {} {try {here} finally {here}}", "f", "f here [here]", 2 },
	{ "proc f {} {eval {here}; eval [list here]; eval here}", "f",
	  "f here [here]", 3 },
	{ "proc f {} {foreach i {1 2} {if 1 here}; switch a {a here}}", "f",
	  "f here [here]", 3 },
	{ "proc f {} {subst {[here] $::tcl_version}}", "f", "f here [here]",
	  1 },
	{ "proc f {} {expr {[here] eq {}}; set e {[here] eq {}}; expr $e}", "f",
	  "f here [here]", 2 },
	{ "proc f {} {dict for {k v} {a 1} here; lmap i {1} here}", "f",
	  "f here [here]", 2 },
	{ "proc f {} {tailcall g}; proc g {} here; proc h {} f", "h",
	  "h g here [here]", 1 },
	{ "proc f args {g {*}$args}; proc g args here", "f 1 2 3",
	  "f g here [here]", 1 },
};

static void test_procs(void **state)
{
	(void)state;
	CHECK(procs);
}

static void test_names(void **state)
{
	(void)state;
	CHECK(names);
}

static void test_control(void **state)
{
	(void)state;
	CHECK(control);
}

/* C code that evaluates: a new segment of the callbacks. */
static const struct construct through_c[] = {
	{ "proc f {} {call g}; proc g {} here", "f",
	  "f call [call] g here [here]", 1 },
	{ "proc f {} {call {call g}}; proc g {} {call h}; proc h {} here", "f",
	  "f call [call] call [call] g call [call] h here [here]", 1 },
	{ "proc f {} {call here}", "f", "f call [call] here [here]", 1 },
	{ "proc f {} {call {set x 1; here}}", "f", "f call [call] here [here]",
	  1 },
	{ "proc c {a b} {here; string compare $a $b}; "
	  "proc f {} {lsort -command c {b a}}",
	  "f", "f lsort c here [here]", 1 },
	{ "proc c {a b} {here; return 0}; "
	  "proc d {a b} {lsort -command c {x y}; return 0}; "
	  "proc f {} {lsort -command d {b a}}",
	  "f", "f lsort d lsort c here [here]", 1 },
	{ "proc t args here; proc f {} {trace add variable v write t; "
	  "set v 1}",
	  "f", "f t here [here]", 1 },
	{ "proc f {} {time here; time {here}}", "f", "f time here [here]", 2 },
	{ "proc f {} {after 0 {set ::v 1; here}; vwait ::v}", "f",
	  "f vwait here [here]", 1 },
	{ "proc e {} here; proc f {} {after 0 {set ::v 1; e}; vwait ::v}; "
	  "proc g {} {call f}",
	  "g", "g call [call] f vwait e here [here]", 1 },
	/* One command, however often the evaluator runs for it. */
	{ "proc f {} {steps g}; proc g {} here", "f",
	  "f steps [steps] [call] g here [here]", 1 },
	{ "proc f {} {steps {steps here}}", "f",
	  "f steps [steps] [call] steps [steps] [call] here [here]", 1 },
	{ "proc p {} {return 1}; proc t args here; "
	  "proc f {} {trace add execution p enter t; p; "
	  "trace remove execution p enter t}",
	  "f", "f t here [here]", 1 },
};

static void test_through_c(void **state)
{
	(void)state;
	CHECK(through_c);
}

static const struct construct children[] = {
	{ "interp create k; interp alias k up {} here; k eval {proc p {} up}; "
	  "proc f {} {k eval p}",
	  "f", "f k p up here [here]", 1 },
	{ "interp create l; interp alias l up {} upper; proc upper {} {here}; "
	  "l eval {proc p {} {q}; proc q {} up}; "
	  "proc g {} {l eval {set x 1; p}}",
	  "g", "g l p q up upper here [here]", 1 },
	{ "interp create {l m}; interp alias {l m} up l up; "
	  "interp eval {l m} {proc r {} up}; "
	  "proc h {} {interp eval {l m} r}",
	  "h", "h interp r up up upper here [here]", 1 },
};

static void test_children(void **state)
{
	(void)state;
	CHECK(children);
}

static const struct construct objects[] = {
	{ "oo::class create C {method m {} {my n}; method n {} here}; "
	  "C create o; proc f {} {o m}",
	  "f", "f C m C n here [here]", 1 },
	{ "oo::class create D {superclass C; method m {} {next}}; "
	  "D create d; proc f {} {d m}",
	  "f", "f D m C m C n here [here]", 1 },
	{ "oo::class create E {constructor {} here}; proc f {} {E new}", "f",
	  "f E constructor here [here]", 1 },
	{ "oo::class create F {destructor here}; "
	  "proc f {} {set o [F new]; $o destroy}",
	  "f", "f F destructor here [here]", 1 },
	{ "oo::objdefine o {method own {} here}; proc f {} {o own}", "f",
	  "f o own here [here]", 1 },
	{ "namespace eval ns {oo::class create G {method m {} here}; "
	  "G create g}; proc f {} {ns::g m}",
	  "f", "f ::ns::G m here [here]", 1 },
	{ "oo::class create J; J create j; "
	  "proc f {} {oo::define J {method m {} {"
	  "oo::define J {method m {} {set x 1}}; here}}; j m}",
	  "f", "f J m here [here]", 1 },
	{ "oo::class create H {filter w; method w args {next {*}$args}; "
	  "method m {} here}; H create ho; proc f {} {ho m}",
	  "f", "f H w H m here [here]", 1 },
};

static void test_objects(void **state)
{
	(void)state;
	CHECK(objects);
}

static const struct construct coroutines[] = {
	{ "proc c {} {yield; here}; proc f {} {coroutine co c; co}", "f",
	  "f coroutine co c here [here]", 1 },
	{ "proc c {} {here}; proc f {} {coroutine co c}", "f",
	  "f coroutine co c here [here]", 1 },
	{ "proc d {} {yield; here}; proc c {} {coroutine in d; yield; in}; "
	  "proc f {} {coroutine out c; g}; proc g {} out",
	  "f", "f g coroutine out c coroutine in d here [here]", 1 },
	{ "proc d {} {yield; call here}; proc f {} {coroutine co d; call co}",
	  "f", "f call [call] coroutine co d call [call] here [here]", 1 },
	{ "proc k {a b} {here; return 0}; proc d {} {yield; s}; "
	  "proc s {} {lsort -command k {1 2}}; "
	  "proc f {} {coroutine ::n::co d; ::n::co}; namespace eval n {}",
	  "f", "f coroutine ::n::co d s lsort k here [here]", 1 },
	{ "proc b {} {yield; here}; proc a {} {yield; yieldto b2}; "
	  "proc f {} {coroutine b2 b; coroutine a2 a; a2; catch {rename a2 {}}}",
	  "f", "f coroutine b2 b here [here]", 1 },
};

static void test_coroutines(void **state)
{
	(void)state;
	CHECK(coroutines);
}

/* ---- Tcl's own account --------------------------------------------------- */

/* A word of `info frame N`, "" when it is not there. */
static const char *told(Tcl_Obj *dict, const char *key)
{
	Tcl_Obj *name = Tcl_NewStringObj(key, -1), *value = NULL;

	Tcl_IncrRefCount(name);
	assert_int_equal(Tcl_DictObjGet(interp, dict, name, &value), TCL_OK);
	Tcl_DecrRefCount(name);
	return value ? Tcl_GetString(value) : "";
}

/* The procs that `info frame` tells, outermost first.  A proc has more than one
 * frame there (eval, our own question): they have one level. */
static void tell_procs(struct buf *out)
{
	struct buf last = { 0 }, now = { 0 };
	char question[64];

	for (int n = 1;; n++) {
		snprintf(question, sizeof(question), "info frame %d", n);
		if (Tcl_Eval(interp, question) != TCL_OK)
			break;
		buf_reset(&now);
		buf_addf(&now, "%s %s", told(Tcl_GetObjResult(interp), "proc"),
			 told(Tcl_GetObjResult(interp), "level"));
		if (*buf_text(&now) != ' ' &&
		    strcmp(buf_text(&now), buf_text(&last)))
			buf_addf(out, "%s ",
				 told(Tcl_GetObjResult(interp), "proc"));
		buf_reset(&last);
		buf_adds(&last, buf_text(&now));
	}
	Tcl_ResetResult(interp);
	buf_release(&last);
	buf_release(&now);
}

/* A proc's name as `info frame` writes it. */
static void add_proc(const u64 *word, struct buf *out)
{
	struct buf name = { 0 };

	self_name(word, &name);
	if (name.len && strncmp(buf_text(&name), "::", 2))
		buf_adds(out, "::");
	if (name.len)
		buf_addf(out, "%s ", buf_text(&name));
	buf_release(&name);
}

static void walk_procs(const struct sample *s, struct buf *out)
{
	u32 *start = calloc(s->words, sizeof(*start)), n = 0;

	for (u32 i = 0; i < s->words; i += 1 + frame_extra(s->word[i]))
		if (frame_kind(s->word[i]) == FRAME_WALKER + WALKER_TCL &&
		    frame_sub(s->word[i]) == TCL_PROC)
			start[n++] = i;
	while (n--)
		add_proc(&s->word[start[n]], out);
	free(start);
}

static void check_account(const struct perf_regs *regs, const char *unused)
{
	struct buf tcl = { 0 }, got = { 0 };
	u64 breaks = self_breaks();
	struct sample *s;

	(void)unused;
	tell_procs(&tcl);
	s = self_sample(regs);
	walk_procs(s, &got);
	assert_int_equal(s->status, WALK_ROOT);
	assert_int_equal(self_breaks(), breaks);
	assert_string_equal(buf_text(&got), buf_text(&tcl));
	assert_true(got.len > 0);
	buf_release(&tcl);
	buf_release(&got);
	free(s);
}

static void test_account(void **state)
{
	(void)state;
	look = check_account;
	looks = 0;
	run("proc r n {if {$n} {r [expr {$n - 1}]} else here}\n"
	    "namespace eval x {\n"
	    "  proc s n {if {$n} {t $n} else here}\n"
	    "  proc t n {eval {s [expr {$n - 1}]}}\n"
	    "  proc u n {lsort -command {apply {{a b} {::x::v; return 0}}} {1 2}}\n"
	    "  proc v {} {call {::x::s 3}; catch {foreach i {1 2} here}}\n"
	    "}");
	for (int i = 0; i < 2; i++)
		run("r 0; r 1; r 900; x::s 200; x::u 1; call {x::u 1}; "
		    "time {r 5}");
	assert_int_equal(looks, 2 * 11);
}

/* ---- texts that do not get through ---------------------------------------- */

static void lose_first(const struct perf_regs *regs, const char *line)
{
	self_sample_lost(regs);
	check_line(regs, line);
}

static void test_full_ring(void **state)
{
	(void)state;
	look = lose_first;
	looks = 0;
	run("oo::class create Full {method lost {} {here {fullring Full lost "
	    "here [here]}}}");
	run("proc fullring {} {[Full new] lost}; fullring");
	run("namespace eval ::ring {proc full {} {here {namespace eval ::ring "
	    "::ring::full here [here]}}; full}");
	assert_int_equal(looks, 2);
}

/* ---- the same, memory read in every way ------------------------------------ */

static int start_warm(void **state)
{
	compare_mode = COMPARE_WARM;
	return start(state);
}

static int start_cold(void **state)
{
	compare_mode = COMPARE_COLD;
	return start(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_procs, new_interp),
		cmocka_unit_test_setup(test_names, new_interp),
		cmocka_unit_test_setup(test_control, new_interp),
		cmocka_unit_test_setup(test_through_c, new_interp),
		cmocka_unit_test_setup(test_children, new_interp),
		cmocka_unit_test_setup(test_objects, new_interp),
		cmocka_unit_test_setup(test_coroutines, new_interp),
		cmocka_unit_test_setup(test_account, new_interp),
		cmocka_unit_test_setup(test_full_ring, new_interp),
	};

	return cmocka_run_group_tests_name("helper", tests, start, stop) +
	       cmocka_run_group_tests_name("direct", tests, start_warm, stop) +
	       cmocka_run_group_tests_name("direct, cold", tests, start_cold,
					   stop);
}
