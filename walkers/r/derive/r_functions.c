/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A name that a function has several times is taken once. */
#include "walkers/r/derive/r_file.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/lib/search.h"

bool r_functions_read(const struct module *m, u64 text, char *name, size_t size)
{
	if (!text || module_read_text(m, text, name, size))
		return false;
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p <= 0x20 || *p == 0x7f || *p == ';')
			return false;
	return *name != '\0';
}

void r_functions_add(struct r_functions *f, u64 start, u32 order,
		     const char *name)
{
	if (!start)
		return;
	f->at = xgrow(f->at, f->n, &f->capacity, sizeof(*f->at));
	f->at[f->n++] = (struct r_function){
		.start = start,
		.order = order,
		.name = name ? xstrdup(name) : NULL,
	};
}

static int compare(const void *a, const void *b)
{
	const struct r_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

void r_functions_join(struct r_functions *f, const struct module *m)
{
	size_t last, kept = 0;

	if (f->n)
		qsort(f->at, f->n, sizeof(*f->at), compare);
	for (size_t first = 0; first < f->n; first = last) {
		struct r_function one = f->at[first];
		struct module_function code = { 0 };
		const char *before = "";
		struct buf names = { 0 };

		for (last = first;
		     last < f->n && f->at[last].start == one.start; last++) {
			const char *name = f->at[last].name;

			if (!name || !strcmp(name, before))
				continue;
			buf_addf(&names, "%s%s", names.len ? "|" : "", name);
			before = name;
		}
		for (size_t i = first; i < last; i++)
			free(f->at[i].name);
		module_range_add(m, one.start, &code);
		one.end = code.end;
		one.name = names.data;
		f->at[kept++] = one;
	}
	f->n = kept;
}

const char *r_functions_name(const struct r_functions *f, u64 vaddr)
{
	size_t low = SEARCH(f->at, f->n, start, vaddr);

	return low && f->at[low - 1].start == vaddr ? f->at[low - 1].name
						    : NULL;
}

void r_functions_release(struct r_functions *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->at[i].name);
	free(f->at);
	*f = (struct r_functions){ 0 };
}
