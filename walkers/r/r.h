/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the kernel side and the user side of the R walker share.
 *
 * Offsets follow src/include/Defn.h (RCNTXT) and src/include/Rinternals.h /
 * Defn.h (SEXPREC); the rows per version are in r_layouts.c.
 */
#ifndef JPBPF_WALKERS_R_H
#define JPBPF_WALKERS_R_H

#include <jpbpf/types.h>
#include <jpbpf/walkers.h>

#define R_NO_FIELD 0xffff

/* Probes at errors, r_cause.bpf.c.  param: offset of a vector's data, and a bit. */
enum r_cause_kind { R_CAUSE_CALL, R_CAUSE_SIGNAL, R_CAUSE_OBJECT };
#define R_CAUSE_WARNINGS (1u << 8)

/* Places of calls (r_calls.bpf.c).  The place's register has the context; at a jump, the
 * jmp_buf of the one that it goes to. */
enum r_call_kind { R_CALL_BEGIN, R_CALL_END, R_CALL_JUMP, R_CALL_KINDS };

/* Indexes of a place's offsets. */
enum r_call_offset {
	R_CALL_FUNCTION, /* R_CALL_BEGIN: of callfun, from the stack pointer */
	R_CALL_TARGET,	 /* RCNTXT.jumptarget */
	R_CALL_VALUE,	 /* RCNTXT.returnValue, the object */
	R_CALL_TAILS,	 /* 0: this R has no tail calls */
	R_CALL_DATA,	 /* of a vector */
};

/* Byte offsets; R_NO_FIELD = the field does not exist. */
struct r_layout {
	u16 size; /* of RCNTXT */
	u16 next, flags, callfun, sysparent, call, cloenv;
	u16 bcbody, bcpc, relpc, prstack, srcref;
	u16 vector_length, vector_data, char_hash; /* char_hash: truelength */
	u8 bcstack_cell;			   /* bytes of an R_bcstack_t */
	u8 layout;	/* 'A', 'B', 'C': for messages */
	u32 node_stack; /* cells in R's node stack */
	s32 promise_pc; /* from R_bcFrame's oldbcpc up to its prstack; 0: there is
			 * no such frame */
};

/* SEXPTYPE, src/include/Rinternals.h, R-4-2-2; in the low bits of an object. */
#define R_TYPE_MASK 31u

enum r_type {
	R_NILSXP = 0,
	R_SYMSXP = 1,
	R_LISTSXP = 2,
	R_CLOSXP = 3,
	R_ENVSXP = 4,
	R_PROMSXP = 5,
	R_LANGSXP = 6,
	R_BUILTINSXP = 8,
	R_CHARSXP = 9,
	R_LGLSXP = 10,
	R_INTSXP = 13,
	R_REALSXP = 14,
	R_STRSXP = 16,
	R_VECSXP = 19,
	R_EXPRSXP = 20,
	R_BCODESXP = 21,
};

#define R_UNION 32 /* src/include/Defn.h: the union of an object starts here */

/* One process with R; key: pid.  Addresses are of the process. */
struct r_process {
	struct r_layout layout;
	u64 global_context; /* of the variable R_GlobalContext */
	u64 node_stack_end; /* of the variable R_BCNodeStackEnd; 0: R < 3.6 */
	u64 toplevel;	    /* R_Toplevel itself: where the chain must end */
	u64 nil;	    /* value of R_NilValue */
	u64 global_env;	    /* value of R_GlobalEnv */
	u64 base_env;	    /* value of R_BaseEnv */
	u64 base_namespace; /* value of R_BaseNamespace */
	u64 unbound;	    /* value of R_UnboundValue */
	u64 symbol_table;   /* value of R_SymbolTable; 0 when unknown */
	u64 symbol_chains;  /* lists in it */
	/* What lines are found by; each 0 when unknown. */
	u64 srcref;	    /* of the variable R_Srcref */
	u64 in_bc;	    /* value of R_InBCInterpreter */
	u64 bc_body;	    /* of the variable R_BCbody */
	u64 bc_pc;	    /* of the variable R_BCpc */
	u64 pending;	    /* of the variable R_PendingPromises */
	u64 script;	    /* text id of what r_script.c says; 0: no script */
	u64 protected;	    /* of the variable R_PPStack; 0: what follows is not
			    * known */
	u64 protected_top;  /* of the variable R_PPStackTop */
	u64 fun_tab;	    /* of the array R_FunTab */
	u64 node_stack_top; /* of the variable R_BCNodeStackTop; 0: not known */
	u64 nodestack;	    /* offset in a context: what it was at begin */
	/* The code of these functions, start and end; 0: not known. */
	u64 eval[2], force_and_call[2], main_loop[2];
	u64 console;	/* of the variable R_ConsoleIob; 0: not known */
	u64 main_frame; /* end of run_Rmainloop()'s frame; 0: not seen yet */
};

