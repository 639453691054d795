/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user side of the Tcl walker, as the rest of the program sees it.
 *
 * A file is recognised by what is in it: it defines Tcl's stub table
 * (tcl_stubs). So the shared libraries are found under any name, and programs
 * with Tcl linked in, stripped ones too; an extension, which only imports from
 * Tcl, is not.  All else is read from machine code and checked against itself:
 *
 *   tcl_version     which version
 *   tcl_layouts     that version's fields
 *   tcl_trampoline  the evaluator's loop and its registers
 *                   (tcl_loop: one loop; arch/code: instructions,
 *                   values: what is in a register)
 *   tcl_recursive   the same for a Tcl that has no such loop (tcl_keeper: the
 *                   engine's)
 *   tcl_functions   functions without symbols
 *   tcl_errors      where errors are raised
 *   tcl_calls       where calls begin and end
 *   tcl_track       where the bytecode engine has its pc
 *   tcl_attach      the proof on a process
 *   tcl_proof       a longer one, for versions that nobody has looked at
 *   tcl_name        frame to text
 *   tcl_facts       all of it for people, and how configured
 *   tcl_subcommands commands whose first argument tells more
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/tcl/prove/tcl_attach.h"
#include "walkers/tcl/text/tcl_text.h"

extern const struct walker tcl_walker;

static int refuse(struct buf *why, const char *text)
{
	buf_adds(why, text);
	return -ENOTSUP;
}

/* 8.7a1 and 8.7a2: Command is not what it is before and after.  What came before 8.5.0
 * is laid out in ways of its own. */
static bool is_odd(const char *version)
{
	return !strcmp(version, "8.7a1") || !strcmp(version, "8.7a2") ||
	       !strncmp(version, "8.5a", 4) || !strncmp(version, "8.5b", 4);
}

/* 1: it is Tcl and its row is known; 0: it is not Tcl; -errno. */
static int find_version(const struct module *m, struct tcl_found *t,
			struct buf *why)
{
	int err;

	if (!tcl_stubs_find(m, &t->stubs))
		return 0;
	err = tcl_version_find(m, t->stubs.major, &t->version);
	if (err == -EEXIST)
		return refuse(why, "it contains the version numbers of more "
				   "than one Tcl");
	if (err)
		return refuse(why, "it is Tcl, but its version cannot be told");
	t->row = tcl_layouts_find(t->version.number);
	if (t->row && !tcl_layouts_known(t->row, t->version.number))
		t->unknown = t->version.text;
	if (t->row && !is_odd(t->version.text))
		return 1;
	buf_addf(why,
		 "Tcl %s is not supported, versions from 8.5.0 on are; of this "
		 "one, only C functions are shown",
		 t->version.text);
	return -ENOTSUP;
}

static void not_understood(const struct tcl_found *t, struct buf *why)
{
	if (!t->unknown)
		buf_addf(why, "Tcl %s, compiled in a way not understood: ",
			 t->version.text);
	else
		buf_addf(why,
			 "Tcl %s is not known here, and its code is not like "
			 "that of %s (please report it, with the output of "
			 "\"jpbpf info FILE\"): ",
			 t->version.text, t->row->versions);
}

static int find_code(const struct module *m, struct tcl_found *t,
		     struct buf *why)
{
	const char *missing;

	if (t->row->layout.callback_next == TCL_NO_FIELD)
		missing = tcl_recursive_find(t, m);
	else if (tcl_trampolines_find(t, m))
		return refuse(why, "it has no unwind information (.eh_frame)");
	else if (t->unproven)
		missing = "no proof for the evaluator's call";
	else if (!t->file.trampolines)
		missing = "the evaluator's loop was not found";
	else
		missing = tcl_functions_find(t, m);
	if (!missing)
		return 1;
	not_understood(t, why);
	buf_adds(why, missing);
	if (t->unproven)
		buf_addf(why, " at 0x%llx", t->unproven);
	return -ENOTSUP;
}

/* A library is Tcl from end to end.  In a program Tcl's code is one run: objects of a
 * library are linked one after the other.  Its ends are those of the functions in the
 * stub tables, which are from nearly all of Tcl's objects, and Dispatch, which is near
 * the beginning of the first object, tclBasic.o. */
static void find_own_code(const struct module *m, struct tcl_found *t)
{
	if (!m->is_exec)
		return;
	tcl_stubs_range(m, &t->stubs, &t->own);
	if (!t->own.end)
		return;
	module_range_add(m, t->file.tebc_start, &t->own);
	module_range_add(m, t->file.dispatch, &t->own);
}

static int probe(const struct module *m, void **data, struct buf *why)
{
	struct tcl_found *t = xcalloc(1, sizeof(*t));
	int found = find_version(m, t, why);

	if (found > 0)
		found = find_code(m, t, why);
	if (found <= 0) {
		free(t);
		return found;
	}
	tcl_config_read(&t->config, m);
	t->file.layout = t->row->layout;
	t->file.stubs = t->stubs.table;
	find_own_code(m, t);
	*data = t;
	return 1;
}

static void forget(void *data)
{
	struct tcl_found *t = data;

	pairs_release(&t->config);
	free(t);
}

static void find_lines(const struct module *m, void *data)
{
	struct tcl_found *t = data;
	struct tcl_file *file = &t->file;

	file->pc_ranges = tcl_track_find(file->pc_range, m, file->tebc_start);
	/* The engine of a Tcl that recurses is marked already. */
	if (file->recursion.calls)
		return;
	if (file->pc_ranges)
		tcl_found_mark(t, file->tebc_start, file->tebc_end,
			       UNWIND_MARK_LINES);
	tcl_keeper_eval(t, m);
}

static size_t marks(const void *data, struct walker_mark *mark, size_t max)
{
	const struct tcl_found *t = data;
	size_t n = t->n_ranges < max ? t->n_ranges : max;

	memcpy(mark, t->range, n * sizeof(*mark));
	return n;
}

static size_t probes(const struct module *m, const void *data,
		     struct walker_probe *probe, size_t max)
{
	return max && tcl_errors_find(data, m, probe);
}

static size_t calls(const struct walker_site *site, struct walker_call *call,
		    size_t max)
{
	return max < TCL_CALL_KINDS ? 0
				    : tcl_calls_find(site->data, site->m, call);
}

static void builtins(const struct module *m, const void *data,
		     void (*add)(void *ctx, u64 vaddr, const char *name),
		     void *ctx)
{
	tcl_builtins(data, m, add, ctx);
}

static void describe(const void *data, struct buf *out)
{
	const struct tcl_found *t = data;

	buf_addf(out, "Tcl %s", t->version.text);
	if (t->unknown)
		buf_addf(out, " (not known; tried as %s)", t->row->versions);
	tcl_config_describe(&t->config, out);
}

static void file_value(const void *data, void *value)
{
	memcpy(value, &((const struct tcl_found *)data)->file,
	       sizeof(struct tcl_file));
}

/* What one interpreter has proven is the file's: the next process need not be looked
 * at. */
static int attach(pid_t pid, const struct module *m, u64 bias,
		  const struct maps *maps, void *data, void *value,
		  struct buf *why)
{
	struct tcl_found *t = data;
	struct tcl_attach a = { .found = t, .pid = pid, .bias = bias };
	int got = t->proven ? 1 : tcl_attach(&a, maps, NULL, why);

	(void)m;
	(void)value;
	t->proven = got == 1;
	return got == 2 ? 1 : got;
}

static bool internal(const void *data, u64 vaddr)
{
	const struct module_function *own =
		&((const struct tcl_found *)data)->own;

	return !own->end || (vaddr >= own->start && vaddr < own->end);
}

/* Any entry into the evaluator may have some. */
static u64 hidden(const void *data, u64 vaddr)
{
	const struct tcl_file *f = &((const struct tcl_found *)data)->file;

	for (u32 i = 0; i < f->trampolines; i++)
		if (vaddr >= f->trampoline[i].start &&
		    vaddr < f->trampoline[i].end)
			return frame_walker(WALKER_TCL, 0, TCL_UNNAMED, 0);
	return 0;
}

/* unix/tclAppInit.c and unix/tkAppInit.c, core-8-5-0 to core-9-1-0. */
static const char *const main_loops[] = { "Tcl_MainEx", "Tk_MainEx", "Tcl_Main",
					  "Tk_Main", NULL };
static const char *const shell_calls[] = {
	"TclZipfs_AppHook",
	"Tcl_CreateInterp",
	"Tcl_DStringToObj",
	"Tcl_EvalEx",
	"Tcl_FSTildeExpand",
	"Tcl_FindExecutable",
	"Tcl_Init",
	"Tcl_NewStringObj",
	"Tcl_ObjSetVar2",
	"Tcl_ResetResult",
	"Tcl_SetPanicProc",
	"Tcl_SetVar",
	"Tcl_SetVar2",
	"Tcl_SetVar2Ex",
	"Tcl_StaticLibrary",
	"Tcl_StaticPackage",
	"Tk_Init",
	"Tk_SafeInit",
	NULL,
};

/* Their names on Debian, and where Tcl installs itself. */
static const char *const commands[] = { "tclsh",    "tclsh8.6", "tclsh8.7",
					"tclsh9.0", "tclsh9.1", NULL };

const struct walker tcl_walker = {
	.name = "tcl",
	.title = "Tcl",
	.file = {
		.probe = probe,
		.forget = forget,
		.find_lines = find_lines,
		.marks = marks,
		.probes = probes,
		.calls = calls,
		.watches = true,
		.commands = builtins,
		.describe = describe,
		.facts = tcl_facts,
		.config = tcl_facts_config,
		.map = "tcl_files",
		.value_size = sizeof(struct tcl_file),
		.value = file_value,
		.internal = internal,
		.hidden = hidden,
	},
	.process = {
		.attach = attach,
		.not_ready = TCL_NOT_READY,
	},
	.read = tcl_name,
	.language = {
		.map = "tcl_subcommands",
		.commands = commands,
		.main_loops = main_loops,
		.shell_calls = shell_calls,
		.keys = tcl_subcommands_keys,
	},
};
