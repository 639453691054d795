/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One entry of the walker's map of processes. */
#include "user/kernel/part.h"

#include <errno.h>

#include <bpf/bpf.h>

#include <jpbpf/types.h>

#include "user/kernel/engine.h"
#include "walkers/walker.h"

int part_put(struct engine *e, const struct walker *w, pid_t pid,
	     const void *value)
{
	u32 key = pid;

	if (!w->process.map)
		return 0;
	if (bpf_map_update_elem(engine_map(e, w->process.map), &key, value,
				BPF_ANY))
		return -errno;
	return 0;
}

void part_drop(struct engine *e, const struct walker *w, pid_t pid)
{
	u32 key = pid;

	if (w->process.map)
		bpf_map_delete_elem(engine_map(e, w->process.map), &key);
}
