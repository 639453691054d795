/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A message's length stands before it and is not known when it is opened.  One byte is
 * kept free for it; when the length needs more, the message is moved.
 */
#include "user/lib/protobuf.h"

#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

#define VARINT_MAX 10 /* bytes */

static size_t encode(u8 *to, u64 value)
{
	size_t n = 0;

	for (; value > 0x7f; value >>= 7)
		to[n++] = value | 0x80;
	to[n++] = value;
	return n;
}

void protobuf_varint(struct buf *out, u64 value)
{
	u8 bytes[VARINT_MAX];

	buf_add(out, bytes, encode(bytes, value));
}

static void add_key(struct buf *out, u32 field, enum wire wire)
{
	protobuf_varint(out, (u64)field << 3 | wire);
}

void protobuf_number(struct buf *out, u32 field, u64 value)
{
	if (!value)
		return;
	add_key(out, field, WIRE_VARINT);
	protobuf_varint(out, value);
}

void protobuf_signed(struct buf *out, u32 field, s64 value)
{
	protobuf_number(out, field, (u64)value << 1 ^ (u64)(value >> 63));
}

void protobuf_bytes(struct buf *out, u32 field, const void *bytes, size_t len)
{
	add_key(out, field, WIRE_BYTES);
	protobuf_varint(out, len);
	buf_add(out, bytes, len);
}

void protobuf_text(struct buf *out, u32 field, const char *text)
{
	if (*text)
		protobuf_bytes(out, field, text, strlen(text));
}

size_t protobuf_open(struct buf *out, u32 field)
{
	add_key(out, field, WIRE_BYTES);
	buf_addc(out, '\0');
	return out->len;
}

void protobuf_close(struct buf *out, size_t opened)
{
	size_t len = out->len - opened, n;
	u8 bytes[VARINT_MAX];

	n = encode(bytes, len);
	if (n > 1) {
		buf_add(out, bytes, n - 1); /* makes room */
		memmove(out->data + opened + n - 1, out->data + opened, len);
	}
	memcpy(out->data + opened - 1, bytes, n);
}

void protobuf_parts(struct buf *out, u32 field,
		    const struct protobuf_part *part, size_t n)
{
	size_t at = protobuf_open(out, field);

	for (; n; n--, part++) {
		protobuf_number(out, part->field, part->n);
		if (part->text)
			protobuf_text(out, part->field, part->text);
		if (part->message)
			protobuf_bytes(out, part->field, part->message->data,
				       part->message->len);
	}
	protobuf_close(out, at);
}

struct protobuf protobuf_read(const void *bytes, size_t len)
{
	return (struct protobuf){ .at = bytes, .end = (const u8 *)bytes + len };
}

struct protobuf protobuf_inner(const struct protobuf *p)
{
	return protobuf_read(p->bytes ? (const void *)p->bytes : "",
			     p->bytes ? p->number : 0);
}

bool protobuf_next_varint(struct protobuf *p, u64 *value)
{
	*value = 0;
	for (int shift = 0; p->at < p->end && shift < 64; shift += 7) {
		*value |= (u64)(*p->at & 0x7f) << shift;
		if (!(*p->at++ & 0x80))
			return true;
	}
	p->broken = true;
	return false;
}

/* Take so many bytes. */
static bool take(struct protobuf *p, u64 len)
{
	p->broken = len > (u64)(p->end - p->at);
	if (p->broken)
		return false;
	p->bytes = p->at;
	p->number = len;
	p->at += len;
	return true;
}

bool protobuf_next(struct protobuf *p)
{
	u64 key, len;

	p->bytes = NULL;
	if (p->broken || p->at == p->end || !protobuf_next_varint(p, &key))
		return false;
	p->field = key >> 3;
	switch (key & 7) {
	case WIRE_VARINT:
		return protobuf_next_varint(p, &p->number);
	case WIRE_64:
		return take(p, 8);
	case WIRE_32:
		return take(p, 4);
	case WIRE_BYTES:
		return protobuf_next_varint(p, &len) && take(p, len);
	}
	p->broken = true;
	return false;
}
