/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Text as JSON has it (RFC 8259). */
#ifndef JPBPF_USER_LIB_JSON_H
#define JPBPF_USER_LIB_JSON_H

struct buf;

/* Append text as a JSON string, in quotes.  Control characters are escaped; a
 * byte that is no UTF-8 becomes U+FFFD, as JSON has no way to say it. */
void json_text(struct buf *out, const char *text);

#endif
