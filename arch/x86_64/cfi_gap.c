/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Code without call frame information that still has rules:
 *
 *   loader   _start and _dl_start_user of ld.so, where the kernel begins a
 *            program. Nothing called them (sysdeps/x86_64/dl-machine.h,
 *            RTLD_START, glibc-2.36).
 *   clone    The code after the system call. Parent and child both run it, and
 *            rax tells which of them does (sysdeps/unix/sysv/linux/x86_64/clone.S
 *            and clone3.S, glibc-2.36).
 *   context  The byte before the function that makecontext() returns to
 *            (cfi_context.c).
 *   ends     .init and .fini, whose code comes from crti.o and crtn.o, and four
 *            functions that gcc adds to each file's .text (libgcc/crtstuff.c):
 *            the first in .fini_array and what it calls, the first in .init_array
 *            and where it jumps to.  Every file runs them when it is loaded and
 *            when the program ends.  Their code is seldom in the cache then, so
 *            time is spent there.
 *
 * The rules of the last follow from the instructions: where control goes from the
 * function's first one, how deep the stack is at each, and which registers were pushed.
 */
#include "arch/cfi.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "arch/code.h"
#include "arch/flow.h"
#include "user/elf/module.h"

#define LOADER_MAX 128 /* bytes of the two; seen: 64 to 96 */
#define CLONE_MAX  16
#define END_MAX	   96 /* bytes of a function whose end is not known */

static void add_root(struct cfi_gaps *g, u64 start, u64 len)
{
	g->part[g->n++] =
		(struct cfi_gap){ start, start + len, { .kind = UNWIND_ROOT } };
}

/* Only the program loader defines _r_debug without needing a loader itself. */
static void add_loader(struct cfi_gaps *g)
{
	GElf_Ehdr h;
	u64 vaddr;

	if (!g->m->is_exec && !module_dynsym(g->m, "_r_debug", &vaddr, NULL) &&
	    gelf_getehdr(module_handle(g->m), &h) && h.e_entry)
		add_root(g, h.e_entry, LOADER_MAX);
}

static bool find_clone(const struct module *m, u64 start, u64 end,
		       struct cfi_gap *out)
{
	/* syscall; test %rax, %rax */
	static const u8 call[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0 };
	u8 bytes[sizeof(call)];

	if (end - start > CLONE_MAX ||
	    module_read(m, start, bytes, sizeof(bytes)) ||
	    memcmp(bytes, call, sizeof(call)))
		return false;
	*out = (struct cfi_gap){ start, end,
				 cfi_plain_rule(UNWIND_CLONE, DEPTH_ENTRY,
						UNWIND_SLOT_SAME) };
	return true;
}

/* The rule of one instruction.  false: no rule would be true for the function, as it
 * writes a register that a call preserves and did not push it, or leaves with a stack
 * other than it came with. */
static bool find_rule(const struct code *c, const struct insn *in,
		      struct unwind_rule *rule)
{
	*rule = cfi_plain_rule(UNWIND_CFA, in->depth, UNWIND_SLOT_SAME);
	for (int i = 0; i < SAVED_REGS; i++) {
		for (const struct insn *p = c->insn; p < c->insn + c->n; p++)
			if (p->what == INSN_PUSH &&
			    p->op[0].kind == OPERAND_REG &&
			    p->op[0].reg == saved_reg[i] &&
			    p->depth >= DEPTH_ENTRY && p->depth < in->depth)
				rule->slot[i] = -(p->depth + 8) / 8;
		if (in->what != INSN_CALL && in->writes >> saved_reg[i] & 1 &&
		    rule->slot[i] == UNWIND_SLOT_SAME)
			return false;
	}
	return in->depth == DEPTH_ENTRY ||
	       (in->what != INSN_END && (!insn_jumps(in) || in->to >= 0));
}

/* Adds the parts of a function, all or none.  Returns whether there are any. */
static bool add_parts(struct cfi_gaps *g, const struct code *c)
{
	struct cfi_gap *last = NULL;
	size_t before = g->n;

	for (const struct insn *in = c->insn; in < c->insn + c->n; in++) {
		struct cfi_gap part = { .start = in->vaddr,
					.end = in->vaddr + in->size };

		if (in->depth < 0) {
			if (in->what != INSN_NOP)
				last = NULL;
			continue;
		}
		if (!find_rule(c, in, &part.rule) || g->n == CFI_GAP_PARTS) {
			g->n = before;
			return false;
		}
		if (last && !memcmp(&last->rule, &part.rule, sizeof(part.rule)))
			last->end = part.end;
		else
			*(last = &g->part[g->n++]) = part;
	}
	return g->n > before;
}

/* Adds a function of at most len bytes, and those that it calls or jumps to. */
static void add_function(struct cfi_gaps *g, u64 start, u64 len, bool called)
{
	struct module_function f;
	struct code c;

	if (!module_function_at(g->m, start, &f) ||
	    code_decode_some(&c, g->m, start, len))
		return;
	flow_depths(&c, g->m);
	if (add_parts(g, &c) && called)
		for (size_t i = 0; i < c.n; i++)
			if (c.insn[i].depth >= 0 && c.insn[i].to < 0 &&
			    c.insn[i].target)
				add_function(g, c.insn[i].target, END_MAX,
					     false);
	code_release(&c);
}

/* The first function of an array, if the linker wrote its address there. */
static void add_first(struct cfi_gaps *g, const char *section)
{
	u64 at, size, vaddr;

	if (!module_section(g->m, section, &at, &size) &&
	    size >= sizeof(vaddr) &&
	    !module_read(g->m, at, &vaddr, sizeof(vaddr)))
		add_function(g, vaddr, END_MAX, true);
}

static void add_section(struct cfi_gaps *g, const char *section)
{
	u64 vaddr, size;

	if (!module_section(g->m, section, &vaddr, &size) && size <= END_MAX)
		add_function(g, vaddr, size, false);
}

void cfi_gaps_init(struct cfi_gaps *g, const struct module *m)
{
	u64 end = cfi_context_end(m);

	*g = (struct cfi_gaps){ .m = m };
	if (end)
		add_root(g, end - 1, 1);
	add_loader(g);
	add_section(g, ".init");
	add_section(g, ".fini");
	add_first(g, ".fini_array");
	add_first(g, ".init_array");
}

bool cfi_gaps_find(const struct cfi_gaps *g, u64 start, u64 end,
		   struct cfi_gap *out)
{
	const struct cfi_gap *first = NULL;

	if (find_clone(g->m, start, end, out))
		return true;
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
