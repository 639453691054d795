/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A recording: the format that docs/jpbpf.proto describes, as data.
 *
 * Ids count from 1; 0 is none.  Text ids, the frames' too, are the recording's.  The
 * members of a struct are in the order of the record's fields (layout.h).
 */
#ifndef JPBPF_USER_RECORDING_RECORDING_H
#define JPBPF_USER_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/call.h>
#include <jpbpf/types.h>

#include "user/lib/frame.h"

#define RECORDING_MAGIC	    "JPBPF\r\n\x1a"
#define RECORDING_MAGIC_LEN 8
#define RECORDING_MAJOR	    1
#define RECORDING_MINOR	    0
#define RECORDING_BLOCK_MAX (1u << 20) /* bytes of a payload */

/* The fields of Record. */
enum recording_kind {
	RECORDING_HEAD = 1,
	RECORDING_TEXT,
	RECORDING_MODULE,
	RECORDING_FUNCTION,
	RECORDING_FRAME,
	RECORDING_STACK,
	RECORDING_TASK,
	RECORDING_EVENT,
	RECORDING_SAMPLE,
	RECORDING_ADDRESS,
	RECORDING_MARK,
	RECORDING_LOSS,
	RECORDING_FORGET,
	RECORDING_SUMMARY,
	RECORDING_CALLS,
};

struct recording_head {
	const char *version, *host, *kernel, *options;
	u64 monotonic, realtime; /* ns */
};

struct recording_module {
	u32 name, path, build_id; /* text ids */
};

enum recording_role {
	RECORDING_MAIN = 1 << 0,
	RECORDING_START_UP = 1 << 1,
	RECORDING_LIBC = 1 << 2,
};

struct recording_function {
	u32 module, spare;
	u64 start;
	u32 name;
	u32 role;   /* enum recording_role */
	u32 walker; /* number + 1; 0: none */
	u32 script; /* names joined by "|" */
};

struct recording_stack {
	u32 outer, frame;
};

struct recording_task {
	u32 pid, tid, comm, program, cgroup;
};

struct recording_event {
	u32 name, unit;
	u64 interval;
};

struct recording_sample {
	u64 time, weight, value;
	u32 task, cpu, event, stack;
};

struct recording_inlined {
	u32 name, file, line;
};

struct recording_address {
	u32 frame, function, file, line;
	bool code;
	size_t inlines, first; /* first: of a list that the reader has */
	const struct recording_inlined *inlined; /* for the writer */
};

struct recording_note {
	u64 time;
	u32 text;
	u64 count;
};

/* What was counted of the calls of a function.  Times are ns. */
struct call_sums {
	u64 calls, open;
	u64 left[CALL_LEFT_COUNT];
	u64 total, self, suspended, least, most;
	u64 p50, p99; /* below which that part of the calls stays */
};

struct recording_calls {
	u32 language, name, id; /* text ids */
	u32 spare;
	struct call_sums sums;
};

struct recording_summary {
	u64 end, taken, kept, lost;
};

#endif
