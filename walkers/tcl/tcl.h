/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the kernel side and the user side of the Tcl walker share: the layouts,
 * what is known of one libtcl, and the frames that the walker writes.
 *
 * Field names and offsets follow generic/tclInt.h, tclCompile.h, tclOOInt.h and
 * tclExecute.c; the offsets of each version are in tcl_layouts.c.
 */
#ifndef JPBPF_WALKERS_TCL_H
#define JPBPF_WALKERS_TCL_H

#include <jpbpf/types.h>
#include <jpbpf/walkers.h>

#define TCL_NO_FIELD 0xffff

/* Byte offsets; TCL_NO_FIELD = the field does not exist. */
struct tcl_layout {
	u16 interp_stub_table, interp_global_ns, interp_frame, interp_exec_env;
	u16 exec_env_interp, exec_env_callback, exec_env_cor;
	u16 callback_data, callback_next; /* procPtr is at 0, size 48 */
	u16 tebc_code, tebc_cmd_frame;
	u16 cmd_frame_type, cmd_frame_level, cmd_frame_line;
	u16 cmd_frame_frame, cmd_frame_next, cmd_frame_code;
	u16 frame_ns, frame_flags, frame_objv, frame_caller;
	u16 frame_level, frame_proc, frame_client_data;
	u16 proc_cmd, proc_body, proc_num_args, proc_first_local;
	u16 local_next, local_name, local_name_length;
	u16 command_entry, command_ns, command_obj_proc, command_client_data;
	u16 command_nre_proc;
	u16 entry_table, entry_value, entry_key;
	u16 ns_full_name;
	u16 obj_bytes, obj_internal;
	u16 cor_cmd, cor_ee, cor_caller_ee, cor_caller; /* caller: CorContext */
	u16 corcontext_cmd_frame;
	u16 context_chain, chain_count, chain_items, chain_flags, invoke_size;
	u16 method_client_data, method_name, method_object, method_class;
	u16 class_object, object_command, procedure_method_proc;
	/* What lines are found by. */
	u16 interp_cmd_frame, interp_line_bc, cmd_frame_pc;
	u16 code_ns, code_commands, code_start, code_proc;
	u16 code_code_delta, code_code_length, code_src_delta;
	u16 table_buckets, table_shift, table_mask;
	u16 ecl_type, ecl_path, ecl_loc, ecl_used; /* ExtCmdLoc */
	u16 loc_size, loc_line;			   /* ECL; srcOffset is at 0 */
	u8 wide_size; /* Tcl_Size fields are 8 bytes (9.x), else int */
	u8 spare[7];
};

enum tcl_role_kind { TCL_ROLE_REG, TCL_ROLE_CFA };

/* Where the evaluator keeps one of its values while a callback runs. */
struct tcl_role {
	u8 kind; /* enum tcl_role_kind */
	u8 reg;	 /* DWARF number, for TCL_ROLE_REG */
	s16 off; /* bytes from the CFA, else */
};

#define TCL_MAX_TRAMPOLINES 14

/* One copy of TclNRRunCallbacks (compilers may inline it into callers). */
struct tcl_trampoline {
	u64 start, end; /* vaddr of the function, or of an inlined loop only */
	u64 ret;	/* vaddr of the return address of its indirect call */
	u64 popped;	/* the running callback is off the chain, to ret */
	u64 body;	/* roles are valid from here; rdi and rdx before ... */
	u64 epilogue;	/* ... to here */
	struct tcl_role interp, root, callback;
	u32 spare;
};

#define TCL_MAX_CALLS 4

/* A place that calls a command's C function, and the places of its values meanwhile. */
struct tcl_call {
	struct tcl_role command, interp, objv;
	struct tcl_role objc; /* an int; if has_objc */
	u32 has_objc;
};

/*
 * Before 8.6 the evaluator recurses in C: no trampoline, but for each bytecode
 * activation a frame of TclExecuteByteCode, and for each command one of what calls
 * its function.  The index of the mark is 0 for the former, else 1 + that of a call.
 */
struct tcl_recursion {
	/* C functions that are no command's own: TclObjInterpProc and
	 * NsEnsembleImplementationCmd, vaddr; 0: unknown. */
	u64 proc, ensemble;
	struct tcl_role cmd_frame; /* address of its own CmdFrame */
	u32 calls;		   /* 0: this Tcl does not recurse */
	struct tcl_call call[TCL_MAX_CALLS];
};

#define TCL_MAX_WRAPPERS 2

/* A function of Tcl that calls a command's own, which its client data name. */
struct tcl_wrapper {
	u64 vaddr;
	u32 proc; /* bytes from the client data's start to the address */
	u32 spare;
};

