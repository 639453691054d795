/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A Tcl extension that damages its own interpreter while a profiler looks.
 *
 *   hostile::kinds         the names of the damages, in order
 *   hostile::burn N MS     MS milliseconds of CPU in truth_leaf_NN, with damage
 *                          number N (1 ...) in place
 *
 * Each damage is a few words of the interpreter's structures (or of a copy that
 * the interpreter is made to point to) that are put back before anything of
 * Tcl runs again, so the program itself is never harmed.  A profiler must keep the
 * samples, say what it could not read, and neither loop nor fail.  To be called
 * by a proc: its activation is what is damaged.
 */
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What Tcl's configure finds here; else its private headers bring their own. */
#define HAVE_UNISTD_H	1
#define HAVE_SYS_TIME_H 1
#define HAVE_INTTYPES_H 1

#include <tcl.h>
#include <tclInt.h>

#include "truth_leaf.h"

#define UNMAPPED      0x10ul
#define KERNEL	      0xffff888000000000ul
#define NON_CANONICAL 0x8000000000000000ul
#define LONG	      100000
#define POKES	      4

int Hostile_Init(Tcl_Interp *interp);

/* What there is to be damaged. */
struct victim {
	Interp *interp;
	NRE_callback *top;	/* next to be run when burn returns */
	NRE_callback *bytecode; /* of the calling proc's activation */
	CmdFrame *command;
	CallFrame *frame;
	Proc *proc;
};

static struct {
	uintptr_t *at, was;
} poked[POKES];
static int pokes;

static unsigned long turns_per_ms;
static NRE_callback *long_callbacks;
static CmdFrame *long_commands;
static CallFrame *long_frames;
static char *page_end; /* what follows cannot be read */
static ExecEnv env;
static CoroutineData coroutine;
static CallFrame frame;
static Command command;
static Namespace namespace;
static CompiledLocal local;
static Proc proc;

static void poke(void *at, uintptr_t value)
{
	poked[pokes].at = at;
	poked[pokes++].was = *(uintptr_t *)at;
	*(uintptr_t *)at = value;
}

static void restore(void)
{
	while (pokes) {
		pokes--;
		*poked[pokes].at = poked[pokes].was;
	}
}

/* ------------------------------------------------------------ callbacks */

static void callback_cycle(struct victim *v)
{
	poke(&v->top->nextPtr, (uintptr_t)v->top);
}

static void callback_unmapped(struct victim *v)
{
	poke(&v->top->nextPtr, UNMAPPED);
}

static void callback_kernel(struct victim *v)
{
	poke(&v->top->nextPtr, KERNEL);
}

static void callback_non_canonical(struct victim *v)
{
	poke(&v->top->nextPtr, NON_CANONICAL);
}

static void callback_null(struct victim *v)
{
	poke(&v->top->nextPtr, 0);
}

static void callbacks_endless(struct victim *v)
{
	poke(&v->top->nextPtr, (uintptr_t)long_callbacks);
}

static void bytecode_unmapped(struct victim *v)
{
	poke(&v->bytecode->data[0], UNMAPPED);
}

/* ------------------------------------------------------- command frames */

static void command_cycle(struct victim *v)
{
	poke(&v->command->nextPtr, (uintptr_t)v->command);
}

static void command_unmapped(struct victim *v)
{
	poke(&v->command->nextPtr, UNMAPPED);
}

/* Levels step by one, as they should, and each has a call frame of its own. */
static void commands_endless(struct victim *v)
{
	uintptr_t head;

	for (int i = 0; i < LONG; i++) {
		long_commands[i] = *v->command;
		long_commands[i].level = LONG - 1 - i;
		long_commands[i].framePtr = &long_frames[i];
		long_commands[i].nextPtr = &long_commands[i + 1];
		long_frames[i] = *v->frame;
		long_frames[i].callerPtr = &long_frames[i + 1];
	}
	memcpy(&head, v->command, sizeof(head));
	poke(&v->command->nextPtr, (uintptr_t)long_commands);
	/* type and level share the first word. */
	poke(v->command, (head & UINT_MAX) | (uintptr_t)LONG << 32);
	poke(&v->frame->callerPtr, (uintptr_t)long_frames);
}

