/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Native functions (C, C++, Fortran): which are chosen, and where calls of them begin and
 * end.
 *
 * A call begins at the first instruction on the only way from the function's entry that the
 * kernel emulates, or at the entry.  It ends at a return, and where the function jumps to
 * another one.  Compilers move rare parts of a function away, with an FDE of their own;
 * they belong to the function.
 */
#ifndef JPBPF_USER_TRACE_NATIVE_H
#define JPBPF_USER_TRACE_NATIVE_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct walker_call;

/* The functions of a module, in the order of module_functions(). */
struct native_functions {
	size_t n;
	char **name; /* as profiles show it; NULL: it has none */
	u64 *whole; /* start of the function that it is a rare part of; 0: of none */
};

/* Reads the names in a jail. */
void native_open(struct native_functions *f, const struct module *m);
void native_close(struct native_functions *f);

/* The places of the function at vaddr, the one where it is entered last.  Returns their
 * number, or -ENOENT: no function begins there; -EILSEQ: its code is not understood;
 * -ELOOP: it jumps back to where it begins; -ENOTSUP: it changes to another stack; -ENOSPC:
 * there are more than max; -E2BIG. */
int native_places(const struct module *m, const struct native_functions *f,
		  u64 vaddr, struct walker_call *call, size_t max);
/* The places where many functions are left at once: jumps of the C library, and where C++
 * handles exceptions.  Returns their number. */
size_t native_jumps(const struct module *m, const struct native_functions *f,
		    struct walker_call *call, size_t max);

#endif
