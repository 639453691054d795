/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The kernel's types, as far as they are read here: kept by hand, relocated by
 * CO-RE at load time, so one object runs on every kernel from 6.1 on.
 *
 * Only the fields in use are declared.  Constants are those of the user API
 * (include/uapi/linux/bpf.h), which never change.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef int pid_t;
typedef _Bool bool;

enum { false = 0, true = 1 };

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_EXIST = 2 };
enum { BPF_F_NO_PREALLOC = 1 << 0, BPF_F_MMAPABLE = 1 << 10 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };
enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2 };
enum { BPF_RB_AVAIL_DATA = 0, BPF_RB_RING_SIZE = 1 };

/* include/linux/sched.h */
enum { PF_KTHREAD = 0x00200000 };

#pragma clang attribute push(__attribute__((preserve_access_index)),           \
			     apply_to = record)

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
/* kernel/events/uprobes.c and include/linux/uprobes.h */
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

struct thread_struct {
	unsigned long fsbase;
};

struct task_struct {
	unsigned int flags;
	struct mm_struct *mm;
	pid_t pid;
	pid_t tgid;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	struct signal_struct *signal;
	struct thread_struct thread;
	unsigned int on_cpu; /* unsigned: its size differs between kernels */
	unsigned long nvcsw, nivcsw;
	struct uprobe_task *utask;
	char comm[16];
};

/* Context of SEC("iter/task"), kernel/bpf/task_iter.c, v6.1. */
struct bpf_iter__task {
	struct task_struct *task;
};

struct linux_binprm;

struct vm_unmapped_area_info {
	unsigned long length;
};

/* arch/x86/include/asm/ptrace.h.  cs is 16 bits wide on kernels with FRED. */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip;
	unsigned long cs;
	unsigned long flags, sp;
};

#pragma clang attribute pop

/*
 * The context of a perf_event program is user API: fixed, never relocated (the
 * verifier refuses loads of another width from it).
 */
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
