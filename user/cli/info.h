/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * jpbpf info: what a process or a file is, or what this program itself is, and
 * the configuration embedded in it, by TIP 59's words list and get.
 */
#ifndef JPBPF_USER_CLI_INFO_H
#define JPBPF_USER_CLI_INFO_H

struct options;

/* Prints to standard output; an exit status of the program. */
int info_run(const struct options *o);

#endif
