/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The columns that a text takes on a terminal: 0 for combining characters, 2 for wide
 * ones, 1 for the others.  The locale plays no part.  Texts are without control
 * characters (escape.h); a byte that is no UTF-8 counts as one column.
 */
#ifndef JPBPF_USER_REPORT_COLUMN_H
#define JPBPF_USER_REPORT_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

size_t column_width(const char *text);
/* Append text, of which at most so many columns: a longer one has "…" for what is left
 * out, in the middle or at the end. */
void column_cut(const char *text, size_t columns, bool middle, struct buf *out);

#endif
