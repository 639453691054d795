/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The functions of a Go program, read from pclntab, the table that Go's runtime
 * unwinds with. It gives each function's address range, its name, and the distance
 * between the stack pointer and the return address. Stripped programs keep the
 * table.
 */
#ifndef JPBPF_USER_ELF_GOLANG_H
#define JPBPF_USER_ELF_GOLANG_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct module;

/* Flags that Go's assembler sets for a function (funcFlag in runtime/symtab.go). */
enum golang_flag {
	GOLANG_TOP = 1 << 0, /* the outermost function of a stack */
	GOLANG_SWITCHES =
		1 << 1, /* changes the stack pointer in ways that the table
				 * does not describe */
	GOLANG_ASSEMBLY = 1 << 2, /* written in assembly */
};

struct golang {
	u8 *bytes; /* copy of the section */
	const u8 *table;
	u64 len;
	u64 text; /* vaddr that function addresses count from */
	u64 n;	  /* number of functions */
	/* Offsets in the table. */
	u64 names, rows, functions;
	bool has_start_line;
};

struct golang_function {
	u64 start, end;	  /* vaddrs */
	const char *name; /* points into the table; of any length */
	u32 rows;	  /* offset of the rows; 0: none */
	u8 flags;	  /* enum golang_flag */
	bool ends_signal; /* signal handlers return to this function: start is one
			   * byte before its code */
};

/* Limit of rows per function. The longest function seen has some hundred. */
#define GOLANG_MAX_ROWS 65536u

/* Finds the table of a module. 0 or -ENOENT. -ENOENT means that the module is no Go
 * program, that its Go is older than 1.18 or unknown, or that nothing proves where
 * its code begins. Call golang_close() only after 0. */
int golang_open(struct golang *g, const struct module *m);
void golang_close(struct golang *g);

/* Reads function number i, counted in address order. 0 or -EBADMSG. */
int golang_function(const struct golang *g, u64 i, struct golang_function *out);

/* Calls fn for each row of a function, in order, with the row's end and the bytes
 * between the stack pointer and the return address. Stops when fn returns non-zero
 * and returns that value. 0 after the last row. -EBADMSG if the table is damaged or
 * has more than GOLANG_MAX_ROWS rows for the function; rows already given to fn are
 * right. */
int golang_rows(const struct golang *g, const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, u32 depth), void *ctx);

#endif
