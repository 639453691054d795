/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One row per range of versions in which no field moved.
 *
 * Compiled with offsetof() against the private headers of 8.5.0, 8.5.8, 8.5.19,
 * 8.6.0, 8.6.1, 8.6.2, 8.6.11, 8.6.13, 8.6.16, 8.6.18, 9.0.1, 9.0.4 and 9.1.0.
 * Build options (threads, memory or compile debugging, statistics) move none of
 * these fields.  All of it is for x86-64.  Not here: 8.7a1 and 8.7a2, whose Command
 * differs from that of their neighbours.
 *
 * A version that came later has the row of its neighbour before it, for a try.
 *
 * Files are those of the tag core-8-6-13 or, for 9.x, core-9-0-1.
 */
#include "walkers/tcl/derive/tcl_found.h"

/* clang-format off */

/* Every version: what comes before the first field that ever moved. */
#define LAYOUT_SAME \
	/* generic/tclInt.h: Interp */ \
	.interp_stub_table = 24, .interp_global_ns = 40, \
	/* generic/tclInt.h: CmdFrame */ \
	.cmd_frame_type = 0, .cmd_frame_level = 4, .cmd_frame_line = 8, \
	.cmd_frame_frame = 24, .cmd_frame_next = 32, .cmd_frame_code = 40, \
	/* generic/tclInt.h: CallFrame, Proc, CompiledLocal */ \
	.frame_ns = 0, .frame_flags = 8, \
	.proc_cmd = 16, .proc_body = 24, .proc_num_args = 32, \
	.local_next = 0, .local_name_length = 8, \
	/* generic/tclInt.h: Command, Namespace; tcl.h: Tcl_HashEntry */ \
	.command_entry = 0, .command_ns = 8, \
	.entry_table = 8, .entry_value = 24, .entry_key = 32, \
	.ns_full_name = 8, \
	/* generic/tcl.h: Tcl_Obj */ \
	.obj_bytes = 8, .obj_internal = 32, \
	/* generic/tclInt.h: CoroutineData, CorContext */ \
	.cor_cmd = 0, .cor_ee = 8, .cor_caller_ee = 16, .cor_caller = 24, \
	.corcontext_cmd_frame = 16, \
	/* generic/tclOOInt.h: MInvoke, Method, Class, Object */ \
	.invoke_size = 24, \
	.method_client_data = 16, .method_name = 24, \
	.method_object = 32, .method_class = 40, \
	.class_object = 0, .object_command = 16, \
	/* generic/tclOOInt.h: ProcedureMethod */ \
	.procedure_method_proc = 8, \
	.cmd_frame_pc = 48, .code_ns = 16, \
	/* generic/tcl.h: Tcl_HashTable; tclCompile.h: ExtCmdLoc, ECL */ \
	.table_buckets = 0, .ecl_type = 0

/* From 8.6 on: the evaluator does not recurse in C. */
#define LAYOUT_NRE \
	/* generic/tclInt.h: ExecEnv, NRE_callback */ \
	.exec_env_interp = 24, .exec_env_callback = 32, .exec_env_cor = 40, \
	.callback_data = 8, .callback_next = 40, \
	/* generic/tclExecute.c: TEBCdata */ \
	.tebc_code = 0

/*
 * 8.5: it does.  What an interpreter points to that points back is not its execEnv
 * but its handle (core-8-5-19).
 */
#define LAYOUT_85 \
	LAYOUT_INT, \
	.interp_exec_env = 32, .exec_env_interp = 0, \
	.exec_env_callback = TCL_NO_FIELD, .exec_env_cor = TCL_NO_FIELD, \
	.callback_data = TCL_NO_FIELD, .callback_next = TCL_NO_FIELD, \
	.tebc_code = TCL_NO_FIELD, .tebc_cmd_frame = TCL_NO_FIELD, \
	.command_nre_proc = TCL_NO_FIELD

/* 8.6 and 8.7. */
#define LAYOUT_8 \
	LAYOUT_INT, LAYOUT_NRE, \
	.interp_exec_env = 456, .command_nre_proc = 104, .loc_size = 24

