/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/symbolize/status.h"

const struct status status_list[WALK_STATUS_COUNT] = {
#define WALKER_STATUS(id, class, text) \
	[id] = { STATUS_CLASS_##class, #id, text },
	WALK_STATUSES(WALKER_STATUS)
#include "walkers/walkers.def"
};

const struct status *status_find(u64 status)
{
	static const struct status unknown = { STATUS_CLASS_CUT, "",
					       "unknown reason" };

	return status < WALK_STATUS_COUNT ? &status_list[status] : &unknown;
}
