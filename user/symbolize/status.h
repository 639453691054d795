/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The list of statuses as a table. */
#ifndef JPBPF_USER_SYMBOLIZE_STATUS_H
#define JPBPF_USER_SYMBOLIZE_STATUS_H

#include <jpbpf/status.h>
#include <jpbpf/types.h>

/* See jpbpf/status.h. */
enum status_class {
	STATUS_CLASS_ROOT,
	STATUS_CLASS_LOST,
	STATUS_CLASS_CUT,
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

/* What is said of any other number is "unknown reason"; records can come from another
 * build. */
const struct status *status_find(u64 status);

#endif
