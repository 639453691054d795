/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Code in anonymous memory gets one module for each process and aligned block of
 * addresses. A block is as large as the address field of a frame can span.
 *
 * The vDSO is the same in all 64-bit processes. A process can write to its own copy, and
 * what is learnt is used for all processes, so jpbpf reads its own copy.
 */
#include "user/elf/code.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <jpbpf/frame.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/proc.h"
#include "user/target/thread.h"

#define PAGE 4096ul

int code_key(const char *proc, pid_t pid, u64 address, struct module_key *key)
{
	u64 started;
	int err = proc_start_time(proc, pid, &started);

	if (err)
		return err;
	*key = (struct module_key){
		.dev = (dev_t)-1, /* not the number of any file system */
		.ino = pid,
		.mtime_ns = started,
		.size = address & ~FRAME_ADDR_MASK,
	};
	return 0;
}

void code_open(struct module *m, const char *proc, pid_t pid,
	       const struct module_key *key, const char *file)
{
	_cleanup_free_ char *folder = xasprintf("%s/%d", proc, pid);
	struct module_code code = {
		.base = key->size,
		.pid = thread_inner_id(proc, pid),
	};
	struct stat st;

	if (!stat(folder, &st))
		code.owner = st.st_uid;
	module_open_code(m, &code, file);
	m->key = *key;
}

int vdso_open(struct module *m)
{
	const Elf64_Ehdr *h =
		(const void *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	u64 end = h ? h->e_shoff + h->e_shnum * h->e_shentsize : 0;

	/* The section headers are its end. Whole pages are mapped. */
	return h ? module_open_image(m, h, (end + PAGE - 1) & ~(PAGE - 1),
				     "[vdso]")
		 : -ENOENT;
}
