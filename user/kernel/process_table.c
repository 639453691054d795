/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Reads and writes the kernel side's table of processes. */
#include "user/kernel/engine.h"

#include <errno.h>

#include <bpf/bpf.h>

#include "walkers/walker.h"

int engine_put_process(struct engine *e, pid_t pid,
		       const struct process_entry *entry, bool had_one)
{
	u32 key = pid;

	if (bpf_map_update_elem(engine_map(e, "processes"), &key, entry,
				had_one ? BPF_EXIST : BPF_ANY))
		return errno == ENOENT ? -ESRCH : -errno;
	return 0;
}

int engine_get_process(struct engine *e, pid_t pid, struct process_entry *entry)
{
	u32 key = pid;

	if (bpf_map_lookup_elem(engine_map(e, "processes"), &key, entry))
		return -errno;
	return 0;
}

bool engine_has_noted(struct engine *e, pid_t pid, u64 since)
{
	struct fresh f;
	u32 key = pid;

	if (bpf_map_lookup_elem(engine_map(e, "fresh"), &key, &f))
		return false;
	for (u32 i = 0; i < f.n && i < FRESH_AREAS; i++)
		if (f.area[i].time >= since)
			return true;
	return f.version & 1;
}

void engine_drop_process(struct engine *e, pid_t pid)
{
	u32 key = pid;

	bpf_map_delete_elem(engine_map(e, "processes"), &key);
	bpf_map_delete_elem(engine_map(e, "fresh"), &key);
	for (size_t i = 0; i < WALKER_COUNT; i++)
		walker_entry_drop(e, walkers[i], pid);
}

size_t engine_processes(const struct engine *e)
{
	int fd = engine_map(e, "processes");
	u32 key, next;
	size_t n = 0;

	for (u32 *from = NULL; !bpf_map_get_next_key(fd, from, &next); n++) {
		key = next;
		from = &key;
	}
	return n;
}
