/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The Tcl walker against one damaged field at a time: each check that it makes of what it
 * reads finds what it is for, and says which it was.
 *
 * A script calls here(), where the damage is done with Tcl's private headers, a sample
 * taken, and the field put back.
 */
#include "embed_tcl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As Tcl's configure found it on every system of today. */
#define HAVE_UNISTD_H	   1
#define HAVE_SYS_TIME_H	   1
#define TIME_WITH_SYS_TIME 1
#define TCL_THREADS	   1
#include <tclInt.h>
#include <tclCompile.h>

#include "bpf/walk.bpf.h"
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
static Interp *ip; /* the one that is walked */
static void *spare;

/* ---- what a sample counts ------------------------------------------------ */

static const u32 counted[] = { TCL_NO_LAYOUT,  TCL_NO_REGISTER,
			       TCL_BAD_INTERP, TCL_READ,
			       TCL_CHAIN,      TCL_LEVEL,
			       TCL_FRAME,      TCL_LIMIT,
			       TCL_NAME,       TCL_COROUTINE_EDGE };
#define COUNTED (sizeof(counted) / sizeof(*counted))

static u64 before[COUNTED];

static void begin_count(void)
{
	for (size_t i = 0; i < COUNTED; i++)
		before[i] = self_count(counted[i]);
}

/* Only this was counted, once; WALK_ROOT: nothing. */
static void check_count(u32 why)
{
	for (size_t i = 0; i < COUNTED; i++)
		if (self_count(counted[i]) - before[i] != (counted[i] == why))
			fail_msg("status %u was counted %llu times", counted[i],
				 self_count(counted[i]) - before[i]);
}

/* The frames of the sample; those named as they were called end in "?". */
static void check_sample(const struct perf_regs *regs, const char *frames,
			 u32 why)
{
	struct sample *s;
	struct buf got = { 0 }, name = { 0 };

	begin_count();
	s = self_sample(regs);
	check_count(why);
	assert_int_equal(s->status, WALK_ROOT);
	for (u32 i = 0; i < s->words; i += 1 + frame_extra(s->word[i])) {
		const u64 *word = &s->word[i];

		if (frame_kind(*word) != FRAME_WALKER + WALKER_TCL)
			continue;
		buf_reset(&name);
		self_name(word, &name);
		if (!name.len)
			continue;
		buf_addf(&got, "%s%s%s", got.len ? " " : "", buf_text(&name),
			 *word & TCL_AS_TYPED ? "?" : "");
	}
	assert_string_equal(buf_text(&got), frames);
	buf_release(&got);
	buf_release(&name);
	free(s);
}

/* ---- places in Tcl's memory ---------------------------------------------- */

static NRE_callback *chain(void)
{
	return ip->execEnvPtr->callbackPtr;
}

/* The nth activation of bytecode from the innermost outward, of this execEnv. */
static NRE_callback *activation(int n)
{
	for (NRE_callback *c = chain(); c; c = c->nextPtr)
		if ((u64)c->procPtr == file.tebc_start + bias && !n--)
			return c;
	fail_msg("no such activation");
	return NULL;
}

static struct tebc_data *bytecode(int n)
{
	return activation(n)->data[0];
}

static Command *command(const char *name)
{
	Command *c =
		(Command *)Tcl_FindCommand((Tcl_Interp *)ip, name, NULL, 0);

	assert_non_null(c);
	return c;
}

static Proc *proc(const char *name)
{
	return command(name)->objClientData;
}

/* ---- rows ---------------------------------------------------------------- */

/* Where the word is that the damage replaces, and by what. */
typedef u64 *(*place_fn)(u64 *value);

struct row {
	const char *name;
	place_fn place;
	const char *frames; /* leaf first */
	u32 why;
};

static const struct row *row;

/* Another's memory, of the same size and kind. */
static u64 *copy(const void *from, size_t size)
{
	free(spare);
	spare = malloc(size);
	assert_non_null(spare);
	memcpy(spare, from, size);
	return spare;
}

static void damage(const struct perf_regs *regs, const char *unused)
{
	u64 value = 0, *at, kept;

	(void)unused;
	ip = (Interp *)interp;
	at = row->place(&value);
	kept = *at;
	*at = value ? value : kept;
	check_sample(regs, row->frames, row->why);
	*at = kept;
}

static void check_rows(const struct row *rows, size_t n, const char *script)
{
	look = damage;
	for (row = rows; row < rows + n; row++) {
		print_message("# %s\n", row->name);
		looks = 0;
		self_forget();
		run(script);
		assert_int_equal(looks, 1);
	}
}

