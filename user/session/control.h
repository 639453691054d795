/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Words that come by a FIFO while a recording is made: on, off, mark TEXT, snapshot.
 *
 * Off, no sample is taken until on.  A line that is none of these is warned about.
 */
#ifndef JPBPF_USER_SESSION_CONTROL_H
#define JPBPF_USER_SESSION_CONTROL_H

#include <stdbool.h>

#include "user/lib/buf.h"

struct session;

struct control {
	int fd;	      /* -1: none */
	bool is_ours; /* the FIFO was made here, and is removed at the end */
	struct buf line;
};

/* 0 or -errno after log_err(). */
int control_open(struct session *s);
/* Do what has come. */
void control_take(struct session *s);
void control_release(struct session *s);

#endif
