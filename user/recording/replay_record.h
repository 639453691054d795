/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The records of a block. */
#ifndef JPBPF_USER_RECORDING_REPLAY_RECORD_H
#define JPBPF_USER_RECORDING_REPLAY_RECORD_H

#include <stdbool.h>
#include <stddef.h>

struct replay;
struct replay_sink;

/* Take the records of a payload.  False: they are no sound records; those before the first
 * bad one were taken. */
bool replay_block(struct replay *r, const struct replay_sink *sink,
		  const void *bytes, size_t len);

#endif
