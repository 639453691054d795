/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The row of the installed Tcl against offsetof() on its private headers, and
 * which versions have a row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "walkers/tcl/derive/tcl_found.h"

#if __has_include(<tclOOInt.h>)
#define HAVE_PRIVATE_HEADERS 1
/* What configure would have told the headers. */
#define HAVE_UNISTD_H	1
#define HAVE_STDINT_H	1
#define HAVE_INTTYPES_H 1
#define HAVE_INTPTR_T	1
#define HAVE_UINTPTR_T	1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wshadow"
#include <tclInt.h>
#include <tclCompile.h>
#include <tclOOInt.h>
#pragma GCC diagnostic pop
#endif

static void test_installed(void **state)
{
	(void)state;
#ifdef HAVE_PRIVATE_HEADERS
	const struct tcl_layout_row *row =
		tcl_layouts_find(tcl_version_number(TCL_PATCH_LEVEL));
	const struct {
		const char *name;
		u16 row;
		size_t header;
	} fields[] = {
#define ROW(field, type, member) \
	{ #field, row->layout.field, offsetof(type, member) }
		ROW(interp_stub_table, Interp, stubTable),
		ROW(interp_global_ns, Interp, globalNsPtr),
		ROW(interp_frame, Interp, framePtr),
		ROW(interp_exec_env, Interp, execEnvPtr),
		ROW(code_ns, ByteCode, nsPtr),
		ROW(interp_cmd_frame, Interp, cmdFramePtr),
		ROW(interp_line_bc, Interp, lineBCPtr),
		ROW(cmd_frame_pc, CmdFrame, data.tebc.pc),
		ROW(code_commands, ByteCode, numCommands),
		ROW(code_start, ByteCode, codeStart),
		ROW(code_code_delta, ByteCode, codeDeltaStart),
		ROW(code_code_length, ByteCode, codeLengthStart),
		ROW(code_src_delta, ByteCode, srcDeltaStart),
		ROW(table_buckets, Tcl_HashTable, buckets),
		ROW(table_shift, Tcl_HashTable, downShift),
		ROW(table_mask, Tcl_HashTable, mask),
		ROW(ecl_type, ExtCmdLoc, type),
		ROW(ecl_path, ExtCmdLoc, path),
		ROW(ecl_loc, ExtCmdLoc, loc),
		ROW(ecl_used, ExtCmdLoc, nuloc),
		ROW(loc_line, ECL, line),
		ROW(exec_env_interp, ExecEnv, interp),
		ROW(exec_env_callback, ExecEnv, callbackPtr),
		ROW(exec_env_cor, ExecEnv, corPtr),
		ROW(callback_data, NRE_callback, data),
		ROW(callback_next, NRE_callback, nextPtr),
		ROW(cmd_frame_type, CmdFrame, type),
		ROW(cmd_frame_level, CmdFrame, level),
		ROW(cmd_frame_line, CmdFrame, line),
		ROW(cmd_frame_frame, CmdFrame, framePtr),
		ROW(cmd_frame_next, CmdFrame, nextPtr),
		ROW(cmd_frame_code, CmdFrame, data.tebc.codePtr),
		ROW(frame_ns, CallFrame, nsPtr),
		ROW(frame_flags, CallFrame, isProcCallFrame),
		ROW(frame_objv, CallFrame, objv),
		ROW(frame_caller, CallFrame, callerPtr),
		ROW(frame_level, CallFrame, level),
		ROW(frame_proc, CallFrame, procPtr),
		ROW(frame_client_data, CallFrame, clientData),
		ROW(proc_cmd, Proc, cmdPtr),
		ROW(proc_body, Proc, bodyPtr),
		ROW(proc_num_args, Proc, numArgs),
		ROW(proc_first_local, Proc, firstLocalPtr),
		ROW(local_next, CompiledLocal, nextPtr),
		ROW(local_name, CompiledLocal, name),
		ROW(local_name_length, CompiledLocal, nameLength),
		ROW(command_entry, Command, hPtr),
		ROW(command_ns, Command, nsPtr),
		ROW(command_obj_proc, Command, objProc),
		ROW(command_client_data, Command, objClientData),
		ROW(command_nre_proc, Command, nreProc),
		ROW(entry_value, Tcl_HashEntry, clientData),
		ROW(entry_key, Tcl_HashEntry, key),
		ROW(ns_full_name, Namespace, fullName),
		ROW(obj_bytes, Tcl_Obj, bytes),
		ROW(obj_internal, Tcl_Obj, internalRep),
		ROW(cor_cmd, CoroutineData, cmdPtr),
		ROW(cor_ee, CoroutineData, eePtr),
		ROW(cor_caller_ee, CoroutineData, callerEEPtr),
		ROW(cor_caller, CoroutineData, caller),
		ROW(corcontext_cmd_frame, CorContext, cmdFramePtr),
		ROW(context_chain, CallContext, callPtr),
		ROW(chain_count, CallChain, numChain),
		ROW(chain_items, CallChain, chain),
		ROW(chain_flags, CallChain, flags),
		ROW(method_client_data, Method, clientData),
		ROW(method_name, Method, namePtr),
		ROW(method_object, Method, declaringObjectPtr),
		ROW(method_class, Method, declaringClassPtr),
		ROW(class_object, Class, thisPtr),
		ROW(object_command, Object, command),
		ROW(procedure_method_proc, ProcedureMethod, procPtr),
#undef ROW
		{ "invoke_size", row->layout.invoke_size,
		  sizeof(struct MInvoke) },
		{ "interp_handle", row->interp_handle,
		  offsetof(Interp, handle) },
		{ "ns_interp", row->ns_interp, offsetof(Namespace, interp) },
		{ "ns_commands", row->ns_commands,
		  offsetof(Namespace, cmdTable) },
		{ "interp_thread", row->interp_thread,
		  offsetof(Interp, threadId) },
	};

	assert_non_null(row);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].row != (u16)fields[i].header)
			fail_msg("%s: %d in the row, %zu in the header",
				 fields[i].name, fields[i].row,
				 fields[i].header);
	assert_int_equal(row->layout.wide_size,
			 sizeof(((CallFrame *)0)->objc) == 8);
