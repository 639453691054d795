/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The terminal's width and colours, and a pager between the program and it. */
#ifndef JPBPF_USER_REPORT_PAGER_H
#define JPBPF_USER_REPORT_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

/* Columns; 80 where fd is no terminal or does not say. */
unsigned pager_width(int fd);
/* Whether fd is a terminal that has colours and $NO_COLOR is not set.  A terminal
 * without a name, or called "dumb", has none. */
bool pager_color(int fd);

struct pager {
	pid_t pid;  /* 0: none runs */
	int screen; /* standard output as it was */
};

/* From here on standard output goes to $JPBPF_PAGER, $PAGER or less.  Does nothing
 * where that is no terminal, or a dumb one, or the variable is empty or "cat".  Ask for
 * width and colours before. */
void pager_open(struct pager *pager);
/* Wait until the reader has read enough.  The result of the writer: err, or 0 where the
 * reader closed the pager early (-EPIPE). */
int pager_close(struct pager *pager, int err);

#endif
