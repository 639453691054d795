/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* R's symbol table, in a live process. */
#ifndef JPBPF_WALKERS_R_PROVE_R_SYMBOLS_H
#define JPBPF_WALKERS_R_PROVE_R_SYMBOLS_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "walkers/r/r.h"

/* Whether an object of this type is at the address. */
bool r_symbols_type(pid_t pid, u64 object, enum r_type type);
/* What R hashes a name (ASCII) to. */
u32 r_symbols_hash(const char *name);
/* Address of the symbol with this name (ASCII).  0: there is none, its chain could not
 * be read, or R's symbol table is not known. */
u64 r_symbols_find(pid_t pid, const struct r_process *p, const char *name);

#endif
