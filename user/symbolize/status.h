/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a status frame is called. */
#ifndef JPBPF_USER_SYMBOLIZE_STATUS_H
#define JPBPF_USER_SYMBOLIZE_STATUS_H

#include <stdbool.h>

#include <jpbpf/types.h>

struct buf;

/* Append "[cut: ...]" or "[...]". false: a whole stack needs no frame that says
 * so. */
bool status_name(u64 status, struct buf *out);

#endif
