/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Ground truth for native code of every kind; with kinds.S and kinds.f90.
 *
 *   kinds SECONDS TABLE
 *
 * Each path burns in a leaf of its own.  TABLE gets the expected stacks, in the form
 * that truth_tcl.tcl describes; main and what starts it stand outermost, `**`.
 * Paths that run on a thread begin with that thread's function.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern "C" {
#include "../programs/truth_leaf.h"

typedef unsigned long (*kinds_leaf)(unsigned long turns);

unsigned long kinds_cfi(kinds_leaf leaf, unsigned long turns);
unsigned long kinds_cfa_in_rbx(kinds_leaf leaf, unsigned long turns);
void kinds_on_stack(void (*fn)(), char *stack);
unsigned long kinds_no_cfi(kinds_leaf leaf, unsigned long turns);
unsigned long kinds_no_frame(kinds_leaf leaf, unsigned long turns);
unsigned long kinds_no_frame_saves(kinds_leaf leaf, unsigned long turns);
void kinds_personal(void (*thrower)(void));
void kinds_fortran_(void (*leaf)(void));
}

#define PATH extern "C" TRUTH_EXPORT void

static unsigned long turns;
static int number;

PATH kinds_plain()
{
	truth_leaf[number](turns);
	TRUTH_KEEP_FRAME();
}
#define BURN() (truth_leaf[number](turns), (void)0)

/* ---- exceptions ----------------------------------------------------------- */

struct guard {
	~guard();
};
__attribute__((noipa)) guard::~guard()
{
	BURN();
	TRUTH_KEEP_FRAME();
}

PATH kinds_throw()
{
	throw 1;
}

PATH kinds_guarded()
{
	guard g;

	kinds_throw();
}

PATH kinds_destructor()
{
	try {
		kinds_guarded();
	} catch (int) {
	}
	TRUTH_KEEP_FRAME();
}

PATH kinds_catch()
{
	try {
		kinds_throw();
	} catch (int) {
		BURN();
		TRUTH_KEEP_FRAME();
	}
}

/* The personality routine of kinds_personal(), called while a handler is being
 * searched for. */
extern "C" TRUTH_EXPORT _Unwind_Reason_Code
kinds_personality(int, _Unwind_Action actions, _Unwind_Exception_Class,
		  struct _Unwind_Exception *, struct _Unwind_Context *)
{
	if (actions & _UA_SEARCH_PHASE)
		BURN();
	TRUTH_KEEP_FRAME();
	return _URC_CONTINUE_UNWIND;
}

PATH kinds_thrown()
{
	try {
		kinds_personal(kinds_throw);
	} catch (int) {
	}
	TRUTH_KEEP_FRAME();
}

extern "C" TRUTH_EXPORT _Unwind_Reason_Code
kinds_stop(int, _Unwind_Action actions, _Unwind_Exception_Class,
	   struct _Unwind_Exception *, struct _Unwind_Context *, void *env)
{
	BURN();
	siglongjmp(*(sigjmp_buf *)env, 1);
}

PATH kinds_forced()
{
	static _Unwind_Exception exception;
	sigjmp_buf env;

	memset(&exception, 0, sizeof(exception));
	if (!sigsetjmp(env, 0))
		_Unwind_ForcedUnwind(&exception, kinds_stop, env);
	TRUTH_KEEP_FRAME();
}

/* For time in the unwinder itself; it has no leaf. */
PATH kinds_storm()
{
	for (int i = 0; i < 3000; i++) {
		try {
			kinds_throw();
		} catch (int) {
		}
	}
}

/* ---- Fortran, assembly ----------------------------------------------------- */

PATH kinds_from_fortran()
{
	BURN();
	TRUTH_KEEP_FRAME();
}

PATH kinds_fortran_path()
{
	kinds_fortran_(kinds_from_fortran);
	TRUTH_KEEP_FRAME();
}

#define ASSEMBLY(name)                           \
	PATH name##_path()                       \
	{                                        \
		name(truth_leaf[number], turns); \
		TRUTH_KEEP_FRAME();              \
	}

