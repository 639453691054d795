/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Code in anonymous memory gets one module for each process and aligned block of
 * addresses. A block is as large as the address field of a frame can span. */
#include "user/elf/code.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <jpbpf/frame.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

int code_key(const char *proc, pid_t pid, u64 address, struct module_key *key)
{
	u64 started;
	int err = proc_start_time(proc, pid, &started);

	if (err)
		return err;
	/* Padding is part of the hashed key. */
	memset(key, 0, sizeof(*key));
	key->dev = (dev_t)-1; /* not the number of any file system */
	key->ino = pid;
	key->mtime_ns = started;
	key->size = address & ~FRAME_ADDR_MASK;
	return 0;
}

void code_open(struct module *m, const char *proc, pid_t pid,
	       const struct module_key *key)
{
	_cleanup_free_ char *folder = xasprintf("%s/%d", proc, pid);
	struct module_code code = {
		.base = key->size,
		.pid = thread_inner_id(proc, pid),
	};
	struct stat st;

	if (!stat(folder, &st))
		code.owner = st.st_uid;
	module_open_code(m, &code);
	m->key = *key;
}
