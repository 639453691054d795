/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tcl commands for call paths that are known beforehand.
 *
 *   truth::burn N MS           MS milliseconds of CPU in truth_leaf_NN
 *   truth::turn N TURNS        so many turns of its loop
 *   truth::WAY SCRIPT          evaluates it in one of the ways in calls[]
 *   truth::callv CMD ?ARG...?  Tcl_EvalObjv
 *   truth::nr SCRIPT           Tcl_NREvalObj, without recursion in C
 *   truth::old N MS            burn, as a command that takes strings
 *   truth::fail N MS           burn, then an error
 *
 * Every way back into Tcl goes through truth_outer and truth_inner, which are
 * exported and have stack frames of their own: they must appear between the
 * Tcl frames.  The commands themselves are static; a profile shows them by
 * their Tcl names.  With MS below zero, burn evaluates `truth_seen N` instead,
 * for a script that wants to ask the interpreter what stack it sees.
 */
#include <stdlib.h>

#include <tcl.h>

#include "truth_leaf.h"

#define TRUTH_INLINE inline __attribute__((always_inline))

enum way {
	WAY_EVAL,
	WAY_OBJ,
	WAY_GLOBAL,
	WAY_OBJV,
	WAY_EXPR,
	WAY_SUBST,
	WAY_PLAIN,
	WAY_GLOBAL_EVAL,
	WAY_VARIADIC,
	WAY_FILE,
	WAY_RECORD,
	WAY_DIRECT,
};

int truth_inner(Tcl_Interp *interp, enum way way, int objc,
		Tcl_Obj *const objv[]);
int truth_outer(Tcl_Interp *interp, enum way way, int objc,
		Tcl_Obj *const objv[]);
int truth_old_proc(ClientData data, Tcl_Interp *interp, int argc,
		   const char *argv[]);
int Truth_Init(Tcl_Interp *interp);

static unsigned long turns_per_ms;

static TRUTH_INLINE int eval_subst(Tcl_Interp *interp, Tcl_Obj *text)
{
	Tcl_Obj *result = Tcl_SubstObj(interp, text, TCL_SUBST_ALL);

	if (!result)
		return TCL_ERROR;
	Tcl_SetObjResult(interp, result);
	return TCL_OK;
}

static TRUTH_INLINE int eval_expr(Tcl_Interp *interp, Tcl_Obj *text)
{
	Tcl_Obj *result;

	if (Tcl_ExprObj(interp, text, &result) != TCL_OK)
		return TCL_ERROR;
	Tcl_SetObjResult(interp, result);
	Tcl_DecrRefCount(result);
	return TCL_OK;
}

TRUTH_EXPORT int truth_inner(Tcl_Interp *interp, enum way way, int objc,
			     Tcl_Obj *const objv[])
{
	int code = TCL_ERROR;

	switch (way) {
	case WAY_EVAL:
		code = Tcl_EvalEx(interp, Tcl_GetString(objv[0]), -1, 0);
		break;
	case WAY_OBJ:
		code = Tcl_EvalObjEx(interp, objv[0], 0);
		break;
	case WAY_GLOBAL:
		code = Tcl_EvalObjEx(interp, objv[0], TCL_EVAL_GLOBAL);
		break;
	case WAY_OBJV:
		code = Tcl_EvalObjv(interp, objc, objv, 0);
		break;
	case WAY_EXPR:
		code = eval_expr(interp, objv[0]);
		break;
	case WAY_SUBST:
		code = eval_subst(interp, objv[0]);
		break;
	case WAY_PLAIN:
		code = Tcl_Eval(interp, Tcl_GetString(objv[0]));
		break;
	case WAY_GLOBAL_EVAL:
		code = Tcl_GlobalEval(interp, Tcl_GetString(objv[0]));
		break;
	case WAY_VARIADIC:
		code = Tcl_VarEval(interp, "set a 1; ", Tcl_GetString(objv[0]),
				   "; set b 2", NULL);
		break;
	case WAY_FILE:
		code = Tcl_EvalFile(interp, Tcl_GetString(objv[0]));
		break;
	case WAY_RECORD:
		code = Tcl_RecordAndEvalObj(interp, objv[0], 0);
		break;
	case WAY_DIRECT:
		code = Tcl_EvalObjEx(interp, objv[0], TCL_EVAL_DIRECT);
		break;
	}
	TRUTH_KEEP_FRAME();
	return code;
}

/* A frame of some size, as real extension code has. */
TRUTH_EXPORT int truth_outer(Tcl_Interp *interp, enum way way, int objc,
			     Tcl_Obj *const objv[])
{
	char room[200];
	int code;

	__asm__ volatile("" : : "r"(room) : "memory");
	code = truth_inner(interp, way, objc, objv);
	__asm__ volatile("" : : "r"(room) : "memory");
	return code;
}

static int call_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	enum way way = (enum way)(size_t)data;
	int code;

	if (objc < 2 || (objc > 2 && way != WAY_OBJV)) {
		Tcl_WrongNumArgs(interp, 1, objv, "script");
		return TCL_ERROR;
	}
	code = truth_outer(interp, way, objc - 1, objv + 1);
	TRUTH_KEEP_FRAME();
	return code;
}

/* Inlined, as every helper between a command and a leaf: a static function of
 * a stripped file has no name that could be expected. */
