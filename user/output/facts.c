/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two walks over the tree of facts: one writes text, one writes JSON.  Neither depends
 * on what the facts are about. */
#include "user/output/facts.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/json.h"
#include "user/lib/utf8.h"

#define INDENT	2
#define GAP	2
#define KEY_MAX 24 /* a longer key does not widen the column */

static void add_spaces(struct buf *out, size_t n)
{
	buf_addf(out, "%*s", (int)n, "");
}

void facts_plain(struct buf *out, const char *text)
{
	while (*text)
		text += utf8_add(out, text, "\\", "");
}

void facts_value(struct buf *out, const struct fact *f)
{
	if (f->kind == FACT_TEXT)
		facts_plain(out, f->text);
	else if (f->kind == FACT_NUMBER)
		buf_addf(out, "%llu", f->number);
	else if (f->kind == FACT_TRUTH)
		buf_adds(out, f->number ? "yes" : "no");
}

/* An item of a list: "0x5581, thread 812". */
static void add_item(struct buf *out, const struct fact *item)
{
	if (item->kind != FACT_GROUP) {
		facts_value(out, item);
		return;
	}
	for (const struct fact *f = item->first; f; f = f->next) {
		if (f != item->first) {
			buf_adds(out, ", ");
			facts_plain(out, f->key);
			buf_addc(out, ' ');
		}
		facts_value(out, f);
	}
}

static bool is_value(const struct fact *f)
{
	return f->kind != FACT_GROUP && f->kind != FACT_LIST;
}

static size_t column(const struct fact *group)
{
	size_t width = 0;

	for (const struct fact *f = group->first; f; f = f->next) {
		size_t len = strlen(f->key);

		if (f->kind != FACT_GROUP && len > width && len <= KEY_MAX)
			width = len;
	}
	return width + GAP;
}

/* The key, spaces up to the column of values, and a value or an item of a list. */
static void add_line(struct buf *out, const char *key, const struct fact *item,
		     size_t indent, size_t width)
{
	size_t len = strlen(key);

	add_spaces(out, indent);
	facts_plain(out, key);
	add_spaces(out, len < width ? width - len : 1);
	add_item(out, item);
	buf_addc(out, '\n');
}

static void add_group(struct buf *out, const struct fact *group, size_t indent);

/* A list of groups that hold more than values: one paragraph a group, which begins
 * with the group's first value. */
static void add_paragraphs(struct buf *out, const struct fact *list)
{
	for (const struct fact *f = list->first; f; f = f->next) {
		struct fact rest = *f;

		buf_addc(out, '\n');
		if (f->first) {
			facts_value(out, f->first);
			rest.first = f->first->next;
		}
		buf_addc(out, '\n');
		add_group(out, &rest, INDENT);
	}
}

static bool is_deep(const struct fact *list)
{
	if (is_value(list->first))
		return false;
	for (const struct fact *f = list->first->first; f; f = f->next)
		if (!is_value(f))
			return true;
	return false;
}

static void add_group(struct buf *out, const struct fact *group, size_t indent)
{
	size_t width = column(group);
	const struct fact *item;

	for (const struct fact *f = group->first; f; f = f->next) {
		if (is_value(f)) {
			add_line(out, f->key, f, indent, width);
		} else if (!f->first) {
			continue;
		} else if (f->kind == FACT_GROUP) {
			add_spaces(out, indent);
			facts_plain(out, f->key);
			buf_addc(out, '\n');
			add_group(out, f, indent + INDENT);
		} else if (is_deep(f)) {
			add_paragraphs(out, f);
		} else {
			for (item = f->first; item; item = item->next)
				add_line(out, item == f->first ? f->key : "",
					 item, indent, width);
		}
	}
}

void facts_text(struct buf *out, const struct fact *root)
{
	add_group(out, root, 0);
}

static void add_json(struct buf *out, const struct fact *f, size_t indent);

static void add_members(struct buf *out, const struct fact *f, size_t indent)
{
	for (const struct fact *child = f->first; child; child = child->next) {
		buf_adds(out, child == f->first ? "\n" : ",\n");
		add_spaces(out, indent + INDENT);
		if (f->kind == FACT_GROUP) {
			json_text(out, child->key);
			buf_adds(out, ": ");
		}
		add_json(out, child, indent + INDENT);
	}
	if (f->first) {
		buf_addc(out, '\n');
		add_spaces(out, indent);
	}
}

static void add_json(struct buf *out, const struct fact *f, size_t indent)
{
	if (f->kind == FACT_TEXT) {
		json_text(out, f->text);
	} else if (f->kind == FACT_NUMBER) {
		buf_addf(out, "%llu", f->number);
	} else if (f->kind == FACT_TRUTH) {
		buf_adds(out, f->number ? "true" : "false");
	} else {
		buf_addc(out, f->kind == FACT_GROUP ? '{' : '[');
		add_members(out, f, indent);
		buf_addc(out, f->kind == FACT_GROUP ? '}' : ']');
	}
}

void facts_json(struct buf *out, const struct fact *root)
{
	add_json(out, root, 0);
	buf_addc(out, '\n');
}
