/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * makecontext() puts the address of __start_context on the new stack as the return
 * address of the function that will run there.  __start_context did not call that
 * function.  The unwinder looks up a caller one byte before the return address, and
 * this byte belongs to no function.  The call frame information of __start_context
 * names a caller, and there is none (sysdeps/unix/sysv/linux/x86_64/__start_context.S,
 * glibc 2.36).
 *
 * The symbol is local.  makecontext() loads its address, and its first instruction is
 * `mov %rbx, %rsp`.  No function that was called begins so.
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