static TRUTH_INLINE int burn(Tcl_Interp *interp, int number, int ms)
{
	if (number < 0 || number >= TRUTH_LEAVES) {
		Tcl_SetResult(interp, (char *)"no such leaf", TCL_STATIC);
		return TCL_ERROR;
	}
	truth_leaf[number]((unsigned long)ms * turns_per_ms);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

static int report_seen(Tcl_Interp *interp, Tcl_Obj *number)
{
	Tcl_Obj *word[2] = { Tcl_NewStringObj("::truth_seen", -1), number };
	int code;

	Tcl_IncrRefCount(word[0]);
	code = Tcl_EvalObjv(interp, 2, word, TCL_EVAL_GLOBAL);
	Tcl_DecrRefCount(word[0]);
	return code;
}

static TRUTH_INLINE int burn_words(Tcl_Interp *interp, Tcl_Obj *number,
				   Tcl_Obj *ms)
{
	int n, m;

	if (Tcl_GetIntFromObj(interp, number, &n) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, ms, &m) != TCL_OK)
		return TCL_ERROR;
	if (m < 0)
		return report_seen(interp, number);
	return burn(interp, n, m);
}

static int burn_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	(void)data;
	if (objc != 3) {
		Tcl_WrongNumArgs(interp, 1, objv, "number ms");
		return TCL_ERROR;
	}
	return burn_words(interp, objv[1], objv[2]);
}

static int turn_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	int n, turns;

	(void)data;
	if (objc != 3 || Tcl_GetIntFromObj(interp, objv[1], &n) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[2], &turns) != TCL_OK || n < 0 ||
	    n >= TRUTH_LEAVES)
		return TCL_ERROR;
	truth_leaf[n]((unsigned long)turns);
	TRUTH_KEEP_FRAME();
	return TCL_OK;
}

/* Exported: Tcl calls it through TclInvokeStringCommand. */
TRUTH_EXPORT int truth_old_proc(ClientData data, Tcl_Interp *interp, int argc,
				const char *argv[])
{
	int code;

	(void)data;
	if (argc != 3)
		return TCL_ERROR;
	code = burn(interp, (int)strtol(argv[1], NULL, 10),
		    (int)strtol(argv[2], NULL, 10));
	TRUTH_KEEP_FRAME();
	return code;
}

#include "truth_back.h"

static int fail_command(ClientData data, Tcl_Interp *interp, int objc,
			Tcl_Obj *const objv[])
{
	struct work work;

	(void)data;
	if (objc != 3 || get_work(interp, objv + 1, &work) != TCL_OK)
		return TCL_ERROR;
	if (work.ms < 0 && report_seen(interp, objv[1]) != TCL_OK)
		return TCL_ERROR;
	burn_work(&work);
	Tcl_SetObjResult(interp, Tcl_NewStringObj("burnt", -1));
	return TCL_ERROR;
}

static const struct {
	const char *name;
	enum way way;
} calls[] = {
	{ "truth::call", WAY_EVAL },
	{ "truth::callobj", WAY_OBJ },
	{ "truth::callglobal", WAY_GLOBAL },
	{ "truth::callv", WAY_OBJV },
	{ "truth::expr", WAY_EXPR },
	{ "truth::subst", WAY_SUBST },
	{ "truth::eval", WAY_PLAIN },
	{ "truth::globaleval", WAY_GLOBAL_EVAL },
	{ "truth::vareval", WAY_VARIADIC },
	{ "truth::evalfile", WAY_FILE },
	{ "truth::record", WAY_RECORD },
	{ "truth::direct", WAY_DIRECT },
};

static const struct {
	const char *name;
	Tcl_ObjCmdProc *proc;
} commands[] = {
	{ "truth::burn", burn_command },       { "truth::fail", fail_command },
	{ "truth::watch", watch_command },     { "truth::async", async_command },
	{ "truth::observe", observe_command }, { "truth::later", later_command },
	{ "truth::doomed", doomed_command },   { "truth::turn", turn_command },
}, nr_commands[] = {
	{ "truth::nr", nr_command },
	{ "truth::nrburn", nrburn_command },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

TRUTH_EXPORT int Truth_Init(Tcl_Interp *interp)
{
	int major, minor;

	if (!Tcl_InitStubs(interp, "8.5-", 0))
		return TCL_ERROR;
	Tcl_GetVersion(&major, &minor, NULL, NULL);
	if (!turns_per_ms)
		turns_per_ms = truth_measure();
	for (size_t i = 0; i < COUNT(calls); i++)
		Tcl_CreateObjCommand(interp, calls[i].name, call_command,
				     (ClientData)(size_t)calls[i].way, NULL);
	for (size_t i = 0; i < COUNT(commands); i++)
		Tcl_CreateObjCommand(interp, commands[i].name, commands[i].proc,
				     NULL, NULL);
	/* 8.5 recurses. */
	for (size_t i = 0; i < COUNT(nr_commands) && (major > 8 || minor > 5);
	     i++)
		Tcl_NRCreateCommand(interp, nr_commands[i].name, not_recursive,
				    nr_commands[i].proc,
				    (ClientData)nr_commands[i].proc, NULL);
	Tcl_CreateCommand(interp, "truth::old", truth_old_proc, NULL, NULL);
	return TCL_OK;
}
