/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which build this is, and how it was made. */
#ifndef JPBPF_USER_CLI_BUILD_H
#define JPBPF_USER_CLI_BUILD_H

struct fact;

/* "0.1.0", followed by " (commit)" where that was known. */
extern const char build_version[];

/* The first keys of the pairs, by which pairs_read() finds them in a file. */
extern const char *const build_first_keys[];

/* All pairs, and what is only known at run time, as texts. */
void build_facts(struct fact *out);

#endif
