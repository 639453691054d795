/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The functions of a Go program by the table that Go's runtime itself unwinds with
 * (pclntab): where they are, what they are called, how far the stack pointer is from
 * the return address.  A stripped program has it too.
 */
#ifndef JPBPF_USER_ELF_GOLANG_H
#define JPBPF_USER_ELF_GOLANG_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct module;

/* What the assembler says of a function (funcFlag in runtime/symtab.go). */
enum golang_flag {
	GOLANG_TOP = 1 << 0, /* nothing calls it */
	GOLANG_SWITCHES = 1
			  << 1, /* it changes the stack pointer in ways that the
				   * table does not tell */
	GOLANG_ASSEMBLY = 1 << 2, /* no compiler has made it */
};

struct golang {
	u8 *bytes; /* of the section */
	const u8 *table;
	u64 len;
	u64 text; /* vaddr that functions count from */
	u64 n;	  /* number of functions */
	/* Offsets in the table; behind names_end nothing ends a name. */
	u64 names, names_end, rows, functions;
	bool has_start_line;
};

struct golang_function {
	u64 start, end;	  /* vaddrs */
	const char *name; /* the table's, of any length */
	u32 rows;	  /* offset; 0: none */
	u8 flags;	  /* enum golang_flag */
	bool ends_signal; /* what signal handlers return to: start is one byte before
			   * its code */
};

/* More rows than any function has (the longest seen: some hundred). */
#define GOLANG_MAX_ROWS 65536u

/* 0, or -ENOENT: no Go, or of a version whose table is not known (from 1.18 on it
 * is), or nothing proves where its code begins; golang_close() after 0 only. */
int golang_open(struct golang *g, const struct module *m);
void golang_close(struct golang *g);

/* Function number i in the order of their addresses. 0, or -EBADMSG. */
int golang_function(const struct golang *g, u64 i, struct golang_function *out);

/* Calls fn with the end of each row of a function, in order, and the bytes between
 * the stack pointer and the return address, until fn returns non-zero, which is then
 * returned.  0; -EBADMSG: the table is damaged, or has more than GOLANG_MAX_ROWS for
 * it; what fn got by then is right. */
int golang_rows(const struct golang *g, const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, u32 depth), void *ctx);

#endif
