/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab: which of R's own C functions implements which R function.  Names
 * the static do_* functions of a stripped libR.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_BUILTINS_H
#define JPBPF_WALKERS_R_DERIVE_R_BUILTINS_H

#include <stddef.h>

#include "walkers/r/derive/r_functions.h"

struct module;

struct r_builtins {
	/* One per C function.  No name: only specials, which are the language's own words
	 * (`{`, `if`, UseMethod). */
	struct r_function *function;
	size_t n;
	size_t entries; /* of R_FunTab, without its end */
};

/* Read the table at vaddr, of size bytes, from the file.  0; -EINVAL when it is
 * no such table (what was read is released); -errno. */
int r_builtins_read(struct r_builtins *b, const struct module *m, u64 vaddr,
		    u64 size);
void r_builtins_release(struct r_builtins *b);
/* The C function of the builtin that has one of its own; 0: none. */
u64 r_builtins_function(const struct r_builtins *b, const char *name);
/* Names of the builtins whose C function starts at vaddr, or NULL. */
const char *r_builtins_find(const struct r_builtins *b, u64 vaddr);

#endif
