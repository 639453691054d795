/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What /proc says is enough here: a bit mask in hexadecimal.  CAP_SYS_ADMIN
 * stands for the three that were split off it.
 */
#include "user/cli/capability.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"

static const struct {
	unsigned number;
	bool of_admin;
	const char *name;
} needed[] = {
	{ CAP_BPF, true, "CAP_BPF" },
	{ CAP_PERFMON, true, "CAP_PERFMON" },
	{ CAP_SYSLOG, true, "CAP_SYSLOG" },
	{ CAP_SYS_PTRACE, false, "CAP_SYS_PTRACE" },
	{ CAP_DAC_READ_SEARCH, false, "CAP_DAC_READ_SEARCH" },
};

u64 capability_effective(const char *status)
{
	const char *line = strstr(status, "\nCapEff:");

	return line ? strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;
}

void capability_missing(u64 effective, struct buf *out)
{
	bool admin = effective >> CAP_SYS_ADMIN & 1;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (effective >> needed[i].number & 1)
			continue;
		if (admin && needed[i].of_admin)
			continue;
		buf_addf(out, "%s%s", out->len ? " " : "", needed[i].name);
	}
}
