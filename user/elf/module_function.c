/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The functions of a module, and ranges of them. */
#include "user/elf/module_file.h"

#include <errno.h>

#include "user/lib/search.h"

const struct frames *module_frames(const struct module *m)
{
	struct module_file *f = module_file(m);

	if (!f->frames_done) {
		f->frames_err = frames_read(&f->frames, m, false);
		f->frames_done = true;
	}
	return f->frames_err ? NULL : &f->frames;
}

int module_functions(const struct module *m, const struct module_function **fn,
		     size_t *n)
{
	const struct frames *f = module_frames(m);

	*fn = f ? f->function : NULL;
	*n = f ? f->n : 0;
	return module_file(m)->frames_err;
}

int module_function_at(const struct module *m, u64 vaddr,
		       struct module_function *out)
{
	const struct module_function *fn;
	size_t low, n;

	if (module_functions(m, &fn, &n))
		return -ENOENT;
	low = SEARCH(fn, n, start, vaddr);
	if (!low || vaddr >= fn[low - 1].end)
		return -ENOENT;
	*out = fn[low - 1];
	return 0;
}

bool module_range_add(const struct module *m, u64 vaddr,
		      struct module_function *range)
{
	struct module_function fn;

	if (module_function_at(m, vaddr, &fn) || fn.start != vaddr)
		return false;
	if (!range->end || fn.start < range->start)
		range->start = fn.start;
	if (fn.end > range->end)
		range->end = fn.end;
	return true;
}
