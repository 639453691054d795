/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Stands in for libbpf's header of the same name.  The programs get another name,
 * because the C library has an on_exit() of its own.
 */
#ifndef JPBPF_TESTS_HOST_BPF_TRACING_H
#define JPBPF_TESTS_HOST_BPF_TRACING_H

#define BPF_PROG(name, ...) host_##name(__VA_ARGS__)

#endif
