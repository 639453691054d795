/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The statuses of jpbpf/status.h as a table. */
#ifndef JPBPF_USER_SYMBOLIZE_STATUS_H
#define JPBPF_USER_SYMBOLIZE_STATUS_H

#include <jpbpf/status.h>
#include <jpbpf/types.h>

/* See jpbpf/status.h. */
enum status_class {
	STATUS_CLASS_ROOT,
	STATUS_CLASS_LOST,
	STATUS_CLASS_CUT,
	STATUS_CLASS_MISSING,
	STATUS_CLASS_WALKER,
	STATUS_CLASS_HOST,
	STATUS_CLASS_NATIVE,
	STATUS_CLASS_NOTE,
};

struct status {
	enum status_class class;
	const char *id, *text;
};

extern const struct status status_list[WALK_STATUS_COUNT];

/* The table's entry for a status.  For any other number the text is "unknown reason",
 * because records can come from another build. */
const struct status *status_find(u64 status);

#endif
