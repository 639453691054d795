/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Stands in for libbpf's header of the same name: the kernel's helpers as
 * ordinary functions (tests/host).  A map is known by its address alone; its
 * declaration keeps the shape that libbpf gives it, so its types can be asked for
 * with sizeof.  Other names than the kernel's, because libbpf itself exports some
 * of them for user space.
 */
#ifndef JPBPF_TESTS_HOST_BPF_HELPERS_H
#define JPBPF_TESTS_HOST_BPF_HELPERS_H

#include "vmlinux.h"

#define SEC(name)
#define __uint(name, value)  int(*name)[value]
#define __type(name, value)  __typeof__(value) *name
#define __array(name, value) __typeof__(value) *name[]

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#ifndef __noinline
#define __noinline __attribute__((noinline))
#endif

#ifndef __weak
#define __weak __attribute__((weak))
#endif
#define __ksym
#define barrier_var(v) ((void)(v))
#define barrier()      __asm__ volatile("" : : : "memory")

#define bpf_map_lookup_elem	 host_map_lookup
#define bpf_map_update_elem	 host_map_update
#define bpf_map_delete_elem	 host_map_delete
#define bpf_probe_read_user	 host_read
#define bpf_probe_read_user_str	 host_read_text
#define bpf_probe_read_kernel	 host_read_kernel
#define bpf_probe_read_kernel_str host_read_text /* not called */
#define bpf_rdonly_cast		 host_cast
#define bpf_ringbuf_output	 host_ring_output
#define bpf_ringbuf_query	 host_ring_query
#define bpf_loop		 host_loop
#define bpf_tail_call(ctx, map, index) ((void)(map))
#define bpf_ktime_get_ns	 host_time
#define bpf_get_smp_processor_id host_cpu
#define bpf_get_attach_cookie(c) host_cookie
#define bpf_get_prandom_u32	 host_random_u32
#define bpf_get_current_pid_tgid host_pid_tgid
#define bpf_get_current_comm	 host_comm
#define bpf_get_current_task_btf host_task
#define bpf_task_pt_regs(task)	 host_task_registers(task)
#define bpf_get_stack		 host_kernel_stack
#define bpf_task_storage_get(map, task, value, flags) host_storage(map)

void *host_map_lookup(const void *map, const void *key);
long host_map_update(const void *map, const void *key, const void *value,
		     __u64 flags);
long host_map_delete(const void *map, const void *key);
void *host_storage(const void *map);
long host_read(void *out, __u32 size, const void *address);
long host_read_text(void *out, __u32 size, const void *address);
long host_read_kernel(void *out, __u32 size, const void *address);
void *host_cast(const void *object, __u32 type);
long host_ring_output(const void *map, const void *data, __u64 size,
		      __u64 flags);
__u64 host_ring_query(const void *map, __u64 flags);
long host_loop(__u32 turns, void *fn, void *ctx, __u64 flags);
__u64 host_time(void);
__u32 host_cpu(void);
extern __u64 host_cookie; /* of the event */
__u32 host_random_u32(void);
__u64 host_pid_tgid(void);
long host_comm(char *out, __u32 size);
struct task_struct *host_task(void);
struct pt_regs *host_task_registers(struct task_struct *task);
long host_kernel_stack(void *ctx, void *out, __u32 size, __u64 flags);

#endif
