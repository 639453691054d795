/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Where a walk begins: what the source says of the event, whose memory is walked and
 * how it may be read, and the registers of user mode.
 */
#ifndef JPBPF_BEGIN_BPF_H
#define JPBPF_BEGIN_BPF_H

#include "arch/registers.bpf.h"
#include "bpf/walk.bpf.h"

/* What a source says of an event. */
struct event {
	/* The registers at the event, of user mode or of the kernel; NULL: of the
	 * kernel, and those of user mode were saved when it was entered. */
	const struct perf_regs *regs;
	void *stack; /* where bpf_get_stack() begins; NULL: no kernel frames */
	u32 source;  /* enum source_id */
	u32 level;   /* enum source_level */
	u64 value;   /* units of the source that this sample stands for */
};

static __always_inline bool is_user_mode(const struct event *e)
{
	return e->regs && arch_is_user(ARCH_MODE(e->regs));
}

/* In a system call or interrupt the user's registers lie on the kernel stack.
 * Returns their mode. */
static __always_inline u64 saved_registers(struct walk *w)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *r = (struct pt_regs *)bpf_task_pt_regs(task);

	ARCH_SET_REGISTERS(w, r);
	return ARCH_MODE(r);
}

/*
 * The task's top page table, 0: it must not be looked at.  What it leads to stays
 * there only while interrupts are off (direct.bpf.h), which they are not at the level
 * of tasks.  A sample by NMI can hit the switch from one process to another, when the
 * tables of neither are safe: the helper knows (nmi_uaccess_okay()), so it is asked
 * first.
 */
static __always_inline u64 page_table(const struct walk *w, u64 mm, u32 level)
{
	u64 word;

	if (!direct_base || level == LEVEL_TASK)
		return 0;
	if (level == LEVEL_NMI &&
	    walk_read(&word, sizeof(word), w->reg[REG_STACK]))
		return 0;
	return direct_table(mm);
}

/*
 * Is this another program's memory than the one the entry is about? Only an exec
 * changes it.  In the kernel one is under way then: on_exec() has not been called yet,
 * and the registers that are saved may be those of either program.  In user mode the
 * entry is an old one, written while its process began another program.
 */
static __always_inline bool is_replaced(struct process_entry *p, u64 mm)
{
	u32 serial = *(volatile u32 *)&p->serial;

	if (p->memory_of == serial)
		return p->memory != mm;
	/* The serial last: should another process's entry take this place just now,
	 * it is not believed there. */
	p->memory = mm;
	barrier();
	p->memory_of = serial;
	return false;
}

static __always_inline void begin_registers(struct walk *w)
{
	w->valid = 0xffff;
	w->saved = 0;
	w->exact = 1;
	w->cfa = w->reg[REG_STACK] - 1;
}

/* Fill in the registers of user mode. false: the walk has ended already. */
static __always_inline bool begin_user(struct walk *w, struct process_entry *p,
				       const struct event *e)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 mode, mm = direct_mm(task);
	bool user_mode = is_user_mode(e);

	if ((task->flags & PF_KTHREAD) || !mm) {
		walk_end(w, WALK_KERNEL_THREAD);
		return false;
	}
	if (is_replaced(p, mm)) {
		if (!user_mode) {
			walk_end(w, WALK_EXEC);
			return false;
		}
		w->process.state = PROCESS_PENDING;
	}
	if (user_mode) {
		mode = ARCH_MODE(e->regs);
		ARCH_SET_REGISTERS(w, e->regs);
	} else {
		mode = saved_registers(w);
	}
	if (arch_is_32bit(mode)) {
		walk_end(w, CUT_32BIT);
		return false;
	}
	if (!arch_is_user(mode) || !w->pc) {
		walk_end(w, CUT_NO_REGISTERS);
		return false;
	}
	w->direct.table = page_table(w, mm, e->level);
	begin_registers(w);
	return true;
}

#endif
