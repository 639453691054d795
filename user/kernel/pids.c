/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A pid namespace is identified by its inode.  The initial one has had the same number
 * since Linux 3.8 (PROC_PID_INIT_INO, include/linux/proc_ns.h).
 *
 * A proc file system shows the processes of the namespace in which it was mounted,
 * which need not be ours: after `unshare --pid` alone it is the old one.  Its numbers
 * would then name other processes than those of kill() and the kernel side.
 */
#include "user/kernel/pids.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#define INITIAL_INODE 0xeffffffcu

u32 pids_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) || st.st_ino == INITIAL_INODE)
		return 0;
	return st.st_ino;
}

const char *pids_impossible(void)
{
	char self[32];
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	if (n <= 0)
		return "/proc does not show this process";
	self[n] = '\0';
	if (strtol(self, NULL, 10) != getpid())
		return "/proc is that of another pid namespace";
	return NULL;
}

int pids_search(int program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(program, &opts);

	if (err)
		return -errno;
	return opts.retval == (u32)getpid() ? 0 : -ESRCH;
}
