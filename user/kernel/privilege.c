/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Libraries read the files of profiled processes as long as sampling goes on.  By
 * then little privilege should be left to whoever takes over one of these libraries.
 *
 *   BPF                 maps are made as tables grow
 *   PERFMON             programs are loaded and events are opened, at start only
 *   SYSLOG              kernel symbols are read at the end
 *   SYS_PTRACE          /proc/PID/maps, pagemap, mem and process_vm_readv()
 *   DAC_READ_SEARCH     files, also of /proc/PID, that only their owner may read
 *   CHECKPOINT_RESTORE  /proc/PID/map_files, which leads to deleted files and into
 *                       other mount namespaces (fs/proc/base.c, v6.1:
 *                       proc_map_files_get_link())
 *   KILL                ending a command that runs as somebody else
 *
 * The output is opened, and the command started, before privileges are given up.
 */
#include "user/kernel/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALWAYS (PRIVILEGE_START | PRIVILEGE_RUN | PRIVILEGE_READ)

const struct privilege privileges[] = {
	{ CAP_BPF, "CAP_BPF", PRIVILEGE_START | PRIVILEGE_RUN, true, false },
	{ CAP_PERFMON, "CAP_PERFMON", PRIVILEGE_START, true, false },
	{ CAP_SYSLOG, "CAP_SYSLOG", PRIVILEGE_START | PRIVILEGE_RUN, true,
	  false },
	{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE", ALWAYS, false, false },
	{ CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH", ALWAYS, false, false },
	{ CAP_CHECKPOINT_RESTORE, "CAP_CHECKPOINT_RESTORE", ALWAYS, true,
	  true },
	{ CAP_KILL, "CAP_KILL", PRIVILEGE_COMMAND, false, true },
	{ 0, NULL, 0, false, false },
};

/* The capabilities of the permitted set that the phases keep. */
static u64 kept(u64 permitted, unsigned phases)
{
	u64 admin = 1ull << CAP_SYS_ADMIN & permitted, keep = 0;

	for (const struct privilege *p = privileges; p->name; p++) {
		u64 bit = 1ull << p->number;

		if (!(p->phases & phases))
			continue;
		keep |= permitted & bit;
		if (!(permitted & bit) && p->of_admin)
			keep |= admin;
	}
	return keep;
}

int privilege_keep(unsigned phases)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct set[2];
	u64 keep;

	if (syscall(SYS_capget, &head, set))
		return -errno;
	keep = kept(set[0].permitted | (u64)set[1].permitted << 32, phases);
	for (int i = 0; i < 2; i++) {
		set[i].permitted = set[i].effective = (u32)(keep >> 32 * i);
		set[i].inheritable = 0;
	}
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_capset, &head, set))
		return -errno;
	return 0;
}
