/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the pages' files share: a row. */
#ifndef JPBPF_USER_REPORT_PAGE_ROW_H
#define JPBPF_USER_REPORT_PAGE_ROW_H

#include <stddef.h>

#include <jpbpf/types.h>

struct page;

/* guide: drawn before the name, dim. */
void page_row(struct page *p, u32 label, const char *guide);
void page_cut(struct page *p, const char *guide, u64 rows, const u64 *under);
/* Columns that the page's names have. */
size_t page_names(const struct page *p);

#endif
