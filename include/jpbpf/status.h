/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Every way in which a sample, a walk or an interpreter frame can be incomplete.
 *
 * One list makes the enum, the counters, the status frames and the sentences in the
 * closing summary, so they cannot disagree.  The walkers' own statuses follow, from
 * walkers/NAME/NAME.def.
 *
 *   X(id, class, "sentence")
 *     ROOT   the stack is whole
 *     LOST   the sample is not in the profile
 *     CUT    the native walk ended early; the status frame stands at the end
 *     MISSING an interpreter's frames may be missing; the status frame stands there
 *     WALKER an interpreter's frame could not be named or finished
 *     HOST   something other than a sample or a frame was lost
 *     NATIVE how a native frame was found, when not by unwind information
 *     NOTE   nothing is missing; only --stats tells it
 */
#ifndef JPBPF_STATUS_H
#define JPBPF_STATUS_H

/* clang-format off */
#define WALK_STATUSES(X) \
	X(WALK_ROOT, ROOT, "root reached") \
	X(WALK_KERNEL_THREAD, ROOT, "no user stack (kernel thread or kernel only)") \
	X(LOST_RING_FULL, LOST, "ring buffer full") \
	X(LOST_BUSY, LOST, "sampled while sampling") \
	X(LOST_NOT_READY, LOST, "process not examined yet, and no room to keep the sample") \
	X(CUT_NO_REGISTERS, CUT, "no user registers") \
	X(CUT_32BIT, CUT, "32-bit code is not supported") \
	X(CUT_NO_MAPPING, CUT, "address in no known mapping") \
	X(CUT_NOT_READY, CUT, "unwind table not built yet") \
	X(CUT_NO_TABLE, CUT, "file has no unwind information") \
	X(CUT_NO_RULE, CUT, "no unwind information for this address") \
	X(CUT_UNSUPPORTED, CUT, "unwind rule not supported") \
	X(CUT_LOST_REGISTER, CUT, "register needed by the unwind rule is not known") \
	X(CUT_STACK_READ, CUT, "stack memory unreadable") \
	X(CUT_NOT_RISING, CUT, "stack address did not rise") \
	X(CUT_NULL_RETURN, CUT, "return address is null") \
	X(CUT_DEPTH, CUT, "more frames than the limit") \
	X(HOST_NOTICE_LOST, HOST, "notices of processes (ring buffer full)") \
	X(WALK_EXEC, ROOT, "no user stack (a program is being started)") \
	X(CUT_NOT_KEPT, CUT, "more stack than was kept until the tables were ready") \
	X(NATIVE_CHAIN, NATIVE, "by frame pointer") \
	X(CUT_NO_ROOM, CUT, "no room for the unwind table (see --max-memory)") \
	X(HOST_NO_ROOM, HOST, "processes: no room for their mappings (see --max-memory)") \
	X(LOST_NO_MEMORY, LOST, "no memory for more samples that wait (see --max-memory)") \
	X(CUT_SWITCH, CUT, "stack switched by Go's runtime without a way back") \
	X(HOST_PROCESSES, HOST, "processes: no room for so many (see --max-memory)") \
	X(HOST_FILES, HOST, "looks at files: no room for so many (see --max-memory)") \
	X(CUT_NO_FILE, CUT, "no room for so many files (see --max-memory)") \
	X(HOST_STACKS, HOST, "stacks of samples: no room for so many (see --max-memory)") \
	X(HOST_TEXTS, HOST, "names: no room for so many (see --max-memory)") \
	X(CUT_REPLACED, CUT, "code was just replaced by other code at its address") \
	X(HOST_ROOTS, HOST, "files of containers: debug files not looked for in more than 1,024 at a time") \
	X(CUT_FORGOTTEN, CUT, "too many new mappings to know what was there at that time") \
	X(HOST_SCRIPTS, HOST, "scripts: no room for the text of so many (see --max-memory)") \
	X(LOST_RING_BUSY, LOST, "ring buffer in use by another CPU at that moment") \
	X(HOST_RECORDS, HOST, "records of the ring buffer that make no sense") \
	X(WALK_USER_MODE, ROOT, "user mode, where no kernel frame is (-K)") \
	X(HOST_UNCHOSEN, HOST, "processes that ended before it was known whether they are chosen (--comm, --uid, -G)") \
	X(CUT_TIME, CUT, "walk of more than 3 ms (see --max-cost)") \
	X(LOST_UNWRITTEN, LOST, "not written: the recording ended before")
/* clang-format on */

enum walk_status {
#define WALKER_STATUS(id, class, text) id,
	WALK_STATUSES(WALKER_STATUS)
#include "walkers/walkers.def"
		WALK_STATUS_COUNT
};

#endif
