/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The verbs that read recordings: report, convert, diff. */
#ifndef JPBPF_USER_CLI_READING_H
#define JPBPF_USER_CLI_READING_H

struct options;

/* Returns an exit status of the program. */
int reading_run(const struct options *o);

#endif
