/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The file that dwz has moved a debug file's doublets to (.gnu_debugaltlink). */
#ifndef JPBPF_USER_DEBUGINFO_ALTLINK_H
#define JPBPF_USER_DEBUGINFO_ALTLINK_H

#include <elfutils/libdw.h>

struct module;
struct altlink; /* opaque */

/* Before anything is read of dwarf, which is m's: see to it that libdw never opens
 * a file itself.  0, and *out NULL when there is no such link; else it outlives all
 * use of dwarf but dwarf_end().  -errno: dwarf must not be used. */
int altlink_set(Dwarf *dwarf, const struct module *m, struct altlink **out);
void altlink_free(struct altlink *a);

#endif
