/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * How many of the file ids each process has taken.  One that maps ever more files, or
 * makes ever more code, must leave some for others.
 */
#ifndef JPBPF_USER_FILES_SHARES_H
#define JPBPF_USER_FILES_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct share; /* opaque: one process's */

/* Zeroes: none. */
struct shares {
	struct share *all; /* by pid */
};

void shares_release(struct shares *s);
/* One more id is the process's; its share, for shares_give(). */
struct share *shares_take(struct shares *s, pid_t pid);
/* One less. */
void shares_give(struct shares *s, struct share *share);
/* May it have one more, when so many of all are left? */
bool shares_has_room(const struct shares *s, pid_t pid, size_t left,
		     size_t all);

#endif
