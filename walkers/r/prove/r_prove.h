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
	u32 type;    /* enum r_type; all ones: unreadable */
	u64 word[3]; /* the three words of the union */
};

struct r_object r_symbols_object(pid_t pid, u64 address);
/* Returns whether an object of this type is at the address. */
bool r_symbols_type(pid_t pid, u64 object, enum r_type type);
/* Returns R's hash of a name (ASCII). */
u32 r_symbols_hash(const char *name);
/* Returns the address of the symbol with this name (ASCII).  0: there is none, its chain
 * could not be read, or R's symbol table is not known. */
u64 r_symbols_find(pid_t pid, const struct r_process *p, const char *name);

/* r_proof.c: proves that an R whose version is not known here is laid out as the one it
 * is tried as. */

struct r_chain {
	u32 contexts;  /* number without R_Toplevel */
	u32 functions; /* contexts of closures */
	u32 unlike;    /* contexts of closures whose parts are wrong */
	u64 last; /* address of the last context, which is like R_Toplevel */
};

/* Walks along the chain of contexts.  unlike is only counted if parts is true.  Returns 0;
 * -EAGAIN if R has changed the chain meanwhile, or if this is no chain; -ESRCH. */
int r_proof_chain(pid_t pid, const struct r_process *p, bool parts,
		  struct r_chain *chain);
/* Returns 1: proven; 0: R has not yet made the objects that prove it; -ENOTSUP: *unlike
 * says what is not where it should be. */
int r_proof(pid_t pid, const struct r_process *p, const struct r_chain *chain,
	    const char **unlike);

/* r_attach.c: proves on a process what is known of a file. */

/* Returns 1: proven, *process and *chain are filled; 0: R is not initialised yet; -EAGAIN:
 * the same for a version that has to prove more; -ESRCH: the process is gone; -ENOTSUP:
 * the process is not as the file says, and why says in what. */
int r_attach(pid_t pid, u64 bias, const struct r_file *file,
	     struct r_process *process, struct r_chain *chain, struct buf *why);

/* r_home.c: where this host has R. */

/* Returns the folder that a script like /usr/bin/R names as R's; the caller frees it.
 * NULL: the script names none, or cannot be read. */
char *r_home_of(const char *script);
/* The operation programs of struct walker_language, for the R that PATH has. */
void r_home_programs(void (*add)(void *ctx, const char *path), void *ctx);

#endif
