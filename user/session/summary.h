/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The closing summary on standard error: what was taken, kept, lost and why. */
#ifndef JPBPF_USER_SESSION_SUMMARY_H
#define JPBPF_USER_SESSION_SUMMARY_H

struct session;

void summary_print(const struct session *s);

#endif
