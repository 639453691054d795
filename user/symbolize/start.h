/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Functions that start a process or a thread. */
#ifndef JPBPF_USER_SYMBOLIZE_START_H
#define JPBPF_USER_SYMBOLIZE_START_H

#include <stdbool.h>

/* Is this the name of such a function, of the C library or the C start-up? */
bool start_is_name(const char *name);

#endif
