/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Tests of this host, by trying rather than by reading. */
#ifndef JPBPF_USER_CLI_HOST_H
#define JPBPF_USER_CLI_HOST_H

struct buf;

enum host_result {
	HOST_OK,
	HOST_NOTE,   /* worth saying when asked */
	HOST_WARN,   /* worth saying always */
	HOST_UNSAFE, /* no profile without --force */
	HOST_FAIL,   /* no profile on this host */
};

/* Each test appends what it found to what, in a few words. */
enum host_result host_processor(struct buf *what);
enum host_result host_kernel(struct buf *what);
enum host_result host_kernel_fault(struct buf *what);
enum host_result host_capabilities(struct buf *what);
enum host_result host_pids(struct buf *what);
enum host_result host_privileges(struct buf *what);
enum host_result host_lockdown(struct buf *what);
enum host_result host_btf(struct buf *what);
enum host_result host_bpf(struct buf *what);
enum host_result host_bpf_jit(struct buf *what);
enum host_result host_cpu_clock(struct buf *what);
enum host_result host_cycles(struct buf *what);
enum host_result host_sample_rate(struct buf *what);
enum host_result host_kernel_symbols(struct buf *what);
enum host_result host_open_files(struct buf *what);
enum host_result host_direct(struct buf *what);
enum host_result host_replaced(struct buf *what);

#endif
