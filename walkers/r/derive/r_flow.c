/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The address of a variable is a number in the code, or is loaded from a GOT slot.  The
 * first six arguments are in registers.  The others are above the return address.
 */
#include "walkers/r/derive/r_file.h"

#include <errno.h>

#include "arch/flow.h"

#define MAX_ARGS 13

int r_flow_open(struct r_flow *f, const struct module *m, u64 vaddr)
{
	int err = code_decode_at(&f->code, m, vaddr);

	if (err)
		return err;
	flow_depths(&f->code, m);
	if (!f->code.n) {
		code_release(&f->code);
		return -ENOENT;
	}
	f->m = m;
	values_begin(&f->values, &f->code);
	return 0;
}

int r_flow_next(struct r_flow *f, int at)
{
	values_step(&f->values, at);
	return values_next(&f->code, at);
}

int r_flow_run(struct r_flow *f, const struct module *m, u64 vaddr)
{
	int err = r_flow_open(f, m, vaddr);

	for (int at = 0; !err && at >= 0; at = r_flow_next(f, at))
		;
	return err;
}

static u64 argument(s32 place)
{
	static const u8 args[] = { REG_ARG0, REG_ARG1, REG_ARG2,
				   REG_ARG3, REG_ARG4, REG_ARG5 };
	s32 n = sizeof(args) + (place - PLACE_SLOT) / 8;

	for (size_t i = 0; i < sizeof(args); i++)
		if (args[i] == place)
			return R_ARG(i);
	return place >= PLACE_SLOT && n < MAX_ARGS ? R_ARG(n) : 0;
}

u64 r_flow_origin(const struct r_flow *f, struct value value)
{
	const struct node *n = values_node(&f->values, value);

	if (n->kind == NODE_LOW) {
		value = values_base(n);
		n = values_node(&f->values, value);
	}
	if (value.add)
		return 0;
	if (n->kind == NODE_INITIAL)
		return argument(n->place);
	return n->kind == NODE_LOADED
		       ? values_address(&f->values, f->m, values_base(n))
		       : 0;
}
