/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Addresses in the page that the kernel's uprobes make in a process.
 *
 * A probe at a return (uretprobe, anybody's) puts the page's begin, the trampoline, in place
 * of the return address.  The task keeps the return address that was there, with its place on
 * the stack, in a list, the newest first.  Entries that longjmp() has passed over stay in the
 * list for a while, and a function that was jumped to has one with the trampoline as its
 * return address, so the place decides and not the order.
 *
 * An instruction that the kernel cannot emulate is executed in the page, by single step.  The
 * task knows where the instruction stands.
 */
#include "bpf/native/native.bpf.h"

#define PAGE 4096
#define INSTRUCTION \
	16 /* an instruction has up to 15 bytes; one more is behind it */
#define MAX_RETURNS 64 /* kernel/events/uprobes.c, MAX_URETPROBE_DEPTH, v6.1 */

struct returning {
	struct return_instance *at;
	u64 stack, trampoline, found;
};

static long next_return(u32 i, struct returning *r)
{
	struct return_instance *at = r->at;
	u64 address;

	if (!at)
		return 1;
	address = BPF_CORE_READ(at, orig_ret_vaddr);
	if (BPF_CORE_READ(at, stack) == r->stack && address != r->trampoline) {
		r->found = address;
		return 1;
	}
	r->at = BPF_CORE_READ(at, next);
	return 0;
}

/*
 * The stack pointer when the function had returned to the trampoline.  0: not known, because
 * the thread itself is in the trampoline's code, for some nanoseconds.
 */
static __always_inline u64 stack_at(struct walk *w, u64 trampoline)
{
	struct pt_regs *r;
	u64 sp = w->reg[REG_STACK], code = 0;

	if (w->pc == trampoline)
		return sp;
	/* A thread that sleeps is in no trampoline. */
	if (direct_foreign)
		return 0;
	r = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
	if (walk_word(w, &code,
		      w->pc == trampoline + 1 ? trampoline : w->pc - 2))
		return 0;
	if (w->pc == trampoline + 1)
		return (u8)code == ARCH_BREAKPOINT ? sp : 0;
	if ((u16)code != ARCH_SYSCALL)
		return 0;
	return ARCH_IS_SYSCALL(r) ? sp + ARCH_TRAMPOLINE_PUSHED : sp;
}

int uprobe_step(struct walk *w)
{
	struct task_struct *task;
	struct uprobe_task *u;
	struct xol_area *area;
	struct returning r = { 0 };
	u64 slot;

	if (!w || !bpf_core_field_exists(struct xol_area, vaddr))
		return 0;
	task = direct_foreign ? (struct task_struct *)w->task
			      : bpf_get_current_task_btf();
	u = BPF_CORE_READ(task, utask);
	area = u ? BPF_CORE_READ(task, mm, uprobes_state.xol_area) : NULL;
	if (!area)
		return 0;
	r.trampoline = BPF_CORE_READ(area, vaddr);
	if (w->pc - r.trampoline >= PAGE)
		return 0;
	slot = BPF_CORE_READ(u, xol_vaddr);
	if (slot != r.trampoline && w->pc - slot < INSTRUCTION) {
		r.found = BPF_CORE_READ(u, vaddr) + (w->pc - slot);
	} else {
		r.stack = stack_at(w, r.trampoline);
		if (!r.stack)
			return 0;
		r.at = BPF_CORE_READ(u, return_instances);
		r.stack -= 8;
		bpf_loop(MAX_RETURNS, next_return, &r, 0);
		if (!r.found)
			return 0;
		w->reg[REG_STACK] = r.stack + 8;
		w->exact = 0;
	}
	w->pc = r.found;
	return 1;
}
