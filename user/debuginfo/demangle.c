/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libiberty's demanglers, kept within bounds.
 *
 * A short mangled name can stand for an endless one: substitutions refer to what
 * was said before, so each few bytes may double the text.  The demanglers bound
 * their depth but not their output, and their callback cannot say "enough".  So
 * the callback leaves them by longjmp: in callback mode both keep everything on
 * the stack and nothing is lost.
 */
#include "user/debuginfo/demangle.h"

#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "user/lib/buf.h"

struct output {
	struct buf *buf;
	size_t end; /* buf->len may not go beyond */
	jmp_buf too_long;
};

static void take(const char *text, size_t len, void *opaque)
{
	struct output *o = opaque;

	if (len > o->end - o->buf->len)
		longjmp(o->too_long, 1);
	buf_add(o->buf, text, len);
}

static bool demangle(const char *symbol, struct output *o)
{
	if (setjmp(o->too_long))
		return false;
	/* Rust's older names are valid C++ names as well: Rust goes first. */
	return rust_demangle_callback(symbol, DMGL_RUST, take, o) ||
	       cplus_demangle_v3_callback(symbol, DMGL_ANSI, take, o);
}

bool demangle_symbol(const char *symbol, struct buf *out)
{
	struct output o = { .buf = out, .end = out->len + DEMANGLE_MAX };
	size_t start = out->len;

	if (symbol[0] != '_' ||
	    strnlen(symbol, DEMANGLE_MAX + 1) > DEMANGLE_MAX)
		return false;
	if (demangle(symbol, &o) && out->len > start)
		return true;
	out->len = start;
	if (out->data)
		out->data[start] = '\0';
	return false;
}

bool demangle_type(const char *type, struct buf *out)
{
	static const char said[] = "typeinfo name for ";
	_cleanup_buf_ struct buf symbol = { 0 }, name = { 0 };

	buf_addf(&symbol, "_ZTS%s", type);
	if (!demangle_symbol(buf_text(&symbol), &name) ||
	    strncmp(buf_text(&name), said, sizeof(said) - 1) != 0)
		return false;
	buf_adds(out, name.data + sizeof(said) - 1);
	return true;
}
