/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The start of a walk: the event as its source describes it, the memory that is walked
 * and how it may be read, and the user-mode registers.
 */
#ifndef JPBPF_BEGIN_BPF_H
#define JPBPF_BEGIN_BPF_H

#include "bpf/native/cursor.bpf.h"

/* One event, filled in by its source. */
struct event {
	/* The registers at the event, of user mode or of the kernel.  NULL: the event
	 * is in the kernel, which saved the user-mode registers on entry. */
	const struct perf_regs *regs;
	void *stack; /* context for bpf_get_stack(); NULL: no kernel frames */
	struct task_struct *task; /* that is on no CPU; NULL: the current one */
	const struct cause *cause; /* of an error; NULL: it is none */
	u32 walker;		   /* that knows of the error, or PROBE_CXX */
	u32 source;		   /* enum source_id */
	u32 level;		   /* enum source_level */
	u64 value;   /* units of the source that this sample stands for */
	u32 account; /* of the source, on CPU 0 (budget.bpf.h) */
};

static __always_inline bool is_user_mode(const struct event *e)
{
	return e->regs && arch_is_user(ARCH_MODE(e->regs));
}

/* Takes the user-mode registers that the kernel saved on the task's stack when it was
 * entered.  Returns the mode that goes with them. */
static __always_inline u64 saved_registers(struct walk *w,
					   struct task_struct *task)
{
	struct pt_regs *r = (struct pt_regs *)bpf_task_pt_regs(task);

	ARCH_SET_REGISTERS(w, r);
	return ARCH_MODE(r);
}

/*
 * Kernel address of the task's top page table; 0: it must not be read.  Page tables
 * stay in place only while interrupts are off (direct.bpf.h), so a source at task level
 * gets 0.  An NMI can hit the switch from one process to another, when the tables of
 * neither are safe.  bpf_probe_read_user() checks for this (nmi_uaccess_okay()), so at
 * NMI level one word is read by the helper first.
 */
static __always_inline u64 page_table(struct walk *w, u64 mm,
				      const struct event *e)
{
	u64 word;

	if (!direct_base || (e->level == LEVEL_TASK && !e->task))
		return 0;
	if (e->level == LEVEL_NMI &&
	    walk_read(w, &word, sizeof(word), w->reg[REG_STACK]))
		return 0;
	return direct_table(mm);
}

/*
 * Whether the process entry is about another program's memory than mm.  Only an exec
 * changes the memory of a process.  If the event is in the kernel, the exec is under
 * way: on_exec() has not run yet, and the saved registers may be those of either
 * program.  If the event is in user mode, the entry was written during the exec and is
 * out of date.
 */
static __always_inline bool is_replaced(struct process_entry *p, u64 mm)
{
	u32 serial = *(volatile u32 *)&p->serial;

	if (mostly(p->memory_of == serial))
		return p->memory != mm;
	/* memory_of is written last.  If another process's entry takes this place in
	 * the map meanwhile, its serial differs and the value is ignored. */
	p->memory = mm;
	barrier();
	p->memory_of = serial;
	return false;
}

/* Fills in the user-mode registers.  Returns 0, or the status of the walk if it has ended
 * already. */
static __always_inline u32 begin_user(struct walk *w, struct process_entry *p,
				      const struct event *e)
{
	struct task_struct *task = e->task ?: bpf_get_current_task_btf();
	u64 mode, mm = direct_mm(task);
	bool user_mode = is_user_mode(e);

	if ((task->flags & PF_KTHREAD) || !mm)
		return WALK_KERNEL_THREAD;
	if (seldom(is_replaced(p, mm))) {
		if (!user_mode)
			return WALK_EXEC;
		w->process.state = PROCESS_PENDING;
	}
	if (mostly(user_mode)) {
		mode = ARCH_MODE(e->regs);
		ARCH_SET_REGISTERS(w, e->regs);
	} else {
		mode = saved_registers(w, task);
	}
	if (seldom(arch_is_32bit(mode)))
		return CUT_32BIT;
	if (seldom(!arch_is_user(mode) || !w->pc))
		return CUT_NO_REGISTERS;
	w->direct.table = page_table(w, mm, e);
	if (seldom(e->task)) {
		w->task = (u64)task;
		w->thread = arch_thread(task);
	}
	cursor_begin(cursor_of(w));
	return 0;
}

#endif
