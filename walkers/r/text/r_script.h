/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The script that an R process runs. */
#ifndef JPBPF_WALKERS_R_TEXT_R_SCRIPT_H
#define JPBPF_WALKERS_R_TEXT_R_SCRIPT_H

#include <sys/types.h>

#include <jpbpf/types.h>

struct walker_keep;

/* Keep the script that a process was started with, and a text that has the script's
 * name, a newline, and the id of the script's bytes in hexadecimal.  Returns the id of
 * that text; 0 if there is no script, if it is not clear which file it is, or if there
 * was no room. */
u64 r_script_read(const char *proc, pid_t pid, const struct walker_keep *keep);

#endif
