/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Decoding of DW_EH_PE_* pointers. All functions return 0 or -EBADMSG. */
#ifndef JPBPF_USER_ELF_POINTER_H
#define JPBPF_USER_ELF_POINTER_H

#include <stddef.h>

#include <jpbpf/types.h>

/* The bytes not yet decoded; vaddr is the address of at. */
struct pointer_cursor {
	const u8 *at, *end;
	u64 vaddr;
};

/* Skips the bytes if out is NULL. */
int pointer_take_bytes(struct pointer_cursor *c, void *out, size_t len);
/* Decodes a number without adding its base. */
int pointer_take_value(struct pointer_cursor *c, int encoding, u64 *out);
/* Decodes a pointer; data is the base of DW_EH_PE_datarel. */
int pointer_take(struct pointer_cursor *c, int encoding, u64 data, u64 *out);

#endif
