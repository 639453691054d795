/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The proof, on a live process, that its interpreters are laid out as believed.
 * */
#ifndef JPBPF_WALKERS_TCL_PROVE_TCL_ATTACH_H
#define JPBPF_WALKERS_TCL_PROVE_TCL_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/types.h>

struct buf;
struct maps;
struct tcl_found;
struct tcl_layout_row;

/* An interpreter that satisfied the proof. */
struct tcl_interp {
	u64 address;
	u64 thread; /* Interp.threadId: pthread_self() of its thread; or 0 */
};

struct tcl_interps {
	struct tcl_interp *interp;
	size_t n, capacity;
	bool short_; /* not all of the process's memory was looked at */
};

#define TCL_MAX_INTERPS 4096

struct tcl_attach {
	/* If nobody has looked at this version, the whole proof is asked for, and -EAGAIN
	 * says that there is nothing to prove it on. */
	const struct tcl_found *found;
	pid_t pid;
	u64 bias;
	u64 budget; /* bytes to look at, at most; 0: the default */
};

/* As struct walker's attach, but 2 where it is accepted without proof; see tcl_attach.c
 * for what each answer means.  NULL for all: the search stops at the first interpreter.
 * Else all gets all of them, at most TCL_MAX_INTERPS; free(all->interp) in either case. */
int tcl_attach(const struct tcl_attach *a, const struct maps *maps,
	       struct tcl_interps *all, struct buf *why);

/* tcl_proof.c: the longer proof, for a version that nobody has looked at.  1: all fields
 * that can be checked in this live interpreter are where the row says; 0: the interpreter
 * has too little in it yet; -ENOTSUP: *unlike names what is elsewhere (else NULL). */
int tcl_proof(pid_t pid, const struct tcl_layout_row *row, u64 interp,
	      const char **unlike);

#endif
