/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What one of R's functions does on the way from its entry to its return.
 *
 * Some of R's functions do little more than copy variables; reading their code
 * tells where the variables are and where in a struct they go, for any build.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FLOW_H
#define JPBPF_WALKERS_R_DERIVE_R_FLOW_H

#include <jpbpf/types.h>

#include "arch/code.h"
#include "arch/values.h"

struct module;
struct r_slots;

/* Where a value comes from when it is the n-th argument (from 0); else the vaddr of the
 * variable. */
#define R_FLOW_ARG(n) (1ull << 63 | (u64)(n) << 8)

struct r_flow {
	const struct r_slots *slots; /* NULL: none */
	struct code code;
	struct values values; /* before the instruction that is visited */
};

/* An exported function, or the one at vaddr when name is NULL.  0: the instructions are
 * visited from index 0 on, until r_flow_next() is -1; then release.  -ENOENT without such
 * a function; -errno. */
int r_flow_open(struct r_flow *f, const struct module *m,
		const struct r_slots *slots, const char *name, u64 vaddr);
int r_flow_next(struct r_flow *f, int at);
/* Opens a function and visits all of its instructions. */
int r_flow_run(struct r_flow *f, const struct module *m,
	       const struct r_slots *slots, const char *name, u64 vaddr);
void r_flow_release(struct r_flow *f);

/* The vaddr that a value is; 0: not known. */
u64 r_flow_address(const struct r_flow *f, struct value value);
/* Where a value was copied from; 0: not known. */
u64 r_flow_origin(const struct r_flow *f, struct value value);

#endif