/* 8.5, 8.6 and 8.7: sizes are int. */
#define LAYOUT_INT \
	LAYOUT_SAME, \
	.interp_frame = 160, \
	.frame_objv = 16, .frame_caller = 24, \
	.frame_level = 40, .frame_proc = 48, .frame_client_data = 80, \
	.proc_first_local = 40, .local_name = 40, \
	.command_obj_proc = 32, .command_client_data = 40, \
	/* generic/tclOOInt.h: CallContext, CallChain */ \
	.context_chain = 16, \
	.chain_flags = 12, .chain_count = 20, .chain_items = 24, \
	.interp_cmd_frame = 952, .interp_line_bc = 984, \
	/* generic/tclCompile.h: ByteCode */ \
	.code_proc = 48, .code_commands = 64, .code_start = 104, \
	.code_code_delta = 136, .code_code_length = 144, \
	.code_src_delta = 152, \
	.table_shift = 52, .table_mask = 56, \
	.ecl_path = 8, .ecl_loc = 16, .ecl_used = 28, \
	.loc_line = 8, \
	.wide_size = 0

/* 9.0 and 9.1: sizes are Tcl_Size, 8 bytes; Interp lost its string result. */
#define LAYOUT_9 \
	LAYOUT_SAME, LAYOUT_NRE, \
	.tebc_cmd_frame = 24, \
	.interp_frame = 88, .interp_exec_env = 400, \
	.frame_objv = 24, .frame_caller = 32, \
	.frame_level = 48, .frame_proc = 56, .frame_client_data = 88, \
	.proc_first_local = 48, .local_name = 44, \
	/* 9.1 calls the last three objProc2, objClientData2, nreProc2. */ \
	.command_obj_proc = 40, .command_client_data = 48, \
	.command_nre_proc = 112, \
	.context_chain = 24, \
	.chain_flags = 24, .chain_count = 40, .chain_items = 48, \
	.interp_cmd_frame = 720, .interp_line_bc = 752, \
	.code_proc = 56, .code_commands = 72, .code_start = 144, \
	.code_code_delta = 176, .code_code_length = 184, \
	.code_src_delta = 192, \
	.table_shift = 72, .table_mask = 64, \
	.ecl_path = 16, .ecl_loc = 24, .ecl_used = 40, \
	.loc_size = 32, .loc_line = 16, \
	.wide_size = 1

#define PROOF_8 \
	.interp_handle = 32, .ns_interp = 136, .ns_commands = 160, \
	.interp_thread = 688
#define PROOF_9 \
	.interp_handle = 32, .ns_interp = 152, .ns_commands = 184, \
	.interp_thread = 424

static const struct tcl_layout_row rows[] = {
	/* ECL gained a member in 8.5.8.  The one of 8.5.9 in ExtCmdLoc, and those of
	 * 8.5.4 in Interp, are where nothing is read. */
	{ "8.5.0 to 8.5.7", 0x080500, 0x080507, { LAYOUT_85, .loc_size = 16 }, PROOF_8 },
	{ "8.5.8 to 8.5.x", 0x080508, 0x080519, { LAYOUT_85, .loc_size = 24 }, PROOF_8 },
	/* TEBCdata still holds pc, cleanup and checkInterp.  In 8.6.1 CmdFrame gained
	 * cmdObj, behind everything that is read here. */
	{ "8.6.0 to 8.6.1", 0x080600, 0x080601, { LAYOUT_8, .tebc_cmd_frame = 48 },
	  PROOF_8 },
	{ "8.6.2 to 8.6.x", 0x080602, 0x080618, { LAYOUT_8, .tebc_cmd_frame = 24 },
	  PROOF_8 },
	/* Alpha versions; there was no other. */
	{ "8.7.0 to 8.7.x", 0x080700, 0x080700, { LAYOUT_8, .tebc_cmd_frame = 24 },
	  PROOF_8 },
	{ "9.0.0 to 9.0.x", 0x090000, 0x090004, { LAYOUT_9 }, PROOF_9 },
	{ "9.1.0 to 9.1.x", 0x090100, 0x090100, { LAYOUT_9 }, PROOF_9 },
};
/* clang-format on */

const struct tcl_layout_row *tcl_layouts_find(u32 version)
{
	const struct tcl_layout_row *row = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (version >= rows[i].first &&
		    version >> 16 == rows[i].first >> 16)
			row = &rows[i];
	return row;
}

bool tcl_layouts_known(const struct tcl_layout_row *row, u32 version)
{
	return version >= row->first && version <= row->seen;
}
