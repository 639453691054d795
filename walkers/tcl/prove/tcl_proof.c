/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * These things can be checked of an interpreter at any time, even if it is idle:
 *
 *   - the name of its global namespace;
 *   - its call frames, up to the outermost;
 *   - every command of the global namespace: the hash table leads to the command, and
 *     the command points back to the table;
 *   - the procs among the commands, with their arguments' names.  init.tcl makes some
 *     procs in every interpreter.
 *
 * Structures point to each other, and a text has its length beside it, so each field is
 * proven by another one.  Two neighbours of one kind cannot be told apart: framePtr and
 * varFramePtr, or callerPtr and callerVarPtr, which differ only within an uplevel.  An
 * interpreter that is being made, or that has no procs, proves nothing.
 *
 * Together with the offsets in the machine code of the evaluator (tcl_trampoline.c) these
 * are most fields of struct tcl_layout.  The rest is proven when it is used: the kernel
 * side checks bytecode and its CmdFrame in each sample, and a name by the entry that must
 * lead back to its command.
 *
 * Structures are those of generic/tclInt.h, core-8-6-13.
 */
#include "walkers/tcl/prove/tcl_attach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/memory.h"
#include "walkers/tcl/derive/tcl_found.h"

#define MAX_FRAMES   100000
#define MAX_BUCKETS  65536u
#define MAX_ENTRIES  65536
#define MAX_ARGS     1000u
#define FEW_COMMANDS 32
#define FEW_NAMES    3 /* of four, because a program may replace one of them */

/* generic/tcl.h, Tcl_HashTable: the same in every version. */
#define TABLE_BUCKETS	  0
#define TABLE_NUM_BUCKETS 40
/* CallFrame.isProcCallFrame: all bits that there are. */
#define FRAME_BITS 0x1fu
#define FRAME_PROC 0x01u

struct proof {
	pid_t pid;
	const struct tcl_layout_row *row;
	u64 interp, ns, table;
	int commands, names, procs;
};

static u64 word_at(const struct proof *p, u64 address, s16 off)
{
	u64 word;

	if (!address || memory_read_u64(p->pid, address + (s64)off, &word))
		return 0;
	return word;
}

/* An int, or a Tcl_Size that is small. */
static u32 int_at(const struct proof *p, u64 address, s16 off)
{
	u64 word = word_at(p, address, off);

	return p->row->layout.wide_size && word >> 32 ? ~0u : (u32)word;
}

static bool text_at(const struct proof *p, u64 address, char *text, size_t size)
{
	return address && memory_read_text(p->pid, address, text, size) >= 0;
}

static bool frames_agree(const struct proof *p)
{
	const struct tcl_layout *l = &p->row->layout;
	u64 frame = word_at(p, p->interp, l->interp_frame), ns, proc;
	u32 flags;

	for (int i = 0; frame && i < MAX_FRAMES; i++) {
		ns = word_at(p, frame, l->frame_ns);
		flags = (u32)word_at(p, frame, l->frame_flags);
		proc = word_at(p, frame, l->frame_proc);
		if (word_at(p, ns, p->row->ns_interp) != p->interp ||
		    flags & ~FRAME_BITS)
			return false;
		if (flags & FRAME_PROC && word_at(p, proc, 0) != p->interp)
			return false;
		if (!word_at(p, frame, l->frame_caller))
			return !flags && !int_at(p, frame, l->frame_level);
		frame = word_at(p, frame, l->frame_caller);
	}
	return false;
}

static bool arguments_agree(const struct proof *p, u64 proc)
{
	const struct tcl_layout *l = &p->row->layout;
	u64 local = word_at(p, proc, l->proc_first_local);
	u32 args = int_at(p, proc, l->proc_num_args);
	char name[1024];

	if (args > MAX_ARGS)
		return false;
	for (; args; args--) {
		u32 len = int_at(p, local, l->local_name_length);

		if (!local ||
		    !text_at(p, local + (u64)l->local_name, name,
			     sizeof(name)) ||
		    (len < sizeof(name) && strlen(name) != len))
			return false;
		local = word_at(p, local, l->local_next);
	}
	return true;
}

/* The client data of a proc's command are its Proc, which knows the command.  True for
 * other commands. */
static bool proc_agrees(struct proof *p, u64 command)
{
	const struct tcl_layout *l = &p->row->layout;
	u64 proc = word_at(p, command, l->command_client_data), body;

	if (word_at(p, proc, 0) != p->interp ||
	    word_at(p, proc, l->proc_cmd) != command)
		return true;
	p->procs++;
	body = word_at(p, proc, l->proc_body);
	return word_at(p, command, l->command_obj_proc) &&
	       (l->command_nre_proc == TCL_NO_FIELD ||
		word_at(p, command, l->command_nre_proc)) &&
	       body && word_at(p, body, l->obj_bytes) &&
	       arguments_agree(p, proc);
}

static bool entry_agrees(struct proof *p, u64 entry)
{
	static const char *const names[] = { "set", "proc", "info", "rename" };
	const struct tcl_layout *l = &p->row->layout;
	u64 command = word_at(p, entry, l->entry_value);
	char name[128];

	if (word_at(p, entry, l->entry_table) != p->table ||
	    word_at(p, command, l->command_entry) != entry ||
	    word_at(p, command, l->command_ns) != p->ns ||
	    !text_at(p, entry + (u64)l->entry_key, name, sizeof(name)))
		return false;
	p->commands++;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		p->names += !strcmp(name, names[i]);
	return proc_agrees(p, command);
}

static bool commands_agree(struct proof *p)
{
	u32 n = int_at(p, p->table, TABLE_NUM_BUCKETS);
	u64 at = word_at(p, p->table, TABLE_BUCKETS), entry;
	_cleanup_free_ u64 *bucket = NULL;
	int left = MAX_ENTRIES;

	if (!n || n > MAX_BUCKETS)
		return false;
	bucket = xcalloc(n, sizeof(*bucket));
	if (memory_read(p->pid, at, bucket, n * sizeof(*bucket)))
		return false;
	for (u32 i = 0; i < n; i++)
		for (entry = bucket[i]; entry && left; left--) {
			if (!entry_agrees(p, entry))
				return false;
			entry = word_at(p, entry, 0);
		}
	/* A table with many commands and none of these has no names. */
	return p->names || p->commands < FEW_COMMANDS;
}

int tcl_proof(pid_t pid, const struct tcl_layout_row *row, u64 interp,
	      const char **unlike)
{
	struct proof p = { .pid = pid, .row = row, .interp = interp };
	char name[8];

	p.ns = word_at(&p, interp, row->layout.interp_global_ns);
	p.table = p.ns + (u64)row->ns_commands;
	*unlike = NULL;
	if (!text_at(&p, word_at(&p, p.ns, row->layout.ns_full_name), name,
		     sizeof(name)) ||
	    strcmp(name, "::") != 0)
		*unlike = "the global namespace";
	else if (!frames_agree(&p))
		*unlike = "the call frames";
	else if (!commands_agree(&p))
		*unlike = "the commands";
	if (*unlike)
		return -ENOTSUP;
	return p.commands >= FEW_COMMANDS && p.names >= FEW_NAMES && p.procs;
}