ASSEMBLY(kinds_cfi)
ASSEMBLY(kinds_cfa_in_rbx)
ASSEMBLY(kinds_no_cfi)
/* These have a frame pointer that would lead past them. */
#pragma GCC push_options
#pragma GCC optimize("no-omit-frame-pointer")
ASSEMBLY(kinds_no_frame)
ASSEMBLY(kinds_no_frame_saves)
#pragma GCC pop_options

/* ---- other stacks ----------------------------------------------------------- */

static stack_t alternate;

extern "C" TRUTH_EXPORT void kinds_handler(int)
{
	BURN();
	TRUTH_KEEP_FRAME();
}

PATH kinds_raise()
{
	struct sigaction action = {};

	action.sa_handler = kinds_handler;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	sigaltstack(&alternate, NULL);
	pthread_kill(pthread_self(), SIGUSR1);
	TRUTH_KEEP_FRAME();
}

/* Two stacks in one block, so that it is known which lies above. */
static char *stacks;
static const size_t stack_size = 1 << 20;

PATH kinds_signal_below()
{
	alternate.ss_sp = stacks;
	alternate.ss_size = stack_size;
	kinds_raise();
	TRUTH_KEEP_FRAME();
}

extern "C" TRUTH_EXPORT void *kinds_low_thread(void *)
{
	alternate.ss_sp = stacks + stack_size;
	alternate.ss_size = stack_size;
	kinds_raise();
	TRUTH_KEEP_FRAME();
	return NULL;
}

static void run_thread(void *(*fn)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stacks, stack_size);
	pthread_create(&thread, &attr, fn, NULL);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

PATH kinds_signal_above()
{
	run_thread(kinds_low_thread);
}

PATH kinds_there()
{
	BURN();
	TRUTH_KEEP_FRAME();
}

PATH kinds_stack_below()
{
	kinds_on_stack(kinds_there, stacks + stack_size);
	TRUTH_KEEP_FRAME();
}

extern "C" TRUTH_EXPORT void *kinds_thread(void *)
{
	kinds_on_stack(kinds_there, stacks + 2 * stack_size);
	TRUTH_KEEP_FRAME();
	return NULL;
}

PATH kinds_stack_above()
{
	run_thread(kinds_thread);
}

static ucontext_t back, there;

PATH kinds_context()
{
	BURN();
	TRUTH_KEEP_FRAME();
}

PATH kinds_swap()
{
	getcontext(&there);
	there.uc_stack.ss_sp = stacks;
	there.uc_stack.ss_size = stack_size;
	there.uc_link = &back;
	makecontext(&there, kinds_context, 0);
	swapcontext(&back, &there);
}

/* In the vDSO; it has no leaf either. */
PATH kinds_clock()
{
	struct timespec now;

	for (int i = 0; i < 200000; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
}

/* ---- code made at run time --------------------------------------------------- */

static char *code;

/* push %rbp; mov %rsp, %rbp; mov %rdi, %rax; mov %rsi, %rdi; call *%rax;
 * pop %rbp; ret */
static const unsigned char made[] = {
	0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8,
	0x48, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3
};

static void make_code()
{
	char name[64];
	FILE *map;

	code = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, made, sizeof(made));
	memcpy(code + 64, made, sizeof(made));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	fprintf(map, "%lx %zx was here before\n", (long)code, sizeof(made));
	fprintf(map, "%lx %zx jit outer;x\n", (long)code, sizeof(made));
	fprintf(map, "%lx %zx jit_inner\n", (long)code + 64, sizeof(made));
	fclose(map);
}

typedef unsigned long (*jit)(unsigned long (*)(unsigned long), unsigned long);

extern "C" TRUTH_EXPORT unsigned long kinds_called_by_jit(unsigned long n)
{
	((jit)(code + 64))(truth_leaf[number], n);
	TRUTH_KEEP_FRAME();
	return n;
}

PATH kinds_jit()
{
	((jit)code)(kinds_called_by_jit, turns);
	TRUTH_KEEP_FRAME();
}

