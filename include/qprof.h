/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Quantify Interpreter Interface, on top of jpbpf-interp.h.
 *
 * Code written for Quantify (QProf.h, QProf.dll) compiles with this header and runs with
 * libjpbpf-interp, linked or by dlopen() and dlsym().  Unlike there, wrong arguments break
 * neither the program nor the profiler: what a call does then stands beside it, and how often
 * that was stands in the summary.
 *
 * A call before qprof_initialize() or after qprof_shutdown() does nothing.
 */
#ifndef QPROF_H
#define QPROF_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef QPROF_API
#define QPROF_API
#endif

typedef unsigned qprof_MethodID;
typedef unsigned qprof_StackID; /* 0 is none */
typedef unsigned qprof_ThreadID;
typedef unsigned long long qprof_Counts;

/* From this offset up to the next one's, code is of this line. */
typedef struct {
	unsigned start_offset;
	unsigned line;
} qprof_LineInfo;

#define QPROF_METHOD_FLAGS_NONE	  0
#define QPROF_METHOD_FLAGS_BLOCKS 1 /* blocks execution */
#define QPROF_METHOD_FLAGS_WAITS  2 /* waits for the system */

/* options: "name=value,name"; those in the environment's JPI_OPTIONS come first.  Known here:
 * summary=FILE, which qprof_shutdown() writes ("-": to standard error).  The callback is called
 * when a method is entered that is not registered, and can register it; NULL: none.  Returns 0; -1:
 * it has been called before, or no thread can have a stack. */
QPROF_API int
qprof_initialize(const char *options,
		 void (*callback_get_method_info)(qprof_MethodID));
/* Write the summary.  Readers find nothing from now on. */
QPROF_API void qprof_shutdown(void);
/* A number, if the value is one; 1, if it is "true" or there is none; else the text.  NULL: there
 * is no such option.  The text stays. */
QPROF_API void *qprof_get_option(const char *name);

/* Threads need not be told: each has a stack of its own, from its first entry to its end. */
QPROF_API void qprof_thread_create(qprof_ThreadID id);
QPROF_API void qprof_thread_destroy(qprof_ThreadID id);
/* Of the current thread. */
QPROF_API void qprof_set_thread_name(const char *name);

/* Of the frame entered last; 0: there is none. */
QPROF_API qprof_MethodID qprof_current_method_id(void);
/* Texts and table are copied.  Later entries of an id that is registered again are of the new
 * method.  A name that is NULL becomes "method ID"; a table that is not sorted is sorted. */
QPROF_API void qprof_register_method_id(qprof_MethodID id,
					const char *demangled_name,
					const char *class_name, int flags,
					const char *source_file,
					const qprof_LineInfo *line_number_table,
					int line_number_size);
/* stack_id: of the frame that is entered.  A method that nobody has registered is "method ID". */
QPROF_API void qprof_record_fn_entry(qprof_MethodID method_id,
				     qprof_StackID stack_id);
/* Control has come back to the frame of this id: all inward of it are left.  No frame has it:
 * all are left. */
QPROF_API void qprof_record_fn_exit(qprof_StackID id);

/* What a counter of this thread shows: what it has grown by is the current method's. */
QPROF_API void qprof_record_counts(qprof_Counts value);
/* The same, and the block that begins at this offset was run. */
QPROF_API void qprof_record_bb_counts(int bb_num, qprof_Counts value);
/* The block was run.  Samples say how long. */
QPROF_API void qprof_record_bb_time(int bb_num);

#ifdef __cplusplus
}
#endif

#endif
