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

#include "arch/code.h"
#include "user/elf/module.h"

#define MAX_BYTES 1024 /* of makecontext() */

static bool is_end(const struct module *m, u64 vaddr)
{
	const struct insn *in;
	struct code c;
	bool is;

	if (code_decode_at(&c, m, vaddr))
		return false;
	in = c.insn;
	/* endbr64 */
	if (c.n > 1 && !in->writes && !in->stores)
		in++;
	is = c.n && in->what == INSN_MOV && in->op[0].kind == OPERAND_REG &&
	     in->op[0].reg == REG_STACK && in->op[1].kind == OPERAND_REG &&
	     in->op[1].reg == DWARF_RBX;
	code_release(&c);
	return is;
}

u64 cfi_context_end(const struct module *m)
{
	u64 start, size, end = 0;
	struct code c;

	if (module_dynsym(m, "makecontext", &start, &size) ||
	    size > MAX_BYTES || code_decode_some(&c, m, start, size))
		return 0;
	for (size_t i = 0; i < c.n && !end; i++) {
		u64 made = code_made(&c.insn[i]);

		end = made && is_end(m, made) ? made : 0;
	}
	code_release(&c);
	return end;
}
