/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Two profiles compared, A → B, as a flame graph in a page of its own (page.c). */
#ifndef JPBPF_USER_FLAME_PAGE_H
#define JPBPF_USER_FLAME_PAGE_H

#include <stdio.h>

struct profile;

/* Events of the same name are compared.  b: NULL for a graph of a alone.  0 or -errno. */
int html_diff(struct profile *a, struct profile *b, FILE *out);

#endif
