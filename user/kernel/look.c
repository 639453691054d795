/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel side counts an area first and writes it then.  One that it has not
 * written yet is taken for all there is.
 */
#include "user/kernel/look.h"

#include <stddef.h>

#include "user/kernel/btf.h"

const char *look_impossible(void)
{
	return btf_names("btf_trace_vm_unmapped_area")
		       ? NULL
		       : "this kernel has no tracepoint vm_unmapped_area";
}

void look_begin(struct look *l, pid_t pid)
{
	look_end(l);
	for (u32 i = 0; i < LOOK_AREAS; i++) {
		l->area[i] = AREA_ALL;
		l->serial[i] = 0;
	}
	__atomic_store_n(&l->areas, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&l->pid, (u32)pid, __ATOMIC_SEQ_CST);
}

bool look_hits(const struct look *l, u32 serial, u64 start, u64 end)
{
	u32 n = __atomic_load_n(&l->areas, __ATOMIC_SEQ_CST);

	for (u32 i = 0; i < n && i < LOOK_AREAS; i++) {
		const volatile struct area *a = &l->area[i];

		/* The kernel side has told, or will tell, of this one. */
		if (serial && *(const volatile u32 *)&l->serial[i] == serial)
			continue;
		if (a->start < end && a->end > start)
			return true;
	}
	return false;
}

void look_end(struct look *l)
{
	__atomic_store_n(&l->pid, 0, __ATOMIC_SEQ_CST);
}
