/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is proven of one process with R. */
#ifndef JPBPF_WALKERS_R_PROVE_R_PROVE_H
#define JPBPF_WALKERS_R_PROVE_R_PROVE_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "walkers/r/r.h"

struct buf;
struct r_file;

/* r_symbols.c: R's symbol table, in a live process. */

struct r_object {
	u32 type;    /* all ones: unreadable */
	u64 word[3]; /* of the union */
};

struct r_object r_symbols_object(pid_t pid, u64 address);
/* Whether an object of this type is at the address. */
bool r_symbols_type(pid_t pid, u64 object, enum r_type type);
/* What R hashes a name (ASCII) to. */
u32 r_symbols_hash(const char *name);
/* Address of the symbol with this name (ASCII).  0: there is none, its chain could not
 * be read, or R's symbol table is not known. */
u64 r_symbols_find(pid_t pid, const struct r_process *p, const char *name);

/* r_proof.c: proves that an R whose version is not known here is laid out as the one it
 * is tried as. */

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

/* r_attach.c: from what is known of a file to what is proven of a process. */

/* 1: proven, *process and *chain are filled; 0: R is not initialised yet; -EAGAIN: the
 * same, of a version that must be proven first; -ESRCH: the process is gone; -ENOTSUP:
 * it is not as the file says, why says what. */
int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct r_chain *chain, struct buf *why);

/* r_home.c: where this host has R. */

/* The folder that a script like /usr/bin/R says R is in; the caller frees it.  NULL:
 * it does not say, or cannot be read. */
char *r_home_of(const char *script);
/* The operation programs of struct walker_language, for the R that PATH has. */
void r_home_programs(void (*add)(void *ctx, const char *path), void *ctx);

#endif
