/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A small ELF file in memory that has nothing but call frame information.
 *
 * libdw believes what a file says: it would read whole tables of names, unpack all
 * sections with debug information, or take what is left of the file for .eh_frame.
 * It gets this one instead.
 */
#ifndef JPBPF_USER_UNWIND_CFI_IMAGE_H
#define JPBPF_USER_UNWIND_CFI_IMAGE_H

#include <stddef.h>

#include <libelf.h>

#include <jpbpf/types.h>

struct module_function;

/* .eh_frame at vaddr with a search table of the functions (sorted, all with their
 * entries), everything below 4 GiB: bytes that are the caller's to free, *size of
 * them. */
u8 *cfi_image_eh(const Elf_Data *frames, u64 vaddr,
		 const struct module_function *f, size_t n, size_t *size);
/* The same of .debug_frame. */
u8 *cfi_image_debug(const Elf_Data *frames, size_t *size);

#endif
