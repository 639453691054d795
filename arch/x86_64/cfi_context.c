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
#include "arch/cfi.h"

#include "arch/x86_64/bytes.h"
#include "user/elf/module.h"

static bool is_end(const struct module *m, u64 vaddr)
{
	struct module_function fn;
	struct bytes b;

	if (module_function_at(m, vaddr, &fn) || fn.start != vaddr)
		return false;
	bytes_read(&b, m, vaddr, 7);
	return bytes_match(&b, bytes_match(&b, 0, BYTES_ENDBR64), "4889dc");
}

u64 cfi_context_end(const struct module *m)
{
	u64 start, size, end;
	struct bytes b;

	if (module_dynsym(m, "makecontext", &start, &size) || size > BYTES_MAX)
		return 0;
	bytes_read(&b, m, start, size);
	/* lea OFFSET(%rip), REG */
	for (u64 i = 0; i + 7 <= b.len; i++) {
		if ((b.byte[i] & 0xfb) != 0x48 || b.byte[i + 1] != 0x8d ||
		    (b.byte[i + 2] & 0xc7) != 0x05)
			continue;
		end = start + i + 7 + (s64)bytes_value(&b, i + 3);
		if (is_end(m, end))
			return end;
	}
	return 0;
}
