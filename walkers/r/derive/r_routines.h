/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C and Fortran functions that a package's library registers with R: what
 * .Call(C_name, ...) runs.  They are static or hidden mostly, so a stripped
 * library has no symbol for them.
 */
#ifndef JPBPF_WALKERS_R_DERIVE_R_ROUTINES_H
#define JPBPF_WALKERS_R_DERIVE_R_ROUTINES_H

#include "walkers/r/derive/r_functions.h"

struct module;

/* { 0 } first.  0 when the library registers something that can be read from its
 * file; -ENOENT when not; -errno.  Release in either case. */
int r_routines_read(struct r_functions *r, const struct module *m);

#endif
