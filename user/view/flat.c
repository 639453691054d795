/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Rows lie at their name ids, which are dense. */
#include "user/view/flat.h"

#include <stdlib.h>

#include "user/lib/mem.h"

static struct flat_row *row_of(struct flat *f, u32 name)
{
	size_t n = f->n;

	if (name >= n) {
		f->n = name + name / 2 + 1;
		f->row = xreallocarray(f->row, f->n, sizeof(*f->row));
		for (; n < f->n; n++)
			f->row[n] = (struct flat_row){ .name = n };
	}
	return &f->row[name];
}

void flat_add(struct flat *f, const u32 *name, size_t depth, u32 side,
	      u64 number)
{
	f->stacks++;
	for (size_t i = 0; i < depth; i++) {
		struct flat_row *row = row_of(f, name[i]);

		if (i == depth - 1)
			row->in[side] += number;
		if (row->last == f->stacks)
			continue;
		row->last = f->stacks;
		row->under[side] += number;
	}
}

void flat_release(struct flat *f)
{
	free(f->row);
}
