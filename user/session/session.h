/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One profiling run, from loading to the written result.
 *
 * The only place that knows all stages; the stages do the work.
 */
#ifndef JPBPF_USER_SESSION_SESSION_H
#define JPBPF_USER_SESSION_SESSION_H

struct options;

/* Does everything that the options say. An exit status of the program. */
int session_run(const struct options *o);

#endif
