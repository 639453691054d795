/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Facts as text for people, and as JSON for programs. */
#ifndef JPBPF_USER_OUTPUT_FACTS_H
#define JPBPF_USER_OUTPUT_FACTS_H

struct buf;
struct fact;

/*
 * One line a value: "key value" in two columns; a group is indented below its key.  A
 * list has one line an item, in which the first value stands without its key; items
 * that hold more than values become paragraphs.  Empty groups and lists are left out.
 * Control characters are shown as \x1b.
 */
void facts_text(struct buf *out, const struct fact *root);
/* One JSON object of the tree's structure and keys, ended by a newline. */
void facts_json(struct buf *out, const struct fact *root);
/* A foreign text in the form that facts_text() gives it. */
void facts_plain(struct buf *out, const char *text);
/* One value alone, in the form that facts_text() gives it. */
void facts_value(struct buf *out, const struct fact *f);

#endif
