/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The callers and callees of a function: two trees that begin in it, one going up its
 * stacks from where it was called first, one going down. */
#include <errno.h>
#include <string.h>

#include "user/lib/log.h"
#include "user/report/report.h"
#include "user/report/report_part.h"
#include "user/profile/profile.h"

/* Whole, or without the package. */
static bool is_named(const struct report *r, u32 label)
{
	const char *text = label_text(&r->labels, label);
	const char *name = r->options->calls;
	size_t more = strlen(text), len = strlen(name);

	if (label_kind(&r->labels, label) == ' ' || more < len)
		return false;
	more -= len;
	return !strcmp(text + more, name) &&
	       (!more ||
		(more > 1 && text[more - 1] == ':' && text[more - 2] == ':'));
}

static void reverse(u32 *path, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		u32 other = path[i];

		path[i] = path[n - 1 - i];
		path[n - 1 - i] = other;
	}
}

static void add_paths(struct report *r, struct tree *up, struct tree *down)
{
	u64 number;
	size_t at;

	for (u32 i = 0; i < intern_count(r->profile->stacks); i++) {
		if (!report_path(r, i, &number))
			continue;
		for (at = 0; at < r->depth && !is_named(r, r->path[at]); at++)
			;
		if (at == r->depth)
			continue;
		tree_add(down, r->path + at, r->depth - at, 0, number);
		reverse(r->path, at + 1);
		tree_add(up, r->path, at + 1, 0, number);
	}
}

static void print(struct report *r, const char *title, struct tree *t)
{
	tree_build(t);
	page_line(&r->page, title);
	page_columns(&r->page);
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
			r->options->calls);
		err = -ENOENT;
	}
	tree_release(&up);
	tree_release(&down);
	return err;
}