#define CHECK(rows, script) \
	check_rows(rows, sizeof(rows) / sizeof(*(rows)), script)

static u64 *nothing(u64 *value)
{
	static u64 word;

	(void)value;
	return &word;
}

/* ---- the interpreter ----------------------------------------------------- */

static u64 *stub_table(u64 *value)
{
	*value = (u64)ip->stubTable + 8;
	return (u64 *)&ip->stubTable;
}

static u64 *owner(u64 *value)
{
	*value = (u64)&ip->execEnvPtr;
	return (u64 *)&ip->execEnvPtr->interp;
}

static u64 *environment(u64 *value)
{
	*value = 64;
	return (u64 *)&ip->execEnvPtr;
}

static void test_interp(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "here b a", WALK_ROOT },
		{ "the stubs of another", stub_table, "", TCL_BAD_INTERP },
		{ "another's environment", owner, "", TCL_BAD_INTERP },
		{ "no environment", environment, "", TCL_READ },
	};

	(void)state;
	run("proc a {} b; proc b {} here");
	CHECK(rows, "a");
}

/* ---- chains -------------------------------------------------------------- */

static u64 *other_code(u64 *value)
{
	u64 *at = (u64 *)&bytecode(0)->cmd_frame.data.tebc.codePtr;

	*value = *at + 8;
	return at;
}

static u64 *level(u64 *value)
{
	CmdFrame *f = bytecode(0)->cmd_frame.nextPtr;
	u64 *at = (u64 *)&f->type;

	/* type and level, two ints side by side */
	*value = *at + (1ull << 32);
	return at;
}

static u64 *command_frame(u64 *value)
{
	*value = 64;
	return (u64 *)&bytecode(0)->cmd_frame.nextPtr;
}

static u64 *call_frame(u64 *value)
{
	*value = 64;
	return (u64 *)&bytecode(0)->cmd_frame.framePtr;
}

static u64 *callback(u64 *value)
{
	*value = 64;
	return (u64 *)&activation(0)->nextPtr;
}

/* What the inner evaluator has pushed ends in c; it is called by b. */
static void test_chains(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "here c call b a", WALK_ROOT },
		{ "bytecode of another activation", other_code, "here call b a",
		  TCL_FRAME },
		{ "no level", level, "here c call b a", TCL_LEVEL },
		{ "no call frame", call_frame, "here [tcl frame] call b a",
		  TCL_NAME },
	};

	(void)state;
	run("proc a {} b; proc b {} {call c}; proc c {} here");
	CHECK(rows, "a");
}

/* In the outermost evaluator. */
static void test_outermost(void **state)
{
	static const struct row rows[] = {
		{ "no level", level, "here b", TCL_LEVEL },
		{ "no command frame", command_frame, "here b", TCL_READ },
		{ "no callback", callback, "here b a", WALK_ROOT },
	};

	(void)state;
	run("proc a {} b; proc b {} here");
	CHECK(rows, "a");
}

/* ---- names --------------------------------------------------------------- */

static u64 *proc_command(u64 *value)
{
	*value = (u64)command("::n::q");
	return (u64 *)&proc("::n::p")->cmdPtr;
}

static u64 *client_data(u64 *value)
{
	/* Found by name first: the sample reads it after that. */
	u64 *at = (u64 *)&command("::n::p")->objClientData;

	*value = *at + 8;
	return at;
}

static u64 *entry_value(u64 *value)
{
	u64 *at = (u64 *)&command("::n::p")->hPtr->clientData;

	*value = *at + 8;
	return at;
}

static u64 *deleted(u64 *value)
{
	*value = (u64)copy(command("::n::p")->hPtr, sizeof(Tcl_HashEntry) + 8);
	((Tcl_HashEntry *)*value)->clientData = NULL;
	return (u64 *)&command("::n::p")->hPtr;
}

static u64 *implementation(u64 *value)
{
	u64 *at = (u64 *)&command("::n::look")->objProc;

	*value = *at + 1;
	return at;
}

static u64 *look_data(u64 *value)
{
	u64 *at = (u64 *)&command("::n::look")->objClientData;

	*value = *at + 1;
	return at;
}

static const char named[] =
	"namespace eval ::n {proc p {} look; proc q {} {}}\n"
	"namespace eval ::m {proc q {} {}}\n";

static void make_named(void)
{
	run(named);
	Tcl_CreateObjCommand(interp, "::n::look", here, NULL, NULL);
}

