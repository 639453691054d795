/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two profiles as folded stacks: a line for each node in which one ends. */
#include <errno.h>

#include "user/lib/guard.h"
#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/report/report_part.h"

int report_folded(struct report *r)
{
	const struct page *p = &r->page;
	bool scales = !p->options->as_they_are && p->total[0] && p->total[1];
	double scale = scales ? (double)p->total[0] / p->total[1] : 1;
	_cleanup_free_ size_t *end = NULL; /* of the line, by depth */
	_cleanup_buf_ struct buf line = { 0 };
	size_t capacity = 0;
	int err = ferror(p->out) ? -EIO : 0;

	tree_build(&r->tree);
	for (size_t i = 1; i < r->tree.n && !err; i++) {
		const struct tree_node *n = &r->tree.node[i];
		const char *label = intern_get(r->page.labels, n->name, NULL);

		end = xgrow(end, n->depth, &capacity, sizeof(*end));
		line.len = n->depth > 1 ? end[n->depth - 1] : 0;
		if (n->depth > 1)
			buf_addc(&line, ';');
		buf_adds(&line, label + 1);
		end[n->depth] = line.len;
		if (!n->in[0] && !n->in[1])
			continue;
		buf_addf(&line, " %llu %.0f\n", n->in[0], n->in[1] * scale);
		err = format_put(&line, p->out);
	}
	return err;
}
