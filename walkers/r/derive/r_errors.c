/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where errors are raised (r_cause.bpf.c): Rf_errorcall() is exported, the function of
 * .signalCondition is in R_FunTab.  R_signalErrorConditionEx() is hidden; newer R calls it
 * from R_SignalCStackOverflow(), with 1 as its third argument (src/main/errors.c,
 * R-4-2-2).  Older R goes through Rf_errorcall() there.
 */
#include "walkers/r/derive/r_file.h"

#include <string.h>

#include "arch/code.h"
#include "arch/probe.h"
#include "walkers/walker.h"

/* Whether a name is among those joined by "|". */
static bool has_name(const char *names, const char *name)
{
	size_t len = strlen(name);
	const char *at = strstr(names, name);

	return at && (at == names || at[-1] == '|') &&
	       (!at[len] || at[len] == '|');
}

static u64 signal_condition(const struct r_functions *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->at[i].name &&
		    has_name(b->at[i].name, ".signalCondition"))
			return b->at[i].start;
	return 0;
}

static u64 signal_error(const struct module *m)
{
	struct module_function fn;
	struct r_flow f;
	u64 found = 0;

	if (r_flow_open(&f, m, r_file_export(m, "R_SignalCStackOverflow")))
		return 0;
	for (size_t i = 0; i < f.code.n && !found; i++) {
		const struct insn *in = &f.code.insn[i];
		struct value third;

		if (in->what != INSN_CALL || !in->target)
			continue;
		values_at(&f.values, &f.code, i);
		third = f.values.reg[REG_ARG2];
		if (values_node(&f.values, third)->kind == NODE_NUMBER &&
		    third.add == 1 && !module_function_at(m, in->target, &fn) &&
		    fn.start == in->target)
			found = in->target;
	}
	code_release(&f.code);
	return found;
}

size_t r_errors_find(const struct r_file *file, const struct module *m,
		     struct walker_probe *probe)
{
	const struct {
		u64 vaddr;
		u8 kind, reg;
	} place[] = {
		{ r_file_export(m, "Rf_errorcall"), R_CAUSE_CALL, REG_ARG1 },
		{ signal_condition(&file->builtins), R_CAUSE_SIGNAL, REG_ARG2 },
		{ signal_error(m), R_CAUSE_OBJECT, REG_ARG0 },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(place) / sizeof(*place); i++) {
		u64 vaddr = place[i].vaddr ? probe_place(m, place[i].vaddr) : 0;

		if (vaddr)
			probe[n++] = (struct walker_probe){
				.vaddr = vaddr,
				.kind = place[i].kind,
				.reg = place[i].reg,
				.param = file->row->layout.vector_data,
				.warnings = R_CAUSE_WARNINGS,
			};
		/* Without these two, errors would be missed. */
		else if (i < 2)
			return 0;
	}
	return n;
}