/* More than any build has had; see tcl_track.c. */
#define TCL_MAX_PC_RANGES 512

/* Where the bytecode engine has its pc, in a part of its code. */
struct tcl_pc_range {
	u32 start, end; /* bytes from the engine's start */
	struct tcl_role role;
	s16 add;
	u16 finishing; /* it is the one in the CmdFrame */
};

/* What is known of one module that contains Tcl; key: file id. */
struct tcl_file {
	struct tcl_layout layout;
	u32 trampolines;
	u32 pc_ranges; /* sorted, with gaps; 0: not looked for, or not found */
	u64 tebc_start, tebc_end; /* TEBCresume, vaddr */
	u64 dispatch;		  /* Dispatch, vaddr; 0 when unknown */
	u64 stubs;		  /* tclStubs, vaddr */
	struct tcl_wrapper wrapper[TCL_MAX_WRAPPERS]; /* zero: no more */
	struct tcl_trampoline trampoline[TCL_MAX_TRAMPOLINES];
	struct tcl_recursion recursion;
	/* TclEvalEx, vaddr, and where it has its CmdFrame; 0: not looked for, or not
	 * found. */
	u64 eval_start, eval_size;
	struct tcl_role eval_frame;
	u32 spare;
	struct tcl_pc_range pc_range[TCL_MAX_PC_RANGES];
};

/* Places of calls (tcl_calls.bpf.c), in the order of their attachment.  The place's register
 * has the interpreter; where a coroutine is switched, the callback's data; where a Proc is
 * freed, the Proc.  The last two may be missing. */
enum tcl_call_kind {
	TCL_CALL_FREE,
	TCL_CALL_SWITCH,
	TCL_CALL_MAKE,
	TCL_CALL_LEAVE,
	TCL_CALL_ENTER,
	TCL_CALL_WATCH_LEAVE, /* behind the change of Proc.refCount */
	TCL_CALL_WATCH_ENTER,
	TCL_CALL_KINDS
};

/* Indexes of a place's offsets. */
enum tcl_call_offset {
	TCL_CALL_VAR_FRAME,  /* Interp.varFramePtr */
	TCL_CALL_PROC,	     /* ByteCode.procPtr */
	TCL_CALL_TAILCALL,   /* CallFrame.tailcallPtr */
	TCL_CALL_LEVEL,	     /* Interp.returnLevel */
	TCL_CALL_CODE,	     /* Interp.returnCode */
	TCL_CALL_STACK,	     /* CoroutineData.stackLevel */
	TCL_CALL_RESULT,     /* Interp.objResultPtr */
	TCL_CALL_FRAME_PROC, /* CallFrame.procPtr */
};

/* Frame words: frame_walker(WALKER_TCL, extra, sub, flags). */
enum tcl_sub {
	TCL_PROC =
		1, /* + namespace text, name text; and where the user has asked for
		       * it, text of its first argument */
	TCL_METHOD, /* + class namespace text, class name text, method text */
	TCL_LAMBDA, /* + text of the argument names, space separated */
	TCL_NAMESPACE, /* + namespace text */
	TCL_COMMAND,   /* + namespace text, name text, native word of its C
			*   function's entry point, text of its subcommand (0:
			*   it has none, or is not in tcl_subcommands) */
	TCL_COROUTINE, /* + namespace text, name text: base of a coroutine */
	TCL_UNNAMED,   /* a frame is here but it could not be named */
	TCL_SCRIPT, /* + text of the path: script of a file; for --lines only */
	TCL_LINE, /* no frame: where the next frame outward is running.  value48:
		   * line | enum tcl_line_kind << 32; + text of the file, for
		   * TCL_LINE_FILE */
	TCL_WORDS, /* no frame: words of a call, or its value; + a text each.  value48: a
		    * bit for each that is the name of its type only */
};

#define TCL_MAX_WORDS 8

/* What a line counts from, as `info frame` says it. */
enum tcl_line_kind {
	TCL_LINE_FILE = 1, /* the file's first line ("type source") */
	TCL_LINE_PROC,	   /* the body of the proc ("type proc") */
	TCL_LINE_EVAL,	   /* the script that is evaluated ("type eval") */
};

/* Bits of the value48 of a frame. */
enum tcl_flag {
	/* Same activation as the next Tcl frame outward: not to be shown. */
	TCL_DUPLICATE = 1 << 0,
	/* The name is the word as called, because the command was deleted or
	 * redefined meanwhile. */
	TCL_AS_TYPED = 1 << 1,
	TCL_CONSTRUCTOR = 1 << 2,
	TCL_DESTRUCTOR = 1 << 3,
};

#endif
