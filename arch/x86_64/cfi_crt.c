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
 * Every file runs these functions when it is loaded and when the program ends.  Their
 * code is seldom in the cache then, so time is spent there.  They are known by all of
 * their bytes, as gcc has compiled them for long; others are left alone.
 */
#include "arch/x86_64/cfi_gap.h"

#include "arch/x86_64/bytes.h"
#include "user/elf/module.h"

#define CODE_MAX 96

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

/* In both forms of dtors, from its first byte and from behind its last one. */
#define DTORS_RETURN 8	/* of the jump to a return, how far */
#define DTORS_PUSHED 10 /* behind the push */
#define DTORS_CALLED 9	/* behind the call of deregister_tm_clones() */

/* From vaddr on, as much as there is; none if nothing can be read. */
static void read_code(const struct module *m, u64 vaddr, struct bytes *b)
{
	b->len = 0;
	for (u64 len = CODE_MAX; len >= 8 && !b->len; len -= 8)
		bytes_read(b, m, vaddr, len);
}

static struct cfi_gap *add(struct cfi_gaps *g, u64 start, u64 end, s32 cfa_off)
{
	struct cfi_gap *part = &g->part[g->n++];

	*part = cfi_gap_plain(start, end, cfa_off);
	return part;
}

/* Whether a return stands where the jump whose distance ends at an offset leads to.
 * *to: there. */
static bool jumps_to_return(const struct bytes *b, u64 at, u64 *to)
{
	*to = at + b->byte[at - 1];
	return bytes_match(b, *to, "c3");
}

/* A function that leaves the stack alone; before its last instruction it jumps forward to
 * a return. */
static void add_leaf(struct cfi_gaps *g, u64 vaddr, const char *pattern)
{
	struct bytes b;
	u64 n, last;

	read_code(g->m, vaddr, &b);
	n = bytes_match(&b, 0, pattern);
	if (n && jumps_to_return(&b, n - 2, &last))
		add(g, vaddr, vaddr + last + 1, 8);
}

/* The code that the first pointer of an array leads to, if the linker wrote it there. */
static bool read_first(const struct module *m, const char *section,
		       struct bytes *b)
{
	u64 at, size, vaddr;

	if (module_section(m, section, &at, &size) || size < sizeof(vaddr) ||
	    module_read(m, at, &vaddr, sizeof(vaddr)))
		return false;
	read_code(m, vaddr, b);
	return b->len;
}

static void add_fini(struct cfi_gaps *g)
{
	u64 start, n, back;
	struct bytes b;

	if (!read_first(g->m, ".fini_array", &b))
		return;
	start = bytes_match(&b, 0, BYTES_ENDBR64);
	n = bytes_match(&b, start, dtors);
	if (!n)
		n = bytes_match(&b, start, plain_dtors);
	if (!n)
		return;
	n += start;
	add(g, b.vaddr, b.vaddr + start + DTORS_PUSHED, 8);
	add(g, b.vaddr + start + DTORS_PUSHED, b.vaddr + n - 1, 16)
		->rule.slot[SAVED_FRAME] = -2;
	add(g, b.vaddr + n - 1, b.vaddr + n, 8);
	if (jumps_to_return(&b, start + DTORS_RETURN + 1, &back) && back >= n)
		add(g, b.vaddr + back, b.vaddr + back + 1, 8);
	n -= DTORS_CALLED;
	add_leaf(g, b.vaddr + n + bytes_value(&b, n - 4), deregister);
}

static void add_init(struct cfi_gaps *g)
{
	struct bytes b;
	u64 n, jump;

	if (!read_first(g->m, ".init_array", &b))
		return;
	n = bytes_match(&b, 0, BYTES_ENDBR64);
	jump = bytes_match(&b, n, "e9........");
	if (!jump)
		return;
	n += jump;
	add(g, b.vaddr, b.vaddr + n, 8);
	add_leaf(g, b.vaddr + n + bytes_value(&b, n - 4), reg);
}

void cfi_crt_add(struct cfi_gaps *g)
{
	add_fini(g);
	add_init(g);
}
