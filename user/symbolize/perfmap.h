/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names of code made at run time, which its maker wrote to /tmp/perf-PID.map. */
#ifndef JPBPF_USER_SYMBOLIZE_PERFMAP_H
#define JPBPF_USER_SYMBOLIZE_PERFMAP_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;

/* Opens the map of the process whose code m is.  A file descriptor, or -errno if there
 * is no such file, or the file cannot be trusted. */
int perfmap_open(const struct module *m);
/* Calls take with the number and the name of each address that a line of the map has:
 * of the process, base + vaddr[i], sorted.  The last line for an address counts.  To be
 * called in a jail (user/debuginfo/jail.h). */
void perfmap_read(int fd, u64 base, const u64 *vaddr, size_t n,
		  void (*take)(void *ctx, size_t i, const char *name),
		  void *ctx);

#endif
