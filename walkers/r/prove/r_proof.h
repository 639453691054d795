/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Proves that an R whose version is not known here is laid out as the one it is tried
 * as. */
#ifndef JPBPF_WALKERS_R_PROVE_R_PROOF_H
#define JPBPF_WALKERS_R_PROVE_R_PROOF_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "walkers/r/r.h"

struct r_chain {
	u32 contexts;  /* R_Toplevel not counted */
	u32 functions; /* of them: of closures */
	u32 unlike;    /* of the closures: not as they must be */
	u64 last;      /* address of the last one, which is like R_Toplevel */
};

/* Walks along the chain of contexts.  unlike is set if parts is true.  0; -EAGAIN: R has
 * changed the chain meanwhile, or it is none; -ESRCH. */
int r_proof_chain(pid_t pid, const struct r_process *p, bool parts,
		  struct r_chain *chain);

/* 1: proven; 0: R has not come so far that there is something to prove it on;
 * -ENOTSUP: *unlike says what is not where it should be. */
int r_proof(pid_t pid, const struct r_process *p, const struct r_chain *chain,
	    const char **unlike);

#endif
