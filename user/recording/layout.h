/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * How the numbers of a record (docs/jpbpf.proto) stand in its struct: a letter for each
 * field, in the order of both.
 *
 *   b h w l      a number of 1, 2, 4, 8 bytes
 *   T M F R S    the id of a text, module, function, frame, stack (4 bytes)
 */
#ifndef JPBPF_USER_RECORDING_LAYOUT_H
#define JPBPF_USER_RECORDING_LAYOUT_H

#include "user/recording/recording.h"

#define LAYOUT_NUMBERS 24 /* more than a record has */

struct layout {
	const char *fields;
	size_t size; /* of the struct */
};

extern const struct layout layouts[RECORDING_CALLS + 1];
extern const struct layout layout_inlined;

/* number: by the number of its field, from 1 on. */
void layout_read(const struct layout *l, const void *record, u64 *number);
void layout_write(const struct layout *l, void *record, const u64 *number);

#endif
