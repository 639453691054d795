/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The R walker's state, one per CPU, and the caches behind its names. */
#ifndef JPBPF_WALKERS_R_KERNEL_R_STATE_BPF_H
#define JPBPF_WALKERS_R_KERNEL_R_STATE_BPF_H

#include "bpf/walk.bpf.h"
#include "walkers/r/r.h"

/* Header and payload of a non-vector object (src/include/Defn.h, SEXPREC,
 * R-4-2-2): sxpinfo, attrib, two GC links, three words. */
struct r_sexp {
	u64 info, attrib, gc_next, gc_prev;
	u64 u[3];
};

#define R_CONTEXT_WORDS 64u  /* room; R_CONTEXT_READ bytes are read */
#define R_CONTEXT_READ	264u /* up to cloenv: what a frame is made of */
#define R_MAX_CONTEXTS	16384u
#define R_MAX_CHAIN	32u  /* cells of one hash chain */
#define R_CTXT_FUNCTION 4u   /* src/include/Defn.h, R-4-2-2 */
#define R_CTXT_BUILTIN	64u  /* the same */
#define R_CSTACKTOP	216u /* offset in all layouts: R_PPStackTop at begin */
#define R_PROMARGS	224  /* the same: the arguments */
#define R_PROTECTED	16u  /* cells of R_PPStack that are looked at */
#define R_SOURCES	4u   /* source files remembered in one sample */
#define R_SIGNATURE	4u   /* classes shown of a method's signature */

/* Where the bytecode engine is. */
struct r_engine {
	u64 body;  /* what it runs; 0: not known */
	u64 pc_at; /* address of its pc */
	u64 cell; /* number of the cell at which it is; R_NO_CELL: as its pc says */
};

#define R_NO_CELL (~0ull)

/* Where the frame that is written next is running (r_line.bpf.c). */
struct r_lines {
	u64 srcref; /* what R_Srcref was there; 0: ask the next context outward */
	struct r_engine engine; /* if srcref is R_InBCInterpreter */
	u32 innermost;		/* no context has been left yet */
	u32 line, last;		/* of a srcref: its first line and its last */
	u32 unkept;		/* it was counted that R has kept no source */
	u32 failed;		/* the frame could not be named */
	u64 file;		/* of that srcref: its srcfile */
	struct r_source {
		u64 srcfile, time; /* of the sample */
		u64 text;	   /* 0: not a file, but ... */
		u64 script, bytes; /* ... this text; 0: not known */
	} source[R_SOURCES];
};

#define R_CHAINS    16u	   /* of a table that are read at once */
#define R_MAX_CELLS 32768u /* in the account: 3 ms, with cold caches 15 */
#define R_CELL_NS   5000u  /* ns to earn one cell; reading it takes 80 ns */

/* A search for what binds a function (r_binding.bpf.c). */
struct r_search {
	u32 state;  /* enum r_search_state */
	u32 base;   /* the cells hold symbols, which have the values */
	u64 symbol; /* by which the function is bound; 0: none was found yet */
	u64 table, chains; /* what is not read yet: its address, how much */
	u64 cell;	   /* the next one of the chain at hand; 0: none */
	u32 several,
		left; /* there are other symbols; cells that may be seen yet */
	u64 refilled; /* time of the sample that last added to left */
	u32 at, n;    /* of those below: the next one, how many */
	u64 chain[R_CHAINS];
};

enum r_search_state {
	R_SEARCH_NONE,
	R_SEARCH_ON, /* the frame is not written yet, r_binding_step() is wanted */
	R_SEARCH_DONE,
	R_SEARCH_FAILED, /* something could not be read */
};

struct r_walk {
	struct r_process p;
	u64 sp;			 /* of the sample */
	u64 context;		 /* address of the current context */
	u64 key;		 /* its place on the C stack */
	u64 last_key;		 /* of the one before */
	u64 last_node;		 /* address of the last one on the node stack */
	u64 node_low, node_high; /* R's node stack */
	u32 contexts;		 /* seen in this sample */
	u32 placed;		 /* frames written */
	u32 dropped;		 /* dead ones below the stack pointer */
	u32 in_block, spare;	 /* the context lies in w->block, not in word */
	u32 failed; /* a read behind the current frame's name has failed */
	u64 left;   /* address of the last context left; 0: none */
	u64 marked; /* CFA of a marked function whose caller is waited for;
			  * WAKE_NEVER: none */
	u64 protected[R_PROTECTED]; /* top of R_PPStack */
	u64 function, symbol;	    /* that are to be named */
	struct r_alias {
		u64 context, argument; /* being looked at, cell of promargs */
		u32 contexts, end;     /* taken so far; there are no more */
		u32 nameless, spare;   /* it was handed over by no name */
	} alias;
	u64 class; /* attribute of the function, see r_class.bpf.c; 0: none */
	u64 tag, value; /* symbol and value of the cell that r_find() found */
	struct {
		u64 left, right; /* texts */
		u64 path;	 /* address of the call's head */
		u32 op, spare;	 /* enum r_operator; 0: it is none of these */
	} member;
	struct r_r6 {
		u64 methods; /* environment of the function */
		u64 self, private, super, classes;
		u64 enclos;    /* symbol .__enclos_env__ */
		u32 n, number; /* of classes; that of the function's */
	} r6;
	struct r_sexp head, closure, scratch;
	struct r_search search;
	struct r_lines lines;
	struct r_expr {
		u64 call;   /* that the last context left was begun by ... */
		u32 inner;  /* ... if there was one */
		u32 tokens; /* so far */
		u64 kinds;
		u32 words, depth;  /* so far; of calls begun */
		u32 values, spare; /* promises are read as their values */
		u64 cell[4];	   /* what is left of the call in each depth */
		u64 word[16];
	} expr;
	struct r_pending {
		u64 at;	 /* cell of the list of promises */
		u64 key; /* its place on the C stack; WAKE_NEVER: no more */
	} pending;
	struct r_engine engine; /* of which r_constant() is to tell */
	u64 caller; /* environment of the next lexical caller; 0: any frame */
	u64 view;   /* kernel address of the current context; 0: not known */
	u64 word[R_CONTEXT_WORDS]; /* it, unless view is set or in_block is */
};

#define R_CACHE_SLOTS 2048u /* per CPU, both caches */

/* Symbol to text id.  Symbols and their names are never freed (names.c,
 * R_SymbolTable is a root of the collector), so nothing has to be re-checked. */
struct r_symbol {
	u64 symbol, text;
	u64 serial, spare;
};

/* Closure called by a name (0: by none) to what it is.  Address, body, environment
 * and name must all be as they were. */
struct r_closure {
	u64 function, body, env, symbol;
	/* Text ids. */
	u64 package, class; /* 0: none */
	u64 name;	    /* its own where this is remembered */
	u64 serial;
};

MAP(r_symbols, ARRAY, 0, R_CACHE_SLOTS, u32, struct r_symbol);

MAP(r_closures, ARRAY, 0, R_CACHE_SLOTS, u32, struct r_closure);

#define R_BINDINGS 8192u /* for all CPUs */

/* What is bound to a function, by the function's body.  A symbol here is only where to
 * look: whether it is bound to the function is read each time. */
struct r_bound {
	u64 function, env;
	u64 symbol; /* 0: none was found, or several */
	u64 until;  /* ns: so long it is not sought again */
	u64 serial;
	u32 huge, spare; /* there is too much to be searched */
};

MAP(r_bindings, LRU_HASH, 0, R_BINDINGS, u64, struct r_bound);

#endif
