/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How many files this process may have open. */
#ifndef JPBPF_USER_SESSION_DESCRIPTORS_H
#define JPBPF_USER_SESSION_DESCRIPTORS_H

/* Files of targets are kept open: take as many descriptors as we may. */
void descriptors_raise(void);

#endif
