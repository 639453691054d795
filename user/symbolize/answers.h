/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is asked of a file of somebody else's, and the answers, which are made in a jail
 * (user/debuginfo/jail.h). */
#ifndef JPBPF_USER_SYMBOLIZE_ANSWERS_H
#define JPBPF_USER_SYMBOLIZE_ANSWERS_H

#include <stddef.h>

#include "user/debuginfo/jail.h"

/* NAME: the function's start (u64) and its name, if there is one.  LINE: the line (u32),
 * the file and its NUL.  INLINES: of each function its name, a NUL, the place of the call
 * as for LINE. */
enum answers_what { ANSWERS_NAME, ANSWERS_LINE, ANSWERS_INLINES };

struct answers_file;

/* Starts as zeros, and is only used in the jail. */
struct answers {
	struct answers_file **file;
	size_t capacity;
};

/* A jail_answer; answers is a struct answers.  Nothing is added where nothing is known. */
void answers_add(void *answers, const struct jail_question *q, struct buf *out);

#endif
