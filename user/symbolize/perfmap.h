/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names of code made at run time, which its maker wrote to /tmp/perf-PID.map. */
#ifndef JPBPF_USER_SYMBOLIZE_PERFMAP_H
#define JPBPF_USER_SYMBOLIZE_PERFMAP_H

#include <stddef.h>

#include <jpbpf/types.h>

struct module;
struct perfmap; /* opaque */

/* Read the map of the process whose code m is.  NULL if there is no such file, or if
 * the file cannot be trusted. */
struct perfmap *perfmap_read(const struct module *m);
void perfmap_free(struct perfmap *p);
/* The name of the code at an address of the process, by the last line that covers the
 * address; NULL if there is none.  The name has *len bytes, is not terminated, and is
 * valid as long as p. */
const char *perfmap_name(const struct perfmap *p, u64 address, size_t *len);

#endif
