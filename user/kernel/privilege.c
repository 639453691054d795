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
 *   DAC_OVERRIDE        --rotate and --control in a folder of somebody else
 *
 * The output is opened, and the command started, before privileges are given up.
 */
#include "user/kernel/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/lib/buf.h"

#define ALWAYS	 (PRIVILEGE_START | PRIVILEGE_RUN | PRIVILEGE_READ)
#define CAP(cap) CAP_##cap, "CAP_" #cap

static const struct privilege {
	unsigned number; /* CAP_* */
	const char *name;
	unsigned phases;  /* enum privilege_phase, or'ed */
	bool of_admin;	  /* CAP_SYS_ADMIN includes it */
	bool is_optional; /* profiling works without it, with losses */
} privileges[] = {
	{ CAP(BPF), PRIVILEGE_START | PRIVILEGE_RUN, true, false },
	{ CAP(PERFMON), PRIVILEGE_START, true, false },
	{ CAP(SYSLOG), PRIVILEGE_START | PRIVILEGE_RUN, true, false },
	{ CAP(SYS_PTRACE), ALWAYS, false, false },
	{ CAP(DAC_READ_SEARCH), ALWAYS, false, false },
	{ CAP(CHECKPOINT_RESTORE), ALWAYS, true, true },
	{ CAP(SYS_ADMIN), PRIVILEGE_PROBES, false, false },
	{ CAP(KILL), PRIVILEGE_COMMAND, false, true },
	{ CAP(DAC_OVERRIDE), PRIVILEGE_FILES, false, true },
};

#define PRIVILEGES (sizeof(privileges) / sizeof(*privileges))

static struct __user_cap_header_struct head = {
	.version = _LINUX_CAPABILITY_VERSION_3, /* of the calling thread */
};

/* The bits of the set that serve as the capability. */
static u64 serving(u64 set, const struct privilege *p)
{
	u64 own = set & 1ull << p->number;

	return own || !p->of_admin ? own : set & 1ull << CAP_SYS_ADMIN;
}

void privilege_lacking(u64 effective, unsigned phases, struct buf *needed,
		       struct buf *useful)
{
	for (size_t i = 0; i < PRIVILEGES; i++) {
		const struct privilege *p = &privileges[i];
		struct buf *out = p->is_optional ? useful : needed;

		if (p->phases & phases && !serving(effective, p))
			buf_addf(out, "%s%s", out->len ? " " : "", p->name);
	}
}

u64 privilege_effective(void)
{
	struct __user_cap_data_struct set[2];

	if (syscall(SYS_capget, &head, set))
		return 0;
	return set[0].effective | (u64)set[1].effective << 32;
}

bool privilege_suffices(unsigned phases)
{
	_cleanup_buf_ struct buf needed = { 0 }, useful = { 0 };

	privilege_lacking(privilege_effective(), phases, &needed, &useful);
	return !needed.len;
}

int privilege_keep(unsigned phases)
{
	struct __user_cap_data_struct set[2];
	u64 permitted, keep = 0;

	if (syscall(SYS_capget, &head, set))
		return -errno;
	permitted = set[0].permitted | (u64)set[1].permitted << 32;
	for (size_t i = 0; i < PRIVILEGES; i++)
		if (privileges[i].phases & phases)
			keep |= serving(permitted, &privileges[i]);
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
