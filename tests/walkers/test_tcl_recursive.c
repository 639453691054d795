/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The walk of a Tcl that recurses in C, without such a Tcl: functions written down
 * here stand for its engine and its call of commands, keep what those keep, and call
 * each other in the order of a scene; the structures that they lead to are laid out
 * as 8.5.19 has them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "self.h"
#include "user/lib/buf.h"
#include "user/elf/module.h"
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/walker.h"

#define PROC_CODE 0x10001
#define C_CODE	  0x10002
#define ENSEMBLE  0x10003
#define IMPORT	  0x10004
#define TOKEN	  0x10008 /* its data have its Command, as an import's */

extern const struct walker tcl_walker;
extern const char __executable_start[];

/* The engine has its CmdFrame in rbx from engine_on to engine_off; the call has
 * Command, interp and words in rbx, r12 and r13. */
void engine(u64 cmd_frame, void (*next)(size_t), size_t step);
void command(u64 command, u64 interp, u64 objv, void (*next)(size_t),
	     size_t step);
extern const char engine_on[], engine_off[], command_on[], command_off[];

__asm__(".text\n"
	".type engine, @function\n"
	"engine:\n"
	"	.cfi_startproc\n"
	"	push	%rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 3, -16\n"
	"	mov	%rdi, %rbx\n"
	"engine_on:\n"
	"	mov	%rdx, %rdi\n"
	"	call	*%rsi\n"
	"engine_off:\n"
	"	pop	%rbx\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size	engine, . - engine\n"
	".type command, @function\n"
	"command:\n"
	"	.cfi_startproc\n"
	"	push	%rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 3, -16\n"
	"	push	%r12\n"
	"	.cfi_def_cfa_offset 24\n"
	"	.cfi_offset 12, -24\n"
	"	push	%r13\n"
	"	.cfi_def_cfa_offset 32\n"
	"	.cfi_offset 13, -32\n"
	"	mov	%rdi, %rbx\n"
	"	mov	%rsi, %r12\n"
	"	mov	%rdx, %r13\n"
	"	mov	%r8, %rdi\n"
	"command_on:\n"
	"	call	*%rcx\n"
	"command_off:\n"
	"	pop	%r13\n"
	"	.cfi_def_cfa_offset 24\n"
	"	pop	%r12\n"
	"	.cfi_def_cfa_offset 16\n"
	"	pop	%rbx\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size	command, . - command\n");

/* ---- what user space would have found ----------------------------------- */

static const struct tcl_layout *layout(void)
{
	return &tcl_layouts_find(0x080519)->layout;
}

static u64 vaddr(const void *address)
{
	return (u64)address - (u64)__executable_start;
}

static int probe(const struct module *m, void **data, struct buf *why)
{
	static int found;

	(void)why;
	*data = &found;
	return strstr(m->path, "test_tcl_recursive") != NULL;
}

static void forget(void *data)
{
	(void)data;
}

static size_t marks(const void *data, struct walker_mark *mark, size_t max)
{
	(void)data;
	(void)max;
	mark[0] =
		(struct walker_mark){ vaddr(engine_on), vaddr(engine_off), 0 };
	mark[1] = (struct walker_mark){ vaddr(command_on), vaddr(command_off),
					1 };
	return 2;
}

static void file_value(const void *data, void *value)
{
	struct tcl_file *f = value;

	(void)data;
	*f = (struct tcl_file){ .layout = *layout(), .stubs = vaddr(engine) };
	f->recursion = (struct tcl_recursion){
		.proc = PROC_CODE - (u64)__executable_start,
		.ensemble = ENSEMBLE - (u64)__executable_start,
		.cmd_frame = { .kind = TCL_ROLE_REG, .reg = 3 },
		.calls = 1,
		.call[0] = { .command = { .kind = TCL_ROLE_REG, .reg = 3 },
			     .interp = { .kind = TCL_ROLE_REG, .reg = 12 },
			     .objv = { .kind = TCL_ROLE_REG, .reg = 13 } },
	};
}

