/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Which build this is. */
#ifndef JPBPF_USER_CLI_VERSION_H
#define JPBPF_USER_CLI_VERSION_H

/* "0.1.0", followed by " (commit)" where that was known. */
extern const char version_text[];

#endif