/* ---- all of them -------------------------------------------------------------- */

#define CUT "[cut: no unwind information for this address]"

static const struct path {
	void (*fn)();
	const char *stack, *what;
} paths[] = {
	{ kinds_plain, "**;main;kinds_plain", "a C++ function" },
	{ kinds_catch, "**;main;~kinds_catch(\\.cold)?",
	  "handler of an exception" },
	{ kinds_destructor,
	  "**;main;kinds_destructor;~kinds_guarded(\\.cold)?;guard::~guard",
	  "destructor while an exception is being thrown" },
	{ kinds_thrown,
	  "**;main;kinds_thrown;kinds_personal;kinds_throw;__cxa_throw;"
	  "_Unwind_RaiseException;kinds_personality",
	  "search for a handler, in libgcc" },
	{ kinds_forced,
	  "**;main;kinds_forced;_Unwind_ForcedUnwind;**libgcc_s.so.1;"
	  "kinds_stop",
	  "forced unwinding" },
	{ kinds_fortran_path,
	  "**;main;kinds_fortran_path;kinds_fortran_;~kinds_inner.*;"
	  "kinds_from_fortran",
	  "Fortran, an internal procedure" },
	{ kinds_cfi_path, "**;main;kinds_cfi_path;kinds_cfi",
	  "assembly with CFI" },
	{ kinds_cfa_in_rbx_path,
	  "**;main;kinds_cfa_in_rbx_path;kinds_cfa_in_rbx",
	  "assembly whose CFA is in rbx" },
	{ kinds_no_cfi_path,
	  "**;main;kinds_no_cfi_path;[by frame pointer];kinds_no_cfi",
	  "assembly without CFI, with a frame" },
	{ kinds_no_frame_path, CUT ";kinds_no_frame",
	  "assembly without CFI and frame" },
	{ kinds_no_frame_saves_path, CUT ";kinds_no_frame_saves",
	  "the same with saved registers" },
	{ kinds_signal_below,
	  "**;main;kinds_signal_below;kinds_raise;**libc.so.6;"
	  "?__pthread_kill_implementation;?pthread_kill;"
	  "~.*restore_rt.*|.libc.so.6.*;kinds_handler",
	  "alternate signal stack below" },
	{ kinds_signal_above,
	  "kinds_low_thread;kinds_raise;**libc.so.6;"
	  "?__pthread_kill_implementation;?pthread_kill;"
	  "~.*restore_rt.*|.libc.so.6.*;kinds_handler",
	  "alternate signal stack above" },
	{ kinds_stack_below,
	  "**;main;kinds_stack_below;kinds_on_stack;kinds_there",
	  "a call on another stack, below" },
	{ kinds_stack_above, "kinds_thread;kinds_on_stack;kinds_there",
	  "a call on another stack, above" },
	{ kinds_swap, "kinds_context", "makecontext, swapcontext" },
	{ kinds_jit,
	  "**;main;kinds_jit;jit outer\\x3bx_[j];kinds_called_by_jit;"
	  "[by frame pointer];jit_inner_[j]",
	  "code made at run time, names of a perf map" },
};

#define PATHS (sizeof(paths) / sizeof(*paths))

static void write_table(const char *name)
{
	FILE *out = fopen(name, "w");

	for (size_t i = 0; out && i < PATHS; i++)
		fprintf(out, "truth_leaf_%02zu\t%s;truth_leaf_%02zu\t%s\n",
			i + 1, paths[i].stack, i + 1, paths[i].what);
	if (out)
		fclose(out);
}

int main(int argc, char *argv[])
{
	time_t end = time(NULL);

	if (argc != 3)
		return 2;
	stacks = (char *)mmap(NULL, 2 * stack_size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	make_code();
	turns = 5 * truth_measure();
	write_table(argv[2]);
	end += strtol(argv[1], NULL, 10);
	while (time(NULL) < end) {
		for (size_t i = 0; i < PATHS; i++) {
			number = i + 1;
			paths[i].fn();
		}
		kinds_storm();
		kinds_clock();
	}
	return 0;
}
