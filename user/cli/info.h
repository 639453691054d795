/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * jpbpf info: facts about a process, a file or this program, and the configuration
 * embedded in it, by TIP 59's words list and get.
 */
#ifndef JPBPF_USER_CLI_INFO_H
#define JPBPF_USER_CLI_INFO_H

struct options;

/* Prints to standard output. Returns an exit status of the program. */
int info_run(const struct options *o);

#endif