/* What is not certainly the command's name is not given as it. */
static void test_names(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "::n::look ::n::p namespace eval ::n",
		  WALK_ROOT },
		{ "another's command", proc_command,
		  "::n::look p? namespace eval ::n", WALK_ROOT },
		{ "a command of another proc", client_data,
		  "::n::look p? namespace eval ::n", WALK_ROOT },
		{ "an entry of another command", entry_value,
		  "::n::look p? namespace eval ::n", WALK_ROOT },
		{ "a deleted entry", deleted, "::n::look p? namespace eval ::n",
		  WALK_ROOT },
		{ "another implementation", implementation,
		  "look? ::n::p namespace eval ::n", WALK_ROOT },
		{ "another's data", look_data,
		  "look? ::n::p namespace eval ::n", WALK_ROOT },
	};

	(void)state;
	make_named();
	CHECK(rows, "namespace eval ::n p");
}

static u64 *other_space(u64 *value)
{
	*value = (u64)command("::m::q")->nsPtr;
	return (u64 *)&ip->varFramePtr->nsPtr;
}

static u64 *global_space(u64 *value)
{
	*value = (u64)ip->globalNsPtr;
	return (u64 *)&ip->varFramePtr->nsPtr;
}

/* As Tcl does when it looks up the command of an ensemble or an alias. */
static void test_spaces(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "::n::look namespace eval ::n",
		  WALK_ROOT },
		{ "another namespace", other_space,
		  "::n::look namespace eval ::n", WALK_ROOT },
		{ "the global namespace", global_space,
		  "::n::look namespace eval ::n", WALK_ROOT },
	};
	static const struct row global[] = {
		{ "nothing", nothing, "::n::look", WALK_ROOT },
		{ "another namespace", other_space, "::n::look", WALK_ROOT },
	};

	(void)state;
	make_named();
	CHECK(rows, "namespace eval ::n {look; set x 1}");
	CHECK(rows, "namespace eval ::n [list look]");
	CHECK(rows, "namespace inscope ::n [list look]");
	CHECK(rows, "namespace eval ::n [list eval [list look]]");
	CHECK(rows, "namespace eval ::n [list eval {look; set x 1}]");
	CHECK(rows,
	      "namespace eval ::n [list uplevel #0 {::n::look; set x 1}]");
	CHECK(rows, "namespace eval ::n {uplevel #0 {::n::look; set x 1}}");
	CHECK(global, "namespace eval :: {::n::look; set x 1}");
	CHECK(global, "namespace eval :: [list ::n::look]");
}

/* ---- names that are remembered ------------------------------------------- */

static u64 *key(u64 *value)
{
	u64 *at = (u64 *)command("::n::p")->hPtr->key.string;

	memcpy(value, "other", 6);
	return at;
}

static u64 *entry(u64 *value)
{
	Tcl_HashEntry *e;

	*value = (u64)copy(command("::n::p")->hPtr, sizeof(*e) + 8);
	e = (Tcl_HashEntry *)*value;
	memcpy(e->key.string, "moved", 6);
	return (u64 *)&command("::n::p")->hPtr;
}

static u64 *name_space(u64 *value)
{
	*value = (u64)command("::m::q")->nsPtr;
	return (u64 *)&command("::n::p")->nsPtr;
}

static void damage_known(const struct perf_regs *regs, const char *unused)
{
	ip = (Interp *)interp;
	check_sample(regs, "::n::look ::n::p namespace eval ::n", WALK_ROOT);
	damage(regs, unused);
	check_sample(regs, "::n::look ::n::p namespace eval ::n", WALK_ROOT);
}

/* A name that is known holds as long as nothing of it changes. */
static void test_known_names(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "::n::look ::n::p namespace eval ::n",
		  WALK_ROOT },
		{ "another key", key, "::n::look ::n::other namespace eval ::n",
		  WALK_ROOT },
		{ "another entry", entry,
		  "::n::look ::n::moved namespace eval ::n", WALK_ROOT },
		{ "another namespace", name_space,
		  "::n::look ::m::p namespace eval ::n", WALK_ROOT },
		{ "a command of another proc", client_data,
		  "::n::look p? namespace eval ::n", WALK_ROOT },
		{ "an entry of another command", entry_value,
		  "::n::look p? namespace eval ::n", WALK_ROOT },
	};

	(void)state;
	make_named();
	look = damage_known;
	for (row = rows; row < rows + sizeof(rows) / sizeof(*rows); row++) {
		print_message("# %s\n", row->name);
		self_forget();
		run("namespace eval ::n p");
	}
}

/* ---- coroutines ---------------------------------------------------------- */

static CoroutineData *coroutine(void)
{
	return ip->execEnvPtr->corPtr;
}

