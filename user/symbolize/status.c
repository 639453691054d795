/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The sentences are those of the one list; records can come from another build. */
#include "user/symbolize/status.h"

#include <stddef.h>

#include "user/lib/buf.h"

const struct status status_list[WALK_STATUS_COUNT] = {
#define WALKER_STATUS(id, class, text) \
	[id] = { STATUS_CLASS_##class, #id, text },
	WALK_STATUSES(WALKER_STATUS)
#include "walkers/walkers.def"
};

bool status_name(u64 status, struct buf *out)
{
	const struct status *s =
		status < WALK_STATUS_COUNT ? &status_list[status] : NULL;

	if (!s)
		buf_adds(out, "[cut: unknown reason]");
	else if (status == WALK_USER_MODE)
		buf_adds(out, "[user mode]");
	else if (s->class == STATUS_CLASS_ROOT)
		return false;
	else if (s->class == STATUS_CLASS_CUT)
		buf_addf(out, "[cut: %s]", s->text);
	else
		buf_addf(out, "[%s]", s->text);
	return true;
}
