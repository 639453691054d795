/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The user side of the R walker, as the rest of the program sees it.
 *
 * R keeps its function calls in a chain of contexts (RCNTXT) from
 * R_GlobalContext outward; the kernel side walks it and needs to know where
 * the variable is and how a context is laid out.  The parts:
 *
 *   r_file      is this file R, and what kind   (r_scan, r_flow: read from
 *               machine code; r_layouts: the table;
 *               r_globals: variables; r_builtins: R_FunTab; r_functions;
 *               r_version)
 *   r_attach    prove it on a process           (r_symbols: its symbol table;
 *               r_proof: what a version not known must prove besides)
 *   r_name      words to names and lines        (r_place: where in the script
 *               a line is; r_expr: what a frame evaluates)
 *   r_script    the script that a process runs (r_source.bpf.c: where)
 *   r_errors    where errors are raised
 *   r_calls     where calls begin and end
 *   r_routines  what the libraries of packages register
 *   r_home      which program the command `R` of this host starts
 *   r_facts     all of it for people
 */
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>
#include <jpbpf/unwind.h>

#include "walkers/r/derive/r_file.h"
#include "walkers/r/prove/r_prove.h"
#include "walkers/r/text/r_text.h"
#include "walkers/walker.h"

extern const struct walker r_walker;

static int attach(pid_t pid, const struct module *m, u64 bias,
		  const struct maps *maps, void *data, void *value,
		  struct buf *why)
{
	struct r_chain chain;

	(void)m;
	(void)maps;
	return r_attach(pid, bias, data, value, &chain, why);
}

static void process_texts(const char *proc, pid_t pid, void *value,
			  const struct walker_keep *keep)
{
	struct r_process *p = value;

	p->script = r_script_read(proc, pid, keep);
}

/* The main loop, for the script that it runs.  Functions of several names: by which one
 * it was called, the kernel side can say; its index is not looked at. */
static size_t marks(const void *data, struct walker_mark *mark, size_t max)
{
	const struct r_file *file = data;
	const struct r_functions *b = &file->builtins;
	const u64 *loop = file->at.main_loop;
	size_t n = 0;

	if (loop[1])
		mark[n++] = (struct walker_mark){ loop[0], loop[1],
						  UNWIND_MARK_LINES };
	for (size_t i = 0; i < b->n && n < max; i++) {
		const struct r_function *f = &b->at[i];

		if (f->end && f->name && strchr(f->name, '|'))
			mark[n++] = (struct walker_mark){ f->start, f->end, 0 };
	}
	return n;
}

static size_t probes(const struct module *m, const void *data,
		     struct walker_probe *probe, size_t max)
{
	return max < 3 ? 0 : r_errors_find(data, m, probe);
}

static size_t calls(const struct walker_site *site, struct walker_call *call,
		    size_t max)
{
	return max < R_CALL_KINDS ? 0 : r_calls_find(site->data, site->m, call);
}

static const char *symbol(const void *data, u64 vaddr)
{
	return r_functions_name(&((const struct r_file *)data)->builtins,
				vaddr);
}

static void builtins(const struct module *m, const void *data,
		     void (*add)(void *ctx, u64 vaddr, const char *name),
		     void *ctx)
{
	(void)data;
	r_builtins_each(m, add, ctx);
}

static void registered(const struct module *m,
		       void (*add)(void *ctx, u64 vaddr, const char *name),
		       void *ctx)
{
	struct r_functions routines = { 0 };

	r_routines_read(&routines, m);
	for (size_t i = 0; i < routines.n; i++)
		add(ctx, routines.at[i].start, routines.at[i].name);
	r_functions_release(&routines);
}

static bool internal(const void *data, u64 vaddr)
{
	const struct module_function *own = &((const struct r_file *)data)->own;

	return !own->end || (vaddr >= own->start && vaddr < own->end);
}

/* A closure runs inside some Rf_eval(); when that is not known, anywhere. */
static u64 hidden(const void *data, u64 vaddr)
{
	const u64 *eval = ((const struct r_file *)data)->at.eval;

	if (eval[1] && (vaddr < eval[0] || vaddr >= eval[1]))
		return 0;
	return frame_walker(WALKER_R, 0, R_UNNAMED, 0);
}

/* src/main/Rmain.c, R-3-4-0 to R-4-6-1. */
static const char *const main_loops[] = { "Rf_mainloop", NULL };
static const char *const shell_calls[] = { "Rf_initialize_R",
					   "R_running_as_main_program", NULL };

static const char *const commands[] = { "R", "Rscript", NULL };

const struct walker r_walker = {
	.name = "r",
	.title = "R",
	.file = {
		.probe = r_file_probe,
		.forget = r_file_free,
		.marks = marks,
		.probes = probes,
		.calls = calls,
		.describe = r_file_describe,
		.facts = r_facts,
		.symbol = symbol,
		.internal = internal,
		.hidden = hidden,
		.registered = registered,
		.commands = builtins,
	},
	.process = {
		.map = "r_processes",
		.value_size = sizeof(struct r_process),
		.attach = attach,
		.texts = process_texts,
		.not_ready = R_NOT_READY,
		.unplaced = R_UNPLACED,
		.elsewhere = R_OTHER_THREAD,
	},
	.read = r_name,
	.language = {
		.commands = commands,
		.programs = r_home_programs,
		.main_loops = main_loops,
		.shell_calls = shell_calls,
		/* The one builtin that is a word of the language. */
		.glue = "(",
	},
};
