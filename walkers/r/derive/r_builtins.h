/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_FunTab: which of R's own C functions implements which R function.  Names
 * the static do_* functions of a stripped libR.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_BUILTINS_H
#define JPBPF_WALKERS_R_DERIVE_R_BUILTINS_H

#include "walkers/r/derive/r_functions.h"

struct module;

/* Reads the table at vaddr, of size bytes, from the file.  Specials, which are the
 * language's own words (`{`, `if`, UseMethod), give a function without a name.  Returns
 * the number of the table's entries without its end; -EINVAL if it is no such table;
 * -errno.  Release in either case. */
int r_builtins_read(struct r_functions *b, const struct module *m, u64 vaddr,
		    u64 size);

#endif
