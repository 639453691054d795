/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The sentences are those of the one list; records can come from another build. */
#include "user/symbolize/status.h"

#include <jpbpf/status.h>

#include "user/lib/buf.h"

enum status_class { ROOT, LOST, CUT, TCL, R, HOST, NATIVE, NOTE };

bool status_name(u64 status, struct buf *out)
{
	static const struct {
		enum status_class class;
		const char *text;
	} statuses[] = {
#define X(id, class, text) [id] = { class, text },
		WALK_STATUSES(X)
#undef X
	};

	if (status >= WALK_STATUS_COUNT)
		buf_adds(out, "[cut: unknown reason]");
	else if (status == WALK_USER_MODE)
		buf_adds(out, "[user mode]");
	else if (statuses[status].class == ROOT)
		return false;
	else if (statuses[status].class == CUT)
		buf_addf(out, "[cut: %s]", statuses[status].text);
	else
		buf_addf(out, "[%s]", statuses[status].text);
	return true;
}
