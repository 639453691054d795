/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Native frames without a name, by file: which symbols a profile lacks. */
#ifndef JPBPF_USER_PROFILE_UNNAMED_H
#define JPBPF_USER_PROFILE_UNNAMED_H

struct profile;

/* Print the share of unnamed frames, the files they are in, and what can be done. */
void unnamed_print(struct profile *p);

#endif
