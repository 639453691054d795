/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Native frames without a name, by file: what a profile lacks for want of symbols. */
#ifndef JPBPF_USER_PROFILE_UNNAMED_H
#define JPBPF_USER_PROFILE_UNNAMED_H

struct profile;

/* Say what share of the frames it is, in which files, and what can be done. */
void unnamed_print(struct profile *p);

#endif
