/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What a walker says of an error at the moment it is raised: the texts of its class and
 * its message.  on_error (source.bpf.c) asks and puts them before the frames of the stack.
 */
#ifndef JPBPF_CAUSE_BPF_H
#define JPBPF_CAUSE_BPF_H

#include "bpf/walk.bpf.h"

struct cause {
	u32 kind, param; /* of struct walker_probe */
	/* The register that the probe names, and the function's third argument. */
	u64 value, third;
	/* User addresses of texts; 0: there is none. */
	u64 class, message;
};

/* NAME_cause.bpf.c: fill in class and message.  1: an error is raised; 0: none is. */
#define WALKER(id, name, title, traits) int name##_cause(struct cause *c);
#include "walkers/walkers.def"

/* Reads n bytes of the current task's memory where time does not matter much. */
static __always_inline int cause_read(void *out, u32 n, u64 address)
{
	return bpf_probe_read_user(out, n, (const void *)address);
}

#endif
