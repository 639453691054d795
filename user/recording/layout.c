/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A member stands at a multiple of its size, as in C.  The low bytes of a number come
 * first on all processors that jpbpf knows. */
#include "user/recording/layout.h"

#include <string.h>

const struct layout layouts[RECORDING_CALLS + 1] = {
	[RECORDING_MODULE] = { "TTT", sizeof(struct recording_module) },
	[RECORDING_FUNCTION] = { "MlTwwT", sizeof(struct recording_function) },
	[RECORDING_FRAME] = { "bbhMlTTTwTT", sizeof(struct frame) },
	[RECORDING_STACK] = { "SR", sizeof(struct recording_stack) },
	[RECORDING_TASK] = { "wwTTT", sizeof(struct recording_task) },
	[RECORDING_EVENT] = { "TTl", sizeof(struct recording_event) },
	[RECORDING_ADDRESS] = { "RFTwb", sizeof(struct recording_address) },
	[RECORDING_MARK] = { "lTl", sizeof(struct recording_note) },
	[RECORDING_LOSS] = { "lTl", sizeof(struct recording_note) },
	[RECORDING_FORGET] = { "", 0 },
	[RECORDING_SUMMARY] = { "llll", sizeof(struct recording_summary) },
	[RECORDING_CALLS] = { "TTTwllllllllllllllll",
			      sizeof(struct recording_calls) },
};

const struct layout layout_inlined = { "TTw",
				       sizeof(struct recording_inlined) };

/* The size of a field, which *at is advanced to. */
static size_t find(char field, size_t *at)
{
	size_t size = field == 'b'   ? 1
		      : field == 'h' ? 2
		      : field == 'l' ? 8
				     : 4;

	*at = (*at + size - 1) / size * size;
	return size;
}

void layout_read(const struct layout *l, const void *record, u64 *number)
{
	size_t at = 0, size;

	for (const char *f = l->fields; *f; f++, at += size) {
		size = find(*f, &at);
		*++number = 0;
		memcpy(number, (const char *)record + at, size);
	}
}

void layout_write(const struct layout *l, void *record, const u64 *number)
{
	size_t at = 0, size;

	for (const char *f = l->fields; *f; f++, at += size) {
		size = find(*f, &at);
		memcpy((char *)record + at, ++number, size);
	}
}
