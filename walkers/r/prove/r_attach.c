/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The proof is one walk along the chain of contexts.  It must end in
 * R_Toplevel, the one context that is not on a stack: a variable in .bss whose
 * nextcontext is NULL, callflag is CTXT_TOPLEVEL and call is R_NilValue
 * (setup_Rmainloop() in src/main/main.c).
 *
 * R runs meanwhile, so the inner end of the chain can be gone before it is read
 * and the walk ends in nonsense.  Then it is walked again.  A walk that reached
 * R_Toplevel is right whatever happened on its way: nothing else looks so.
 */
#include "walkers/r/prove/r_attach.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/target/memory.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/r/prove/r_proof.h"
#include "walkers/r/prove/r_symbols.h"
#include "walkers/r/derive/r_version.h"

#define MAX_WALKS    50
#define MAX_CONTEXTS 400000 /* in all walks together */
#define HEAD	     320    /* bytes of a context that are read */

/* One process during its attach. */
struct target {
	pid_t pid;
	u64 bias;
	const struct r_file *file;
};

static u64 word(const u8 *context, s16 offset)
{
	u64 value;

	memcpy(&value, context + offset, sizeof(value));
	return value;
}

static bool is_toplevel(const struct target *t, const u8 *context, u64 address,
			u64 nil)
{
	const struct r_layout *l = &t->file->row->layout;
	u64 vaddr = address - t->bias;
	u32 flags;

	memcpy(&flags, context + l->flags, sizeof(flags));
	return flags == 0 && word(context, l->call) == nil &&
	       vaddr >= t->file->bss_start && vaddr < t->file->bss_end;
}

/* -EAGAIN: the chain did not end as it must. */
static int find_toplevel(const struct target *t, struct r_process *p,
			 u32 *budget)
{
	const struct r_layout *l = &p->layout;
	u8 context[HEAD];
	u64 address;
	int err;

	err = memory_read_u64(t->pid, p->global_context, &address);
	if (err)
		return err;
	for (; *budget; --*budget) {
		err = memory_read(t->pid, address, context, sizeof(context));
		if (err)
			return err == -ESRCH ? err : -EAGAIN;
		if (!word(context, l->next)) {
			p->toplevel = address;
			return is_toplevel(t, context, address, p->nil)
				       ? 0
				       : -EAGAIN;
		}
		address = word(context, l->next);
	}
	return -EAGAIN;
}

static int prove_chain(const struct target *t, struct r_process *p,
		       struct buf *why)
{
	u32 budget = MAX_CONTEXTS;
	int err = -EAGAIN;

	for (int i = 0; i < MAX_WALKS && budget && err == -EAGAIN; i++)
		err = find_toplevel(t, p, &budget);
	if (err != -EAGAIN)
		return err;
	buf_addf(why,
		 "pid %d: R's chain of contexts does not end in R_Toplevel, "
		 "so its frames cannot be placed",
		 t->pid);
	return -ENOTSUP;
}

/* 1: all read; 0: one of them is still NULL; -errno. */
static int read_values(const struct target *t, struct r_process *p)
{
	const struct {
		enum r_global which;
		u64 *value;
	} values[] = {
		{ R_GLOBAL_NIL, &p->nil },
		{ R_GLOBAL_ENV, &p->global_env },
		{ R_GLOBAL_BASE_ENV, &p->base_env },
		{ R_GLOBAL_BASE_NAMESPACE, &p->base_namespace },
		{ R_GLOBAL_UNBOUND, &p->unbound },
	};
	int err;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		err = r_globals_value(&t->file->globals, values[i].which,
				      t->pid, t->bias, values[i].value);
		if (err)
			return err;
		if (!*values[i].value)
			return 0;
	}
	return 1;
}

/* 1: there is a chain to walk; 0: not yet; -errno. */
static int read_addresses(const struct target *t, struct r_process *p)
{
	const struct r_globals *g = &t->file->globals;
	u64 context;
	int err;

	err = r_globals_address(g, R_GLOBAL_CONTEXT, t->pid, t->bias,
				&p->global_context);
	if (err)
		return err;
	/* Before relocation the slot still holds 0. */
	if (!p->global_context)
		return 0;
	err = memory_read_u64(t->pid, p->global_context, &context);
	if (err)
		return err;
	err = r_globals_address(g, R_GLOBAL_NODE_STACK_END, t->pid, t->bias,
				&p->node_stack_end);
	if (err == -ENOENT)
		p->node_stack_end = 0;
	else if (err)
		return err;
	return context != 0;
}

