/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The variables with a name are exported data (src/include/Rinternals.h, Rinterface.h
 * and Defn.h: LibExtern).
 *
 * In a process the GOT slot, not the symbol, says where such a variable is.  When an
 * executable refers to a library's data, the linker gives it a copy (R_X86_64_COPY), the
 * dynamic linker points the library's slot to that copy, and the library's own variable
 * stays unused.  A static R has no slots for its variables.
 */
#include "walkers/r/derive/r_file.h"

#include "arch/machine.h"
#include "user/target/memory.h"

enum how {
	NEEDED = 1,
	VALUE = 2, /* the variable's value is taken, not its address */
};

#define FIELD(name) offsetof(struct r_process, name)

static const struct {
	const char *name;
	size_t field; /* of struct r_process */
	u32 how;
} variables[] = {
	{ "R_GlobalContext", FIELD(global_context), NEEDED },
	{ "R_Srcref", FIELD(srcref), NEEDED },
	{ "R_NilValue", FIELD(nil), NEEDED | VALUE },
	{ "R_GlobalEnv", FIELD(global_env), NEEDED | VALUE },
	{ "R_BaseEnv", FIELD(base_env), NEEDED | VALUE },
	{ "R_BaseNamespace", FIELD(base_namespace), NEEDED | VALUE },
	{ "R_UnboundValue", FIELD(unbound), NEEDED | VALUE },
	{ "R_InBCInterpreter", FIELD(in_bc), VALUE },
	{ "R_BCNodeStackEnd", FIELD(node_stack_end), 0 },
	{ "R_BCNodeStackTop", FIELD(node_stack_top), 0 },
	{ "R_PPStack", FIELD(protected), 0 },
	{ "R_PPStackTop", FIELD(protected_top), 0 },
	{ "R_FunTab", FIELD(fun_tab), 0 },
	/* What is not exported, and code, is known by its vaddr (r_file.c). */
	{ NULL, FIELD(symbol_table), VALUE },
	{ NULL, FIELD(bc_body), 0 },
	{ NULL, FIELD(bc_pc), 0 },
	{ NULL, FIELD(pending), 0 },
	{ NULL, FIELD(console), 0 },
	{ NULL, FIELD(eval[0]), 0 },
	{ NULL, FIELD(eval[1]), 0 },
	{ NULL, FIELD(force_and_call[0]), 0 },
	{ NULL, FIELD(force_and_call[1]), 0 },
	{ NULL, FIELD(main_loop[0]), 0 },
	{ NULL, FIELD(main_loop[1]), 0 },
};

#define COUNT (sizeof(variables) / sizeof(variables[0]))

static u64 *field(struct r_process *p, size_t i)
{
	return (u64 *)((char *)p + variables[i].field);
}

static int find_slots(const struct module_reloc *r, void *ctx)
{
	struct r_file *f = ctx;

	if (r->type != RELOC_DATA || !r->symbol_vaddr)
		return 0;
	for (size_t i = 0; i < COUNT; i++)
		if (*field(&f->at, i) == r->symbol_vaddr &&
		    !*field(&f->slot, i))
			*field(&f->slot, i) = r->vaddr;
	return 0;
}

const char *r_globals_find(struct r_file *f, const struct module *m)
{
	for (size_t i = 0; i < COUNT && variables[i].name; i++) {
		*field(&f->at, i) = r_file_export(m, variables[i].name);
		if (!*field(&f->at, i) && variables[i].how & NEEDED)
			return variables[i].name;
	}
	module_each_reloc(m, find_slots, f);
	return NULL;
}

int r_globals_read(const struct r_file *f, pid_t pid, u64 bias,
		   struct r_process *p)
{
	struct r_process slot = f->slot;
	u64 context;
	int err = 0;

	for (size_t i = 0; i < COUNT; i++) {
		u64 *address = field(p, i), at = *field(&slot, i);

		if (!*address)
			continue;
		*address += bias;
		if (at)
			err = memory_read_u64(pid, at + bias, address);
		if (!err && *address && variables[i].how & VALUE)
			err = memory_read_u64(pid, *address, address);
		if (err)
			return err;
		/* Before relocation a slot holds 0. */
		if (!*address && variables[i].how & NEEDED)
			return 0;
	}
	err = memory_read_u64(pid, p->global_context, &context);
	return err ? err : context != 0;
}
