/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* C functions by the names that R has for them. */
#ifndef JPBPF_WALKERS_R_DERIVE_R_FUNCTIONS_H
#define JPBPF_WALKERS_R_DERIVE_R_FUNCTIONS_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

struct r_function {
	u64 start;  /* vaddr */
	u64 end;    /* as .eh_frame has it; 0: not known */
	u32 order;  /* of its names */
	char *name; /* NULL: none; several are joined by "|" */
};

/* { 0 } at first; r_functions_release() frees it. */
struct r_functions {
	struct r_function *at;
	size_t n, capacity;
};

/* Adds a function.  name is copied; NULL: it has none.  Names of one function are put in
 * the order of these numbers, equal numbers by the alphabet. */
void r_functions_add(struct r_functions *f, u64 start, u32 order,
		     const char *name);
/* Sorts by start, joins the names of those of one start, and sets their ends.  To be
 * called once, after the last function was added. */
void r_functions_join(struct r_functions *f, const struct module *m);
/* The function's name or names.  NULL: none, or no function starts at vaddr. */
const char *r_functions_name(const struct r_functions *f, u64 vaddr);
void r_functions_release(struct r_functions *f);

#endif
