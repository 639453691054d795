/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Calls of chosen functions, as both sides see them.
 *
 * A function is known by words that identify it while it lives (call_key).  The first call
 * of one that is not known gets it a number, and sends a RECORD_CALL with the frame that
 * names it.  User space answers whether it is wanted.  Until then its calls are counted, so
 * none is lost.
 */
#ifndef JPBPF_CALL_H
#define JPBPF_CALL_H

#include <jpbpf/types.h>

/* How a call was left. */
enum call_left {
	CALL_RETURN,
	CALL_ERROR,
	CALL_BREAK,
	CALL_CONTINUE,
	CALL_OTHER, /* another code of Tcl */
	CALL_TAIL,  /* another call takes its place */
	CALL_JUMP,  /* longjmp(), an error of R, an exception of C++ */
	CALL_LEFT_COUNT,
	CALL_BEGINS = CALL_LEFT_COUNT, /* of a record: it is not left */
};

/* Which calls are told one by one. */
enum call_log { CALL_LOG_NONE, CALL_LOG_ENDS, CALL_LOG_BOTH };

/* How calls of functions are followed that can be watched (--mode). */
enum call_mode { CALL_MODE_ALL, CALL_MODE_WATCH, CALL_MODE_AUTO };

/* Instead of a walker id: functions of native code. */
#define CALL_NATIVE 255u

/* What a place of native code is. */
enum call_native {
	CALL_NATIVE_ENTER, /* address[0]: of the function, vaddr */
	CALL_NATIVE_LEAVE, /* a return */
	CALL_NATIVE_TAIL,  /* a jump to another function */
	CALL_NATIVE_JUMP,  /* longjmp(); the first value is its jmp_buf */
	CALL_NATIVE_CATCH, /* an exception has arrived where it is handled */
};

/* One place of one process at which calls begin or end.  The cookie of its uprobe is its
 * index in the map call_places. */
struct call_place {
	u8 walker;  /* enum walker_id, or CALL_NATIVE */
	u8 kind;    /* the walker's */
	u8 reg;	    /* whose value it gets first, by DWARF's numbers */
	u8 stepped; /* the kernel executes its instruction by single step */
	u8 third; /* of a watchpoint: whose value it gets as the third argument */
	u8 spare[3];
	u32 file;	/* file id of the module */
	u64 bias;	/* of the module in this process */
	u64 address[2]; /* the walker's: of variables, of functions */
	/* The walker's: of fields.  Of native code: of the return address from the stack
	 * pointer; 1 and the condition of a jump, by the processor's number, or 0.  Where an
	 * exception arrives: of what is kept. */
	s16 offset[16];
	u64 hits; /* where config.call_watch: calls that began here, chosen or not */
};

/* Functions that a thread's watchpoints can follow. */
#define CALL_WATCHES 4

/* Key of call_names: the beginning of a name, then zeroes; CALL_ANY_NAME: of every name. */
#define CALL_ANY_NAME "*"
struct call_name {
	char text[16];
};

struct call_key {
	u64 word[2]; /* the walker's */
	u32 pid, walker;
};

enum call_state { CALL_ASKED, CALL_WANTED, CALL_UNWANTED };

/* Value of call_functions.  It is changed as a whole. */
struct call_function {
	u32 id, state;
};

/* What user space says of a function, with on_answer. */
struct call_answer {
	struct call_key key;
	struct call_function function;
};

#define CALL_BUCKETS 64u /* by the binary logarithm of ns */

/* Value of call_rows, by function id.  Times are ns.  A call inside another one of the same
 * function adds nothing to total. */
struct call_row {
	u64 left[CALL_LEFT_COUNT];
	u64 total, self;
	u64 suspended; /* of it nothing: coroutines that waited */
	u64 ended;     /* calls that were open when their thread ended */
	u64 unseen;    /* of left[CALL_JUMP]: left without an event */
	u64 least, most;
	/* Of calls in these, those directly in them; where total counts, the number of these
	 * themselves, and of all in them. */
	u64 direct, outermost, inner;
	u64 bucket[CALL_BUCKETS];
};

/* What no other open call, or coroutine, of any process has. */
struct call_at {
	u64 address;
	u64 pid;
};

struct call_open {
	u64 pid;   /* 0: free, or not filled in yet */
	u64 outer; /* address of the open call around it in its thread; 0: none */
	u64 start;
	u64 child;     /* time of the calls directly in it that are wanted */
	u64 suspended; /* while its coroutine waited */
	u64 charged; /* of its time, what calls around it have in child already */
	u64 seen;    /* bits of the ids of it and all around it */
	u32 id, tid;
	u32 node,
		around; /* in call_nodes: its own, and that of the call around it */
	u16 walker;
	u8 nested;    /* a call of the same function is around it */
	u8 watched;   /* a watchpoint told of it, and a uprobe may still do */
	u32 function; /* the low half of its key's first word */
	u32 depth;    /* number of open calls around it */
	u32 direct;   /* calls that ended directly in it */
	u64 inner;    /* calls that ended in it, directly or not */
};

/* The calls that are open: a table of buckets, found by a hash of a tag, which a call's
 * address and pid make.  All tags of a bucket lie in one cache line. */
#define CALL_BUCKET_LOG 14
#define CALL_BUCKET	8u

struct call_bucket {
	u64 tag[CALL_BUCKET]; /* 0: free */
	struct call_open open[CALL_BUCKET];
};

/* Key and value of call_nodes: a stack of functions. */
struct call_step {
	u32 outer; /* node; 0: outermost */
	u32 id;
};

struct call_node {
	u32 node, spare;
	u64 calls, self;
};

/* Numbers of calls that were not followed.  All members are u64. */
struct call_lost {
	u64 functions; /* of functions that could not be asked for */
	u64 limited;   /* beyond --max-rate */
	u64 open;      /* for which there was no room */
	u64 stacks;    /* for whose stack there was no room */
	u64 records;   /* that were not told one by one (not lost) */
	/* Functions of chosen names that were made while others were watched: their first
	 * calls may be missing. */
	u64 made;
	u64 hits; /* of watchpoints, for which no program ran */
};

#endif
