/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Two places where glibc says nothing, and what is true there:
 *
 *   loader   _start and _dl_start_user of ld.so, where the kernel begins a
 *            program: nothing called them (sysdeps/x86_64/dl-machine.h,
 *            RTLD_START, glibc-2.36)
 *   clone    between the system call and the child's own code both run, parent
 *            and child: rax tells which (sysdeps/unix/sysv/linux/x86_64/clone.S
 *            and clone3.S, glibc-2.36)
 */
#include "user/unwind/cfi_gap.h"

#include <gelf.h>
#include <string.h>

#include "user/target/module.h"

#define LOADER_MAX 128 /* bytes of the two; seen: 64 to 96 */
#define CLONE_MAX  16

enum { DWARF_RSP = 7 };

/* Only the program loader defines it without needing a loader itself. */
static bool is_loader(const struct module *m)
{
	u64 vaddr;

	return !m->is_exec && !module_dynsym(m, "_r_debug", &vaddr, NULL);
}

static bool find_loader(const struct module *m, u64 start, u64 end,
			struct cfi_gap *out)
{
	GElf_Ehdr h;

	if (!gelf_getehdr(m->elf, &h) || h.e_type != ET_DYN ||
	    h.e_entry < start || h.e_entry >= end || !h.e_entry ||
	    !is_loader(m))
		return false;
	if (end - h.e_entry > LOADER_MAX)
		end = h.e_entry + LOADER_MAX;
	*out = (struct cfi_gap){ h.e_entry, end, { .kind = UNWIND_ROOT } };
	return true;
}

static bool find_clone(const struct module *m, u64 start, u64 end,
		       struct cfi_gap *out)
{
	/* syscall; test %rax, %rax */
	static const u8 code[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0 };
	u8 bytes[sizeof(code)];

	if (end - start > CLONE_MAX || end - start < sizeof(code) ||
	    module_read(m, start, bytes, sizeof(bytes)) ||
	    memcmp(bytes, code, sizeof(code)))
		return false;
	*out = (struct cfi_gap){
		start,
		end,
		{ .kind = UNWIND_CLONE,
		  .cfa_reg = DWARF_RSP,
		  .cfa_off = 8,
		  .ra = -1 },
	};
	for (int i = 0; i < SAVED_REGS; i++)
		out->rule.slot[i] = UNWIND_SLOT_SAME;
	return true;
}

bool cfi_gap_find(const struct module *m, u64 start, u64 end,
		  struct cfi_gap *out)
{
	return find_loader(m, start, end, out) ||
	       find_clone(m, start, end, out);
}
