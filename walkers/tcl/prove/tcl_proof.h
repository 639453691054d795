/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The proof that a layout is right for a version that nobody has looked at. */
#ifndef JPBPF_WALKERS_TCL_PROVE_TCL_PROOF_H
#define JPBPF_WALKERS_TCL_PROVE_TCL_PROOF_H

#include <sys/types.h>

#include <jpbpf/types.h>

struct tcl_layout_row;

/* 1: all that can be looked at in this live interpreter, and there was some of
 * everything, is where the row says; 0: there was not, yet; -ENOTSUP: *unlike is not
 * where it says (else it is NULL). */
int tcl_proof(pid_t pid, const struct tcl_layout_row *row, u64 interp,
	      const char **unlike);

#endif
