/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * May libdw be asked about a function?
 *
 * It believes what a program says: one byte sequence makes it allocate a gigabyte
 * for a register of a high number, a few more make it copy that again and again.
 * What it would take is reckoned from the program before.
 */
#ifndef JPBPF_USER_UNWIND_CFI_BOUND_H
#define JPBPF_USER_UNWIND_CFI_BOUND_H

#include <jpbpf/types.h>

struct cfi_source;

struct cfi_bound {
	u64 bytes; /* that libdw has taken for the file so far, at most */
	u64 cie;   /* the last one asked for */
};

/* For the function whose entry is at an offset in the source's frames.  0: libdw may
 * be asked and will keep its memory small; -EBADMSG: no sound program; -E2BIG: it
 * would take too much. */
int cfi_bound_spend(struct cfi_bound *b, const struct cfi_source *s,
		    u64 offset);

#endif