static struct r_symbols find_symbols(const struct target *t,
				     struct r_process *p)
{
	struct r_symbols s = {
		.pid = t->pid,
		.buckets = t->file->symbol_buckets,
		.nil = p->nil,
		.layout = &t->file->row->layout,
	};

	if (!t->file->symbol_table ||
	    memory_read_u64(t->pid, t->file->symbol_table + t->bias, &s.table))
		return (struct r_symbols){ 0 };
	p->symbol_table = s.table;
	p->symbol_chains = s.buckets;
	p->sym_namespace = r_symbols_find(&s, ".__NAMESPACE__.");
	p->sym_spec = r_symbols_find(&s, "spec");
	p->sym_srcref = r_symbols_find(&s, "srcref");
	p->sym_srcfile = r_symbols_find(&s, "srcfile");
	return s;
}

/* Of a version that is not known, more has to be proven. */
static int prove_unknown(const struct target *t, const struct r_process *p,
			 const struct r_symbols *s, struct buf *why)
{
	const char *unlike = NULL;
	int got;

	if (r_layouts_known(t->file->row, t->file->version))
		return 1;
	got = r_proof(t->pid, p, s, &unlike);
	if (got > 0)
		return 1;
	if (!got) {
		buf_adds(why, "it is not up yet");
		return -EAGAIN;
	}
	buf_adds(why, "R ");
	r_version_text(t->file->version, why);
	buf_addf(why,
		 " is not known here; tried as %s, but %s are not where they "
		 "would be; please report it, with the output of \"jpbpf info "
		 "%d\"",
		 t->file->row->versions, unlike, t->pid);
	return got;
}

/* Of a variable that is copied to this offset of a new context; 0: not known. */
static u64 hidden(const struct target *t, s16 offset)
{
	u64 from = r_scan_at(&t->file->scan, offset);

	return from && !(from & R_SCAN_ARG(0)) ? from + t->bias : 0;
}

/* In the process, a range of the file's code; 0: not known. */
static void place_code(const struct target *t, u64 out[2], const u64 range[2])
{
	for (int i = 0; i < 2 && range[1]; i++)
		out[i] = range[i] + t->bias;
}

/* Without them the stacks are still right, with fewer lines and fewer names of
 * builtins. */
static void find_more(const struct target *t, struct r_process *p)
{
	const struct r_globals *g = &t->file->globals;
	const struct {
		enum r_global which;
		u64 *address;
	} variables[] = {
		{ R_GLOBAL_SRCREF, &p->srcref },
		{ R_GLOBAL_PROTECTED, &p->protected },
		{ R_GLOBAL_PROTECTED_TOP, &p->protected_top },
		{ R_GLOBAL_FUN_TAB, &p->fun_tab },
		{ R_GLOBAL_NODE_STACK_TOP, &p->node_stack_top },
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (r_globals_address(g, variables[i].which, t->pid, t->bias,
				      variables[i].address))
			*variables[i].address = 0;
	if (!p->protected_top || !p->fun_tab)
		p->protected = 0;
	if (r_globals_value(g, R_GLOBAL_IN_BC, t->pid, t->bias, &p->in_bc))
		p->in_bc = 0;
	p->bc_body = hidden(t, p->layout.bcbody);
	p->bc_pc = hidden(t, p->layout.bcpc);
	p->pending = hidden(t, p->layout.prstack);
	p->console = t->file->console + t->bias;
	p->nodestack = t->file->row->nodestack;
	place_code(t, p->eval, t->file->eval);
	place_code(t, p->force_and_call, t->file->force_and_call);
	place_code(t, p->main_loop, t->file->main_loop);
}

int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct buf *why)
{
	const struct target t = { pid, bias, file };
	struct r_process p = { .layout = file->row->layout };
	struct r_symbols symbols;
	int err;

	err = read_addresses(&t, &p);
	if (err > 0)
		err = read_values(&t, &p);
	if (err == 0 || err == -ESRCH)
		return err;
	if (err < 0) {
		buf_addf(why, "pid %d: R's variables are unreadable: %s", pid,
			 strerror(-err));
		return err;
	}
	err = prove_chain(&t, &p, why);
	if (err)
		return err;
	symbols = find_symbols(&t, &p);
	err = prove_unknown(&t, &p, &symbols, why);
	if (err <= 0)
		return err;
	find_more(&t, &p);
	*process = p;
	return 1;
}
