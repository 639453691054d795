/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Writes texts as JSON strings (RFC 8259). */
#ifndef JPBPF_USER_LIB_JSON_H
#define JPBPF_USER_LIB_JSON_H

struct buf;

/* Append text as a JSON string, in quotes.  Hidden characters (utf8.h) are escaped.  A
 * byte that is not valid UTF-8 becomes U+FFFD, because JSON cannot express it. */
void json_text(struct buf *out, const char *text);

#endif
