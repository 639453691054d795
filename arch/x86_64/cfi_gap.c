/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Four places where nothing is said, and what is true there:
 *
 *   loader   _start and _dl_start_user of ld.so, where the kernel begins a
 *            program: nothing called them (sysdeps/x86_64/dl-machine.h,
 *            RTLD_START, glibc-2.36)
 *   clone    between the system call and the child's own code both run, parent
 *            and child: rax tells which (sysdeps/unix/sysv/linux/x86_64/clone.S
 *            and clone3.S, glibc-2.36)
 *   init     .init and .fini, whose code comes from crti.o and crtn.o and is known
 *            by its bytes (sysdeps/x86_64/crti.S, crtn.S).  It is often the first
 *            that is touched of a file, so time is spent there.
 *   crt      what gcc adds to each file's .text (cfi_crt.c)
 */
#include "arch/x86_64/cfi_gap.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "arch/x86_64/bytes.h"
#include "user/elf/module.h"

#define LOADER_MAX 128 /* bytes of the two; seen: 64 to 96 */
#define CLONE_MAX  16

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

	if (!gelf_getehdr(module_handle(m), &h) || h.e_type != ET_DYN ||
	    h.e_entry < start || h.e_entry >= end || !h.e_entry ||
	    !is_loader(m))
		return false;
	if (end - h.e_entry > LOADER_MAX)
		end = h.e_entry + LOADER_MAX;
	*out = (struct cfi_gap){ h.e_entry, end, { .kind = UNWIND_ROOT } };
	return true;
}

struct cfi_gap cfi_gap_plain(u64 start, u64 end, s32 cfa_off)
{
	struct cfi_gap part = {
		start,
		end,
		{ .kind = UNWIND_CFA,
		  .cfa_reg = REG_STACK,
		  .cfa_off = cfa_off,
		  .ra = -1 },
	};

	for (int i = 0; i < SAVED_REGS; i++)
		part.rule.slot[i] = UNWIND_SLOT_SAME;
	return part;
}

static bool find_clone(const struct module *m, u64 start, u64 end,
		       struct cfi_gap *out)
{
	struct bytes b;

	if (end - start > CLONE_MAX)
		return false;
	bytes_read(&b, m, start, end - start);
	/* syscall; test %rax, %rax */
	if (!bytes_match(&b, 0, "0f05 4885c0"))
		return false;
	*out = cfi_gap_plain(start, end, 8);
	out->rule.kind = UNWIND_CLONE;
	return true;
}

/* sub $8, %rsp; [mov __gmon_start__@GOT, %rax; test %rax, %rax; je over; call *%rax;
 * over:] add $8, %rsp; ret */
static void add_section(struct cfi_gaps *g, const char *name)
{
	u64 vaddr, size, entered, left;
	struct bytes b;

	if (module_section(g->m, name, &vaddr, &size))
		return;
	bytes_read(&b, g->m, vaddr, size);
	entered = bytes_match(&b, 0, BYTES_ENDBR64);
	if (!bytes_match(&b, entered, "4883ec08"))
		return;
	entered += 4;
	left = entered +
	       bytes_match(&b, entered, "488b05........ 4885c0 7402 ffd0");
	if (!bytes_match(&b, left, "4883c408 c3") || left + 5 != size)
		return;
	left += 4;
	g->part[g->n++] = cfi_gap_plain(vaddr, vaddr + entered, 8);
	g->part[g->n++] = cfi_gap_plain(vaddr + entered, vaddr + left, 16);
	g->part[g->n++] = cfi_gap_plain(vaddr + left, vaddr + size, 8);
}

void cfi_gaps_init(struct cfi_gaps *g, const struct module *m)
{
	*g = (struct cfi_gaps){ .m = m };
	add_section(g, ".init");
	add_section(g, ".fini");
	cfi_crt_add(g);
}

static bool find_part(const struct cfi_gaps *g, u64 start, u64 end,
		      struct cfi_gap *out)
{
	const struct cfi_gap *first = NULL;

	for (const struct cfi_gap *p = g->part; p < g->part + g->n; p++)
		if (p->end > start && p->start < end &&
		    (!first || p->start < first->start))
			first = p;
	if (!first)
		return false;
	*out = *first;
	if (out->start < start)
		out->start = start;
	if (out->end > end)
		out->end = end;
	return true;
}

bool cfi_gaps_find(const struct cfi_gaps *g, u64 start, u64 end,
		   struct cfi_gap *out)
{
	return find_loader(g->m, start, end, out) ||
	       find_clone(g->m, start, end, out) ||
	       find_part(g, start, end, out);
}

/* rsp + 8 + ((rip & 15) >= N) * 8 */
bool cfi_is_plt(const u8 *expression, size_t len, s64 *pushed)
{
	static const u8 plt[] = { DW_OP_breg7, 8,	    DW_OP_breg16,
				  0,	       DW_OP_lit15, DW_OP_and,
				  DW_OP_lit0,  DW_OP_ge,    DW_OP_lit3,
				  DW_OP_shl,   DW_OP_plus };

	if (len != sizeof(plt) || memcmp(expression, plt, 6) ||
	    expression[6] < DW_OP_lit0 || expression[6] > DW_OP_lit31 ||
	    memcmp(expression + 7, plt + 7, len - 7))
		return false;
	*pushed = expression[6] - DW_OP_lit0;
	return true;
}
