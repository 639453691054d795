/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Growth by doubling.  One byte is always reserved for the NUL. */
#include "user/lib/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

static void reserve(struct buf *b, size_t extra)
{
	size_t need = b->len + extra + 1;

	if (need <= b->capacity)
		return;
	b->capacity = need < 64 ? 64 : need * 2;
	b->data = xreallocarray(b->data, b->capacity, 1);
}

void buf_add(struct buf *b, const void *bytes, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addhex(struct buf *b, const void *bytes, size_t len)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < len; i++) {
		buf_addc(b, digit[byte[i] >> 4]);
		buf_addc(b, digit[byte[i] & 15]);
	}
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n <= 0)
		return;
	reserve(b, n);
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, n + 1, fmt, ap);
	va_end(ap);
	b->len += n;
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

const char *buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}
