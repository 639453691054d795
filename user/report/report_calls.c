/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The callers and callees of a function: two trees that begin in it, one going up its
 * stacks from where it was called first, one going down. */
#include <errno.h>
#include <string.h>

#include "user/lib/intern.h"
#include "user/lib/log.h"
#include "user/report/report_part.h"

/* Whole, or without the package. */
static bool is_named(const struct report *r, u32 id)
{
	const char *label = intern_get(r->page.labels, id, NULL);
	const char *text = label + 1, *name = r->page.options->calls;
	size_t more = strlen(text), len = strlen(name);

	if (*label == ' ' || more < len)
		return false;
	more -= len;
	return !strcmp(text + more, name) &&
	       (!more ||
		(more > 1 && text[more - 1] == ':' && text[more - 2] == ':'));
}

static void add_paths(struct report *r, struct tree *up, struct tree *down)
{
	for (size_t i = 0; i < r->tree.stacks; i++) {
		const struct tree_stack *s = &r->tree.stack[i];
		const u32 *name = r->tree.names + s->at;
		u32 at = 0;

		while (at < s->depth && !is_named(r, name[at]))
			at++;
		if (at == s->depth)
			continue;
		tree_stack(down, s->side, s->number, 0);
		for (u32 k = at; k < s->depth; k++)
			tree_name(down, name[k]);
		tree_stack(up, s->side, s->number, 0);
		for (u32 k = at + 1; k-- > 0;)
			tree_name(up, name[k]);
	}
}

static void print(struct report *r, const char *title, struct tree *t)
{
	tree_build(t);
	page_line(&r->page, title);
	page_tree(&r->page, t);
}

int report_calls(struct report *r)
{
	struct tree up = { 0 }, down = { 0 };
	int err = 0;

	add_paths(r, &up, &down);
	if (up.stacks) {
		r->page.under_only = true;
		print(r, "Callers:", &up);
		r->page.under_only = false;
		page_line(&r->page, "");
		print(r, "Callees:", &down);
	} else {
		log_err("no function '%s' in the profile; write it as the list of "
			"functions does",
			r->page.options->calls);
		err = -ENOENT;
	}
	tree_release(&up);
	tree_release(&down);
	return err;
}
