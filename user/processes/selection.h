/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which of the processes that could be profiled are to be: what all have in common. */
#ifndef JPBPF_USER_PROCESSES_SELECTION_H
#define JPBPF_USER_PROCESSES_SELECTION_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct selection {
	regex_t *comm; /* of the process's name; NULL: any */
	uid_t *uid;    /* effective; none: any */
	size_t uids;
	char *cgroup; /* this and those in it, "" is the first; NULL: any */
};

/* Does it select at all? */
bool selection_is_any(const struct selection *s);
/* Is the process one of them, by what /proc says now? */
bool selection_has(const struct selection *s, pid_t pid);

#endif