/* ---------------------------------------------------------- call frames */

static void frame_unmapped(struct victim *v)
{
	poke(&v->command->framePtr, UNMAPPED);
}

static void frame_cycle(struct victim *v)
{
	frame = *v->frame;
	frame.isProcCallFrame = 0;
	frame.callerPtr = &frame;
	poke(&v->interp->framePtr, (uintptr_t)&frame);
}

static void make_frame(struct victim *v, int flags)
{
	frame = *v->frame;
	frame.isProcCallFrame = flags;
	poke(&v->command->framePtr, (uintptr_t)&frame);
	poke(&v->interp->framePtr, (uintptr_t)&frame);
}

static void proc_unmapped(struct victim *v)
{
	make_frame(v, FRAME_IS_PROC);
	frame.procPtr = (Proc *)UNMAPPED;
}

/* tclOOInt.h: FRAME_IS_METHOD */
static void method_unmapped(struct victim *v)
{
	make_frame(v, FRAME_IS_PROC | 4);
	frame.clientData = (ClientData)UNMAPPED;
}

static void lambda_cycle(struct victim *v)
{
	make_frame(v, FRAME_IS_PROC | FRAME_IS_LAMBDA);
	proc = *v->proc;
	local.nextPtr = &local;
	local.nameLength = INT_MAX;
	proc.firstLocalPtr = &local;
	proc.numArgs = INT_MAX;
	frame.procPtr = &proc;
}

/* ---------------------------------------------------------------- names */

static void make_command(struct victim *v)
{
	make_frame(v, FRAME_IS_PROC);
	proc = *v->proc;
	command = *proc.cmdPtr;
	proc.cmdPtr = &command;
	frame.procPtr = &proc;
}

static void entry_unmapped(struct victim *v)
{
	make_command(v);
	command.hPtr = (Tcl_HashEntry *)UNMAPPED;
	frame.objv = (Tcl_Obj *const *)UNMAPPED;
}

/* The hash entry belongs to another command: the name is as typed. */
static void make_namespace(struct victim *v, char *name)
{
	static Tcl_HashEntry entry;

	make_command(v);
	entry = *v->proc->cmdPtr->hPtr;
	entry.clientData = &command;
	command.hPtr = &entry;
	namespace = *command.nsPtr;
	namespace.fullName = name;
	command.nsPtr = &namespace;
}

static void name_endless(struct victim *v)
{
	make_namespace(v, page_end - 4000);
}

static void name_at_page_end(struct victim *v)
{
	make_namespace(v, page_end - 3);
}

/* ------------------------------------------ interpreter, environment, coroutine */

static void environment_unmapped(struct victim *v)
{
	poke(&v->interp->execEnvPtr, UNMAPPED);
}

static void environment_of_none(struct victim *v)
{
	env = *v->interp->execEnvPtr;
	env.interp = (Tcl_Interp *)UNMAPPED;
	poke(&v->interp->execEnvPtr, (uintptr_t)&env);
}

static void coroutine_unmapped(struct victim *v)
{
	poke(&v->interp->execEnvPtr->corPtr, UNMAPPED);
	poke(&v->top->nextPtr, 0);
	poke(&v->top->data[0], UNMAPPED);
}

/* One that was resumed by itself. */
static void coroutine_cycle(struct victim *v)
{
	env = *v->interp->execEnvPtr;
	env.callbackPtr = v->top;
	coroutine = (CoroutineData){
		.cmdPtr = v->proc->cmdPtr,
		.eePtr = &env,
		.callerEEPtr = &env,
	};
	env.corPtr = &coroutine;
	poke(&v->interp->execEnvPtr, (uintptr_t)&env);
	poke(&v->top->nextPtr, 0);
	poke(&v->top->data[0], (uintptr_t)&coroutine);
}