static u64 *resumer(u64 *value)
{
	*value = (u64)copy(coroutine()->callerEEPtr, sizeof(ExecEnv));
	((ExecEnv *)*value)->interp = (Tcl_Interp *)((u64)interp + 8);
	return (u64 *)&coroutine()->callerEEPtr;
}

static u64 *unreadable_resumer(u64 *value)
{
	*value = 64;
	return (u64 *)&coroutine()->callerEEPtr;
}

static u64 *own_environment(u64 *value)
{
	*value = (u64)copy(coroutine()->eePtr, sizeof(ExecEnv));
	((ExecEnv *)*value)->interp = (Tcl_Interp *)((u64)interp + 8);
	return (u64 *)&coroutine()->eePtr;
}

static u64 *unreadable_environment(u64 *value)
{
	*value = 64;
	return (u64 *)&coroutine()->eePtr;
}

/* As for a moment in yieldto. */
static u64 *resumers_environment(u64 *value)
{
	*value = (u64)coroutine()->callerEEPtr;
	return (u64 *)&ip->execEnvPtr;
}

static u64 *coroutine_command(u64 *value)
{
	*value = (u64)command("::a");
	return (u64 *)&coroutine()->cmdPtr;
}

static void test_coroutines(void **state)
{
	static const struct row rows[] = {
		{ "nothing", nothing, "here b coroutine co a call f",
		  WALK_ROOT },
		{ "another's resumer", resumer, "here b call f",
		  TCL_COROUTINE_EDGE },
		{ "no resumer", unreadable_resumer, "here b call f",
		  TCL_COROUTINE_EDGE },
		{ "another's environment", own_environment, "here b call f",
		  TCL_COROUTINE_EDGE },
		{ "no environment", unreadable_environment, "here b call f",
		  TCL_COROUTINE_EDGE },
		{ "the resumer's environment", resumers_environment,
		  "here b coroutine co a call f", WALK_ROOT },
		{ "another's command", coroutine_command, "here b a call f",
		  WALK_ROOT },
	};

	(void)state;
	run("proc f {} {call a}; proc a {} {coroutine co b}; proc b {} here");
	CHECK(rows, "f");
}

/* ---- the evaluator's code ------------------------------------------------- */

/* The registers as they are at an instruction of the evaluator, before it has done
 * anything; the rest is what here() has. */
static void step_code(const struct perf_regs *regs, const char *unused)
{
	struct perf_regs r = *regs;
	const struct tcl_trampoline *n = &file.trampoline[0];

	(void)unused;
	r.di = r.si = r.dx = r.cx = r.bx = r.bp = 64;
	r.r12 = r.r13 = r.r14 = r.r15 = 64;
	for (u64 at = n->epilogue; at < n->end; at++) {
		struct sample *s;

		begin_count();
		r.ip = bias + at;
		s = self_sample(&r);
		check_count(WALK_ROOT);
		free(s);
	}
	/* Before it, they count. */
	begin_count();
	r.ip = bias + n->epilogue - 1;
	free(self_sample(&r));
	assert_int_not_equal(self_breaks(), 0);
}

static void test_epilogue(void **state)
{
	(void)state;
	look = step_code;
	run("here");
}

static void no_layout(const struct perf_regs *regs, const char *unused)
{
	static const char *const frames = "";
	const struct module *m;
	u32 id = frame_file(self_word((void *)(file.trampoline[0].ret + bias)));
	u64 ignored;

	(void)unused;
	m = self_interpreter(&ignored);
	assert_non_null(m);
	host_map_delete(host_map_named("tcl_files"), &id);
	check_sample(regs, frames, TCL_NO_LAYOUT);
	host_map_update(host_map_named("tcl_files"), &id, &file, BPF_ANY);
	check_sample(regs, "here", WALK_ROOT);
}

static void test_no_layout(void **state)
{
	(void)state;
	look = no_layout;
	run("here");
}

static int start_damage(void **state)
{
	start(state);
	self_interpreter(&bias);
	tcl_walker.file.value(self_interpreter_data(), &file);
	return 0;
}

static int stop_damage(void **state)
{
	free(spare);
	return stop(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_interp, new_interp),
		cmocka_unit_test_setup(test_chains, new_interp),
		cmocka_unit_test_setup(test_outermost, new_interp),
		cmocka_unit_test_setup(test_names, new_interp),
		cmocka_unit_test_setup(test_spaces, new_interp),
		cmocka_unit_test_setup(test_known_names, new_interp),
		cmocka_unit_test_setup(test_coroutines, new_interp),
		cmocka_unit_test_setup(test_epilogue, new_interp),
		cmocka_unit_test_setup(test_no_layout, new_interp),
	};

	return cmocka_run_group_tests(tests, start_damage, stop_damage);
}