#else
	print_message("no private headers of Tcl are installed\n");
	skip();
#endif
}

static void test_versions(void **state)
{
	const struct {
		const char *version;
		bool row, known;
		u16 exec_env, tebc_cmd_frame;
	} cases[] = {
		{ "8.4.20", false, false, 0, 0 },
		{ "8.5.0", true, true, 32, TCL_NO_FIELD },
		{ "8.5.7", true, true, 32, TCL_NO_FIELD },
		{ "8.5.19", true, true, 32, TCL_NO_FIELD },
		{ "8.5.20", true, false, 32, TCL_NO_FIELD },
		{ "8.6.0", true, true, 456, 48 },
		{ "8.6.1", true, true, 456, 48 },
		{ "8.6.2", true, true, 456, 24 },
		{ "8.6.13", true, true, 456, 24 },
		{ "8.6.18", true, true, 456, 24 },
		{ "8.6.19", true, false, 456, 24 },
		{ "8.7a5", true, true, 456, 24 },
		{ "8.8.0", true, false, 456, 24 },
		{ "9.0b1", true, true, 400, 24 },
		{ "9.0.1", true, true, 400, 24 },
		{ "9.0.5", true, false, 400, 24 },
		{ "9.1.0", true, true, 400, 24 },
		{ "9.2.0", true, false, 400, 24 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct tcl_layout_row *row =
			tcl_layouts_find(tcl_version_number(cases[i].version));

		assert_int_equal(!!row, cases[i].row);
		if (!row)
			continue;
		assert_int_equal(
			tcl_layouts_known(row,
					  tcl_version_number(cases[i].version)),
			cases[i].known);
		assert_int_equal(row->layout.interp_exec_env,
				 cases[i].exec_env);
		assert_int_equal(row->layout.tebc_cmd_frame,
				 cases[i].tebc_cmd_frame);
	}
}

static void test_number(void **state)
{
	const struct {
		const char *text;
		u32 number;
	} cases[] = {
		{ "8.6.13", 0x080613 }, { "9.0.4", 0x090004 },
		{ "8.7a5", 0x080700 },	{ "9.0b1", 0x090000 },
		{ "8.6", 0 },		{ "8.6.", 0 },
		{ "8.6.131", 0 },	{ "8.6.13x", 0 },
		{ "3.40.1", 0 },	{ "1.2.13", 0 },
		{ "8..1", 0 },		{ "", 0 },
		{ "10.0.1", 0 },	{ "8.6c1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(tcl_version_number(cases[i].text),
				 cases[i].number);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_installed),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