#define KIND(name)          \
	{                   \
#name, name \
	}

static const struct {
	const char *name;
	void (*damage)(struct victim *v);
} kinds[] = {
	KIND(callback_cycle),	    KIND(callback_unmapped),
	KIND(callback_kernel),	    KIND(callback_non_canonical),
	KIND(callback_null),	    KIND(callbacks_endless),
	KIND(bytecode_unmapped),    KIND(command_cycle),
	KIND(command_unmapped),	    KIND(commands_endless),
	KIND(frame_unmapped),	    KIND(frame_cycle),
	KIND(proc_unmapped),	    KIND(method_unmapped),
	KIND(lambda_cycle),	    KIND(entry_unmapped),
	KIND(name_endless),	    KIND(name_at_page_end),
	KIND(environment_unmapped), KIND(environment_of_none),
	KIND(coroutine_unmapped),   KIND(coroutine_cycle),
};

#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static int find_victim(Interp *interp, struct victim *v)
{
	NRE_callback *c = interp->execEnvPtr->callbackPtr;

	v->interp = interp;
	v->top = c;
	v->command = interp->cmdFramePtr;
	v->frame = interp->framePtr;
	v->proc = v->frame->procPtr;
	/* generic/tclExecute.c: TEBCdata, in which the CmdFrame lies. */
	while (c && (uintptr_t)v->command - (uintptr_t)c->data[0] > 64)
		c = c->nextPtr;
	v->bytecode = c;
	return v->proc && c && c != v->top ? TCL_OK : TCL_ERROR;
}

static int burn_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	struct victim v;
	int n, ms;

	(void)data;
	if (objc != 3 || Tcl_GetIntFromObj(interp, objv[1], &n) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[2], &ms) != TCL_OK || n < 1 ||
	    n > KINDS || find_victim((Interp *)interp, &v) != TCL_OK) {
		Tcl_SetResult(interp, (char *)"hostile::burn N MS, in a proc",
			      TCL_STATIC);
		return TCL_ERROR;
	}
	kinds[n - 1].damage(&v);
	truth_leaf[n]((unsigned long)ms * turns_per_ms);
	restore();
	return TCL_OK;
}

static int kinds_command(ClientData data, Tcl_Interp *interp, int objc,
			 Tcl_Obj *const objv[])
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	(void)data;
	(void)objc;
	(void)objv;
	for (int i = 0; i < KINDS; i++)
		Tcl_ListObjAppendElement(interp, list,
					 Tcl_NewStringObj(kinds[i].name, -1));
	Tcl_SetObjResult(interp, list);
	return TCL_OK;
}

/* A page of text without an end, and behind it nothing that can be read. */
static char *make_page(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	memset(page, 'x', size);
	return mprotect(page + size, size, PROT_NONE) ? NULL : page + size;
}

TRUTH_EXPORT int Hostile_Init(Tcl_Interp *interp)
{
	if (!Tcl_InitStubs(interp, "8.6", 0))
		return TCL_ERROR;
	turns_per_ms = truth_measure();
	long_callbacks = (void *)ckalloc((LONG + 1) * sizeof(*long_callbacks));
	memset(long_callbacks, 0, (LONG + 1) * sizeof(*long_callbacks));
	for (int i = 0; i < LONG; i++)
		long_callbacks[i].nextPtr = &long_callbacks[i + 1];
	long_commands = (void *)ckalloc((LONG + 1) * sizeof(*long_commands));
	memset(long_commands, 0, (LONG + 1) * sizeof(*long_commands));
	long_frames = (void *)ckalloc((LONG + 1) * sizeof(*long_frames));
	memset(long_frames, 0, (LONG + 1) * sizeof(*long_frames));
	page_end = make_page();
	if (!page_end)
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "hostile::burn", burn_command, NULL, NULL);
	Tcl_CreateObjCommand(interp, "hostile::kinds", kinds_command, NULL,
			     NULL);
	return TCL_OK;
}