static int open_self(void **state)
{
	static struct walker walker;

	(void)state;
	walker = tcl_walker;
	walker.file.probe = probe;
	walker.file.forget = forget;
	walker.file.find_lines = NULL;
	walker.file.marks = marks;
	walker.file.value = file_value;
	walker.process.attach = NULL;
	self_open(&walker, WALKER_TCL);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* ---- an interpreter ----------------------------------------------------- */

static u64 memory[16384];
static size_t used;
static u64 interp, global, app, top; /* top: CallFrame pushed last */

static u64 make(size_t bytes)
{
	u64 at = (u64)&memory[used];

	used += (bytes + 15) / 16 * 2;
	assert_true(used < sizeof(memory) / 8);
	return at;
}

static void put(u64 at, s16 off, u64 value)
{
	memcpy((char *)at + off, &value, sizeof(value));
}

static u64 text(const char *s)
{
	u64 at = make(64);

	memcpy((void *)at, s, strlen(s) + 1);
	return at;
}

static u64 namespace(const char *name)
{
	u64 at = make(256);

	put(at, layout()->ns_full_name, text(name));
	return at;
}

static void make_interp(void)
{
	u64 handle;

	memset(memory, 0, sizeof(memory));
	used = 256;
	handle = make(32);
	interp = make(1400);
	put(interp, layout()->interp_stub_table, (u64)engine);
	global = namespace("::");
	app = namespace("::app");
	put(interp, layout()->interp_exec_env, handle);
	put(handle, 0, interp);
	put(interp, layout()->interp_global_ns, global);
	top = make(128);
	put(top, layout()->frame_ns, global);
	put(interp, layout()->interp_frame, top);
}

static u64 make_command(const char *name, u64 code, u64 data)
{
	u64 at = make(128), entry = make(128);

	put(at, layout()->command_entry, entry);
	put(at, layout()->command_ns, global);
	put(at, layout()->command_obj_proc, code);
	put(at, layout()->command_client_data, data);
	put(entry, layout()->entry_value, at);
	memcpy((char *)entry + layout()->entry_key, name, strlen(name) + 1);
	return at;
}

static u64 make_proc(const char *name)
{
	u64 proc = make(64), c = make_command(name, PROC_CODE, proc);

	put(proc, 0, interp);
	put(proc, layout()->proc_cmd, c);
	return c;
}

/* ---- a scene ------------------------------------------------------------ */

enum kind { END, CALL, ENGINE, PUSH, POP };

struct step {
	enum kind kind;
	/* CALL: name of the Command; PUSH: whether it is a proc's, by name. */
	const char *name;
	u32 words; /* which objv */
	u32 frame; /* ENGINE: of the frame pushed as number n, from 1 on */
	u64 code;  /* CALL: PROC_CODE ... */
};

struct scene {
	const char *what, *want;
	struct step step[16];
};

static const struct scene *scene;
static const char *broken; /* what to spoil */
static u64 frames[16], commands[16];
static size_t n_frames;

static u64 find_command(const struct step *s)
{
	size_t at = s - scene->step;
	u64 data;

	for (size_t i = 0; i < at; i++)
		if (scene->step[i].name &&
		    !strcmp(scene->step[i].name, s->name))
			return commands[at] = commands[i];
	if (s->code == PROC_CODE)
		return commands[at] = make_proc(s->name);
	data = make(16);
	commands[at] = make_command(s->name, s->code, data);
	if (s->code == IMPORT || s->code == TOKEN)
		put(data, 8, commands[at]);
	if (s->code == IMPORT)
		put(data, 0, find_command(s + 1));
	if (s->code == TOKEN)
		put(data, 0, interp);
	return commands[at];
}

static u64 words(u32 n)
{
	return (u64)&memory[n * 2];
}

static void push(const struct step *s)
{
	const struct tcl_layout *l = layout();
	u64 at = make(128), proc = 0;

	if (s->name)
		memcpy(&proc, (char *)find_command(s) + l->command_client_data,
		       8);
	put(at, l->frame_ns, s->name ? global : app);
	put(at, l->frame_flags, s->name ? 1 : 0);
	put(at, l->frame_objv, words(s->words));
	put(at, l->frame_caller, top);
	put(at, l->frame_proc, proc);
	top = frames[++n_frames] = at;
	put(interp, l->interp_frame, top);
}

static u64 make_cmd_frame(u64 frame)
{
	const struct tcl_layout *l = layout();
	u64 at = make(128), code = make(256), handle;

	memcpy(&handle, (char *)interp + l->interp_exec_env, 8);
	put(at, l->cmd_frame_type, broken && *broken == 't' ? 4 : 2);
	put(at, l->cmd_frame_frame, frame);
	put(at, l->cmd_frame_code, code);
	put(code, 0, handle);
	put(code, l->code_ns, app);
	if (broken && *broken == 'h')
		put(handle, 0, frame);
	return at;
}

static void check_here(void)
{
	static const struct script_native none[] = { { NULL, NULL } };
	struct perf_regs regs;
	struct buf got = { 0 };
	struct sample *s;

	host_here(&regs);
	s = self_sample(&regs);
	assert_int_equal(s->status, WALK_ROOT);
	script_line(s, none, &got);
	assert_string_equal(buf_text(&got), scene->want);
	buf_release(&got);
	free(s);
}

static void play(size_t at)
{
	const struct step *s = &scene->step[at];

	while (s->kind == PUSH || s->kind == POP) {
		if (s->kind == PUSH) {
			push(s);
		} else {
			memcpy(&top, (char *)top + layout()->frame_caller, 8);
			put(interp, layout()->interp_frame, top);
		}
		s = &scene->step[++at];
	}
	if (s->kind == END)
		check_here();
	else if (s->kind == ENGINE)
		engine(make_cmd_frame(frames[s->frame]), play, at + 1);
	else
		command(find_command(s), interp, words(s->words), play, at + 1);
	__asm__ volatile("" : : : "memory");
}

static void show(const struct scene *s)
{
	print_message("# %s\n", s->what);
	scene = s;
	make_interp();
	n_frames = 0;
	memset(commands, 0, sizeof(commands));
	self_forget();
	play(0);
}

#define A_PROC(n, words, frame)                                             \
	{ CALL, n, words, 0, PROC_CODE }, { PUSH, n, words, 0, PROC_CODE }, \
	{                                                                   \
		ENGINE, NULL, 0, frame, 0                                   \
	}
#define A_COMMAND(n, words)               \
	{                                 \
		CALL, n, words, 0, C_CODE \
	}
#define A_SCRIPT(frame)                   \
	{                                 \
		ENGINE, NULL, 0, frame, 0 \
	}
#define A_NAMESPACE(words)                       \
	{ CALL, "namespace", words, 0, C_CODE }, \
	{                                        \
		PUSH, NULL, words, 0, 0          \
	}

static const struct scene scenes[] = {
	{ "procs",
	  "g f lsort",
	  { A_PROC("g", 1, 1), A_PROC("f", 2, 2), A_COMMAND("lsort", 3) } },
	{ "recursion",
	  "f f f",
	  { A_PROC("f", 1, 1), A_PROC("f", 2, 2), A_PROC("f", 3, 3) } },
	{ "scripts in a frame",
	  "g eval uplevel f",
	  { A_PROC("g", 1, 1), A_COMMAND("eval", 2), A_SCRIPT(1),
	    A_COMMAND("uplevel", 3), A_SCRIPT(1), A_PROC("f", 4, 2) } },
	{ "entered, without a frame yet",
	  "g",
	  { A_PROC("g", 1, 1), { CALL, "f", 2, 0, PROC_CODE } } },
	{ "entered, without bytecode yet",
	  "g",
	  { A_PROC("g", 1, 1),
	    { CALL, "f", 2, 0, PROC_CODE },
	    { PUSH, "f", 2, 0, PROC_CODE } } },
	{ "left, its variable's trace running",
	  "g h",
	  { A_PROC("g", 1, 1),
	    { CALL, "f", 2, 0, PROC_CODE },
	    A_PROC("h", 3, 2) } },
	{ "left by an error that is noted, its frame there",
	  "g h",
	  { A_PROC("g", 1, 1),
	    { CALL, "f", 2, 0, PROC_CODE },
	    { PUSH, "f", 2, 0, PROC_CODE },
	    A_PROC("h", 3, 3) } },
	{ "namespace eval of a script",
	  "g namespace eval ::app f",
	  { A_PROC("g", 1, 1), A_NAMESPACE(2), A_SCRIPT(2),
	    A_PROC("f", 3, 3) } },
	{ "namespace eval of a list",
	  "g namespace eval ::app f",
	  { A_PROC("g", 1, 1), A_NAMESPACE(2), A_PROC("f", 3, 3) } },
	{ "namespace eval of source",
	  "g namespace eval ::app source f",
	  { A_PROC("g", 1, 1), A_NAMESPACE(2), A_COMMAND("source", 3),
	    A_SCRIPT(2), A_PROC("f", 4, 3) } },
	{ "ensemble",
	  "g f",
	  { A_PROC("g", 1, 1),
	    { CALL, "e", 2, 0, ENSEMBLE },
	    A_PROC("f", 3, 2) } },
	{ "import of a proc",
	  "g f",
	  { A_PROC("g", 1, 1),
	    { CALL, "i", 2, 0, IMPORT },
	    { PUSH, "f", 2, 0, PROC_CODE },
	    A_SCRIPT(2) } },
	{ "command that knows itself",
	  "g f",
	  { A_PROC("g", 1, 1), { CALL, "f", 2, 0, TOKEN } } },
	{ "import of a command",
	  "g lsort",
	  { A_PROC("g", 1, 1),
	    { CALL, "i", 2, 0, IMPORT },
	    A_COMMAND("lsort", 2) } },
};

static void test_scenes(void **state)
{
	u64 breaks = self_breaks();

	(void)state;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		show(&scenes[i]);
	assert_int_equal(self_breaks(), breaks);
}

static void test_broken(void **state)
{
	static const struct scene bare = { "not what it should be",
					   "",
					   { A_SCRIPT(0) } };
	u64 frame = self_count(TCL_FRAME), handle = self_count(TCL_BAD_INTERP);

	(void)state;
	broken = "type";
	show(&bare);
	assert_int_equal(self_count(TCL_FRAME), frame + 1);
	broken = "handle";
	show(&bare);
	assert_true(self_count(TCL_BAD_INTERP) + self_count(TCL_READ) > handle);
	broken = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, open_self, close_self);
}
