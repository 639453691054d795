/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * makecontext() puts the address of __start_context on the new stack, as if that had
 * called the function.  It has not: the return address is its first instruction, so
 * the byte before, where a caller is looked for, is nobody's; and its unwind
 * information speaks of a caller that there is none of (sysdeps/unix/sysv/linux/
 * x86_64/__start_context.S, glibc 2.36).
 *
 * The symbol is local.  But makecontext() loads its address, and it begins with
 * `mov %rbx, %rsp`, which no function does that was called.
 */
#include "user/unwind/cfi_context.h"

#include <string.h>

#include "user/elf/module.h"

#define CODE_MAX 1024 /* bytes of makecontext() */

static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
static const u8 take_stack[] = { 0x48, 0x89, 0xdc }; /* mov %rbx, %rsp */

static bool is_end(const struct module *m, u64 vaddr)
{
	struct module_function fn;
	u8 code[sizeof(endbr64) + sizeof(take_stack)];
	size_t at = 0;

	if (module_function_at(m, vaddr, &fn) || fn.start != vaddr ||
	    module_read(m, vaddr, code, sizeof(code)))
		return false;
	if (!memcmp(code, endbr64, sizeof(endbr64)))
		at = sizeof(endbr64);
	return !memcmp(code + at, take_stack, sizeof(take_stack));
}

u64 cfi_context_end(const struct module *m)
{
	u8 code[CODE_MAX];
	u64 start, size;

	if (module_dynsym(m, "makecontext", &start, &size) ||
	    size > sizeof(code) || module_read(m, start, code, size))
		return 0;
	/* lea OFFSET(%rip), REG */
	for (size_t i = 0; i + 7 <= size; i++) {
		s32 offset;

		if ((code[i] & 0xfb) != 0x48 || code[i + 1] != 0x8d ||
		    (code[i + 2] & 0xc7) != 0x05)
			continue;
		memcpy(&offset, &code[i + 3], sizeof(offset));
		if (is_end(m, start + i + 7 + (s64)offset))
			return start + i + 7 + (s64)offset;
	}
	return 0;
}
