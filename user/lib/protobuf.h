/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes and reads the wire format of Protocol Buffers.
 *
 * 	struct buf out = { 0 };
 * 	size_t inner = protobuf_open(&out, 3);
 *
 * 	protobuf_number(&out, 1, 150);
 * 	protobuf_text(&out, 2, "work");
 * 	protobuf_close(&out, inner);
 */
#ifndef JPBPF_USER_LIB_PROTOBUF_H
#define JPBPF_USER_LIB_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "user/lib/buf.h"

/* Append a number as a varint, without a field. */
void protobuf_varint(struct buf *out, u64 value);
/* Append a field.  A number 0 and an empty text are left out: readers take them for
 * absent fields. */
void protobuf_number(struct buf *out, u32 field, u64 value);
void protobuf_signed(struct buf *out, u32 field, s64 value); /* sint64 */
void protobuf_bytes(struct buf *out, u32 field, const void *bytes, size_t len);
void protobuf_text(struct buf *out, u32 field, const char *text);
/* Append a field that holds a message: all that is appended until protobuf_close(), which
 * gets what protobuf_open() returned. */
size_t protobuf_open(struct buf *out, u32 field);
void protobuf_close(struct buf *out, size_t opened);

/* Append a message of these fields: { 1, .n = 150 }, { 2, .text = "work" }, or
 * { 3, .message = &buf }, which has the fields of a message within it. */
struct protobuf_part {
	u32 field;
	u64 n;
	const char *text;
	const struct buf *message;
};

#define protobuf_put(out, field, ...)                                    \
	protobuf_parts(out, field,                                       \
		       (const struct protobuf_part[]){ __VA_ARGS__ },    \
		       sizeof((struct protobuf_part[]){ __VA_ARGS__ }) / \
			       sizeof(struct protobuf_part))
void protobuf_parts(struct buf *out, u32 field,
		    const struct protobuf_part *part, size_t n);

/* Bytes that are being read, and the field read last. */
struct protobuf {
	const u8 *at, *end;
	bool broken; /* the bytes are not sound */
	u32 field;
	u64 number;	 /* of a number; of bytes: their length */
	const u8 *bytes; /* NULL: the field is a number */
};

struct protobuf protobuf_read(const void *bytes, size_t len);
/* The bytes of the field read last. */
struct protobuf protobuf_inner(const struct protobuf *p);
/* Read the next field.  False: there is none, or the bytes are broken. */
bool protobuf_next(struct protobuf *p);
/* Read a number that has no field. */
bool protobuf_next_varint(struct protobuf *p, u64 *value);

static inline s64 protobuf_unsign(u64 zigzag)
{
	return (s64)(zigzag >> 1) ^ -(s64)(zigzag & 1);
}

#endif
