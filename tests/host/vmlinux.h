/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Stands in for vmlinux/vmlinux.h when the kernel side is built as ordinary C.
 *
 * The tests put this folder first in the include path; nothing in the product
 * knows of it.  Constants come from the same user API header that fixes them for
 * the kernel; structures have just the fields that the programs read.
 */
#ifndef JPBPF_TESTS_HOST_VMLINUX_H
#define JPBPF_TESTS_HOST_VMLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/bpf.h>
#include <linux/types.h>

/* include/linux/sched.h */
enum { PF_KTHREAD = 0x00200000 };

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
};

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

/* One number of a task: of as many as namespaces are around it. */
struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};
struct xol_area {
	unsigned long vaddr;
};

struct uprobes_state {
	struct xol_area *xol_area;
};

struct return_instance {
	unsigned long stack;
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
};

struct uprobe_task {
	struct return_instance *return_instances;
	unsigned long vaddr;
	unsigned long xol_vaddr;
};

struct mm_struct {
	unsigned long *pgd;
	unsigned long start_stack;
	struct uprobes_state uprobes_state;
};

struct vm_unmapped_area_info {
	unsigned long length;
};

struct thread_struct {
	unsigned long fsbase;
};

struct completion;

struct task_struct {
	unsigned int flags;
	struct mm_struct *mm;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct completion *vfork_done;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	struct signal_struct *signal;
	struct thread_struct thread;
	int on_cpu;
	unsigned long nvcsw, nivcsw;
	struct uprobe_task *utask;
	char comm[16];
};

struct bpf_iter__task {
	struct task_struct *task;
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

struct perf_regs {
	__u64 r15, r14, r13, r12, bp, bx;
	__u64 r11, r10, r9, r8, ax, cx, dx, si, di;
	__u64 orig_ax, ip, cs, flags, sp, ss;
};

struct bpf_perf_event_data {
	struct perf_regs regs;
	__u64 sample_period;
	__u64 addr;
};

#endif
