/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names come in their order, those that have the same one by the alphabet; each once. */
#include "walkers/r/derive/r_functions.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"

static int compare(const void *a, const void *b)
{
	const struct r_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

size_t r_functions_join(struct r_function *f, size_t n)
{
	size_t last, kept = 0;

	qsort(f, n, sizeof(*f), compare);
	for (size_t first = 0; first < n; first = last) {
		struct r_function one = f[first];
		const char *before = "";
		struct buf names = { 0 };

		for (last = first; last < n && f[last].start == one.start;
		     last++) {
			if (!f[last].name || !strcmp(f[last].name, before))
				continue;
			before = f[last].name;
			if (names.len)
				buf_addc(&names, '|');
			buf_adds(&names, before);
		}
		r_functions_free(f + first, last - first);
		one.name = names.data;
		f[kept++] = one;
	}
	return kept;
}

void r_functions_free(struct r_function *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(f[i].name);
}