/* Frame words: frame_walker(WALKER_R, extra, sub, flags). */
enum r_sub {
	R_FUNCTION = 1, /* + name text, package text or 0 */
	R_MEMBER,	/* + left text, right text; value48: enum r_operator */
	R_ANONYMOUS, /* no name: the call's head is a call or a closure.  If known:
		  * value48: a line, + texts of file, package or 0 */
	R_UNNAMED, /* a frame is here but it could not be named */
	R_PROMISE, /* an argument is evaluated; + text of its name, or none */
	R_METHOD,  /* + text of the generic, texts of the classes */
	R_PATH, /* no name, but what leads to it: R_EXPR but its first token */
	R_SOURCE, /* code of a file's top level; + text of the file's name, which
		      * a newline ends */
	/* No frame: as what the function just inward was called; + text */
	R_CALLED = 15,
	R_LINE,	 /* no frame: where the next frame outward is running.  value48:
		 * line | enum r_line_kind << 32; + text of the file, for
		 * R_LINE_FILE; + text of the expression (its first 255 bytes),
		 * its length in bytes, r_process.script, for R_LINE_SCRIPT */
	R_EXPR,	 /* no frame: what the next frame outward is evaluating */
	R_ASIDE, /* no frame: the next frame outward is not among the lexical
		  * callers of the innermost one */
	R_ARGUMENTS, /* no frame: R_EXPR of a list, the arguments of a call that
		      * begins */
};

/*
 * What is being evaluated, R_EXPR: value48 has the kinds of its tokens, 4 bits each,
 * the first lowest, 0 ends them; the payload is that of those that have one, in their
 * order.
 */
#define R_EXPR_TOKENS 12

enum r_expr_kind {
	R_EXPR_SYMBOL = 1, /* text */
	R_EXPR_STRING,	   /* text */
	R_EXPR_NULL,
	R_EXPR_OTHER, /* something else */
	R_EXPR_NAME,  /* text: the name of the argument that follows */
	R_EXPR_OPEN,  /* a call begins, with its function */
	R_EXPR_CLOSE, /* the call ends */
	R_EXPR_LOGICAL = R_LGLSXP, /* 32 bits */
	R_EXPR_INTEGER = R_INTSXP, /* 32 bits */
	R_EXPR_REAL = R_REALSXP,   /* the double's bits */
};

/* What R hashes these names to (r_symbols_hash()). */
#define R_HASH_FILENAME	 0x2c42e5u
#define R_HASH_LINES	 0x7304c3u
#define R_HASH_NAMESPACE 0x719bceu
#define R_HASH_SPEC	 0x7a6b3u

/* What a line counts from. */
enum r_line_kind {
	R_LINE_FILE = 1, /* the file's first line */
	R_LINE_TYPED,	 /* that of an expression at top level, of no file */
	R_LINE_SCRIPT,	 /* the same, in a process that runs a script */
};

enum r_operator {
	R_OP_NS = 1,
	R_OP_NS_HIDDEN,
	R_OP_DOLLAR,
	R_OP_AT,
	R_OP_SUBSET
};

#endif
