/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The capability mask, in hexadecimal, in /proc/PID/status is enough here.
 * CAP_SYS_ADMIN includes the capabilities that were split off from it.
 */
#include "user/cli/capability.h"

#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/kernel/privilege.h"

u64 capability_effective(const char *status)
{
	const char *line = strstr(status, "\nCapEff:");

	return line ? strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
}

static bool has(u64 effective, const struct privilege *p)
{
	return effective >> p->number & 1 ||
	       (p->of_admin && effective >> CAP_SYS_ADMIN & 1);
}

static void add_name(struct buf *out, const struct privilege *p)
{
	buf_addf(out, "%s%s", out->len ? " " : "", p->name);
}

void capability_missing(u64 effective, bool optional, struct buf *out)
{
	for (const struct privilege *p = privileges; p->name; p++)
		if (p->phases & PRIVILEGE_START && p->optional == optional &&
		    !has(effective, p))
			add_name(out, p);
}

void capability_running(struct buf *out)
{
	for (const struct privilege *p = privileges; p->name; p++)
		if (p->phases & PRIVILEGE_RUN)
			add_name(out, p);
}
