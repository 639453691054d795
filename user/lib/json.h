/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Writes JSON (RFC 8259). */
#ifndef JPBPF_USER_LIB_JSON_H
#define JPBPF_USER_LIB_JSON_H

#include <jpbpf/types.h>

struct buf;

/* Append text as a JSON string, in quotes.  Hidden characters (utf8.h) are escaped.  A
 * byte that is not valid UTF-8 becomes U+FFFD, because JSON cannot express it. */
void json_text(struct buf *out, const char *text);
/* Append a comma, unless the object or list has just begun. */
void json_next(struct buf *out);
/* Append the key of an object's next member, and with the others a value. */
void json_key(struct buf *out, const char *key);
void json_number(struct buf *out, const char *key, u64 number);

#endif
