/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Four functions (libgcc/crtstuff.c, releases/gcc-12), of which only one moves the stack
 * pointer:
 *
 *   __do_global_dtors_aux	first in .fini_array; calls the next one
 *   deregister_tm_clones
 *   frame_dummy		first in .init_array; jumps to the next one
 *   register_tm_clones
 *
 * Every file runs them when it is loaded and when the program ends, and is seldom in the
 * cache then, so time is spent there.  They are known by all of their bytes, as gcc has
 * compiled them for long; others are left alone.
 */
#include "user/unwind/cfi_crt.h"

#include <ctype.h>
#include <string.h>

#include "user/elf/module.h"

#define CODE_MAX 96

/* Bytes in hexadecimal, or any: "..". */
static const char endbr64[] = "f30f1efa";
static const char dtors[] = "803d........00 75.. 55 48833d........00 4889e5 "
			    "74.. 488b3d........ e8........ e8........ "
			    "c605........01 5d c3";
/* Without __cxa_finalize(). */
static const char plain_dtors[] = "803d........00 75.. 55 4889e5 e8........ "
				  "c605........01 5d c3";
static const char deregister[] = "488d3d........ 488d05........ 4839f8 74.. "
				 "488b05........ 4885c0 74.. ffe0";
static const char reg[] = "488d3d........ 488d35........ 4829fe 4889f0 "
			  "48c1ee3f 48c1f803 4801c6 48d1fe 74.. "
			  "488b05........ 4885c0 74.. ffe0";
static const char dummy[] = "e9........";

/* In both forms of it, from its first byte and from behind its last one. */
#define DTORS_RETURN 8	/* of the jump to a return, how far */
#define DTORS_PUSHED 10 /* behind the push */
#define DTORS_CALLED 9	/* behind the call of deregister_tm_clones() */
#define RETURN	     0xc3

struct code {
	u64 vaddr;
	u8 byte[CODE_MAX];
};

struct parts {
	const struct module *m;
	struct cfi_gap *part;
	size_t n;
};

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
}

/* Bytes that are as the pattern says; 0: they are not. */
static size_t match(const struct code *c, size_t at, const char *pattern)
{
	size_t from = at;

	for (; *pattern; pattern += 2) {
		if (*pattern == ' ')
			pattern++;
		if (at >= sizeof(c->byte))
			return 0;
		if (*pattern != '.' &&
		    c->byte[at] != digit(pattern[0]) * 16 + digit(pattern[1]))
			return 0;
		at++;
	}
	return at - from;
}

/* From vaddr on, as much as there is. */
static bool read_code(const struct module *m, u64 vaddr, struct code *c)
{
	*c = (struct code){ .vaddr = vaddr };
	for (size_t len = CODE_MAX; len >= 8; len -= 8)
		if (!module_read(m, vaddr, c->byte, len))
			return true;
	return false;
}

static s32 distance(const struct code *c, size_t at)
{
	s32 n;

	memcpy(&n, c->byte + at, sizeof(n));
	return n;
}

static struct cfi_gap *add(struct parts *p, u64 start, u64 end, s32 cfa_off)
{
	struct cfi_gap *part = &p->part[p->n++];

	*part = cfi_gap_plain(start, end, cfa_off);
	return part;
}

/* A function that leaves the stack alone; at its end it jumps forward to a return, or
 * elsewhere. */
static void add_leaf(struct parts *p, u64 vaddr, const char *pattern)
{
	struct code c;
	size_t n, last;

	if (!read_code(p->m, vaddr, &c))
		return;
	n = match(&c, 0, pattern);
	if (!n)
		return;
	last = n - 2 + c.byte[n - 3];
	if (last < CODE_MAX && c.byte[last] == RETURN)
		add(p, vaddr, vaddr + last + 1, 8);
}

/* Where the first pointer of an array leads to, if the linker wrote it there. */
static bool first_of(const struct module *m, const char *section, u64 *vaddr)
{
	u64 at, size;

	return !module_section(m, section, &at, &size) &&
	       size >= sizeof(*vaddr) &&
	       !module_read(m, at, vaddr, sizeof(*vaddr));
}

static void add_fini(struct parts *p)
{
	size_t start, n, back;
	struct code c;
	u64 vaddr;

	if (!first_of(p->m, ".fini_array", &vaddr) ||
	    !read_code(p->m, vaddr, &c))
		return;
	start = match(&c, 0, endbr64);
	n = match(&c, start, dtors);
	if (!n)
		n = match(&c, start, plain_dtors);
	if (!n)
		return;
	n += start;
	add(p, vaddr, vaddr + start + DTORS_PUSHED, 8);
	add(p, vaddr + start + DTORS_PUSHED, vaddr + n - 1, 16)
		->rule.slot[SAVED_FRAME] = -2;
	add(p, vaddr + n - 1, vaddr + n, 8);
	back = start + DTORS_RETURN + 1 + c.byte[start + DTORS_RETURN];
	if (back >= n && back < CODE_MAX && c.byte[back] == RETURN)
		add(p, vaddr + back, vaddr + back + 1, 8);
	n -= DTORS_CALLED;
	add_leaf(p, vaddr + n + distance(&c, n - 4), deregister);
}

static void add_init(struct parts *p)
{
	struct code c;
	size_t n;
	u64 vaddr;

	if (!first_of(p->m, ".init_array", &vaddr) ||
	    !read_code(p->m, vaddr, &c))
		return;
	n = match(&c, 0, endbr64);
	if (!match(&c, n, dummy))
		return;
	n += match(&c, n, dummy);
	add(p, vaddr, vaddr + n, 8);
	add_leaf(p, vaddr + n + distance(&c, n - 4), reg);
}

size_t cfi_crt_parts(const struct module *m, struct cfi_gap *part)
{
	struct parts p = { .m = m, .part = part };

	add_fini(&p);
	add_init(&p);
	return p.n;
}
