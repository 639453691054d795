/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Four places where nothing is said, and what is true there:
 *
 *   loader   _start and _dl_start_user of ld.so, where the kernel begins a
 *            program: nothing called them (sysdeps/x86_64/dl-machine.h,
 *            RTLD_START, glibc-2.36)
 *   clone    between the system call and the child's own code both run, parent
 *            and child: rax tells which (sysdeps/unix/sysv/linux/x86_64/clone.S
 *            and clone3.S, glibc-2.36)
 *   init     .init and .fini, whose code comes from crti.o and crtn.o and is known
 *            by its bytes (sysdeps/x86_64/crti.S, crtn.S).  It is often the first
 *            that is touched of a file, so time is spent there.
 *   crt      what gcc adds to each file's .text (cfi_crt.c)
 */
#include "user/unwind/cfi_gap.h"

#include <gelf.h>
#include <string.h>

#include "user/elf/module.h"
#include "user/unwind/cfi_crt.h"

#define LOADER_MAX  128 /* bytes of the two; seen: 64 to 96 */
#define CLONE_MAX   16
#define SECTION_MAX 64

/* Only the program loader defines it without needing a loader itself. */
static bool is_loader(const struct module *m)
{
	u64 vaddr;

	return !m->is_exec && !module_dynsym(m, "_r_debug", &vaddr, NULL);
}

static bool find_loader(const struct module *m, u64 start, u64 end,
			struct cfi_gap *out)
{
	GElf_Ehdr h;

	if (!gelf_getehdr(module_handle(m), &h) || h.e_type != ET_DYN ||
	    h.e_entry < start || h.e_entry >= end || !h.e_entry ||
	    !is_loader(m))
		return false;
	if (end - h.e_entry > LOADER_MAX)
		end = h.e_entry + LOADER_MAX;
	*out = (struct cfi_gap){ h.e_entry, end, { .kind = UNWIND_ROOT } };
	return true;
}

static bool find_clone(const struct module *m, u64 start, u64 end,
		       struct cfi_gap *out)
{
	/* syscall; test %rax, %rax */
	static const u8 code[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0 };
	u8 bytes[sizeof(code)];

	if (end - start > CLONE_MAX || end - start < sizeof(code) ||
	    module_read(m, start, bytes, sizeof(bytes)) ||
	    memcmp(bytes, code, sizeof(code)))
		return false;
	*out = (struct cfi_gap){
		start,
		end,
		{ .kind = UNWIND_CLONE,
		  .cfa_reg = REG_STACK,
		  .cfa_off = 8,
		  .ra = -1 },
	};
	for (int i = 0; i < SAVED_REGS; i++)
		out->rule.slot[i] = UNWIND_SLOT_SAME;
	return true;
}

/* sub $8, %rsp ... add $8, %rsp; ret; between them at most this. */
static const u8 enter[] = { 0x48, 0x83, 0xec, 0x08 };
static const u8 leave[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
/* mov __gmon_start__@GOT, %rax; test %rax, %rax; je over; over: call *%rax */
static const u8 call_gmon[] = { 0x48, 0x8b, 0x05, 0,	0,    0,    0,
				0x48, 0x85, 0xc0, 0x74, 0x02, 0xff, 0xd0 };
#define ADDRESS_AT  3
#define ADDRESS_LEN 4

static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* Bytes at *at, which are passed. */
static bool pass(const u8 **at, const u8 *end, const u8 *what, size_t len)
{
	if ((size_t)(end - *at) < len || memcmp(*at, what, len))
		return false;
	*at += len;
	return true;
}

static void pass_call(const u8 **at, const u8 *end)
{
	u8 code[sizeof(call_gmon)];

	if ((size_t)(end - *at) < sizeof(code))
		return;
	memcpy(code, *at, sizeof(code));
	memset(code + ADDRESS_AT, 0, ADDRESS_LEN);
	if (!memcmp(code, call_gmon, sizeof(code)))
		*at += sizeof(code);
}

struct cfi_gap cfi_gap_plain(u64 start, u64 end, s32 cfa_off)
{
	struct cfi_gap part = {
		start,
		end,
		{ .kind = UNWIND_CFA,
		  .cfa_reg = REG_STACK,
		  .cfa_off = cfa_off,
		  .ra = -1 },
	};

	for (int i = 0; i < SAVED_REGS; i++)
		part.rule.slot[i] = UNWIND_SLOT_SAME;
	return part;
}

static void add_part(struct cfi_gaps *g, u64 start, u64 end, s32 cfa_off)
{
	g->part[g->n++] = cfi_gap_plain(start, end, cfa_off);
}

static void add_section(struct cfi_gaps *g, const char *name)
{
	u8 code[SECTION_MAX];
	const u8 *at = code, *end, *entered, *left;
	u64 vaddr, size;

	if (module_section(g->m, name, &vaddr, &size) || size > sizeof(code) ||
	    module_read(g->m, vaddr, code, size))
		return;
	end = code + size;
	pass(&at, end, endbr64, sizeof(endbr64));
	if (!pass(&at, end, enter, sizeof(enter)))
		return;
	entered = at;
	pass_call(&at, end);
	if (!pass(&at, end, leave, sizeof(leave)) || at != end)
		return;
	left = at - 1;
	add_part(g, vaddr, vaddr + (entered - code), 8);
	add_part(g, vaddr + (entered - code), vaddr + (left - code), 16);
	add_part(g, vaddr + (left - code), vaddr + size, 8);
}

void cfi_gaps_init(struct cfi_gaps *g, const struct module *m)
{
	*g = (struct cfi_gaps){ .m = m };
	add_section(g, ".init");
	add_section(g, ".fini");
	g->n += cfi_crt_parts(m, g->part + g->n);
}

static bool find_part(const struct cfi_gaps *g, u64 start, u64 end,
		      struct cfi_gap *out)
{
	const struct cfi_gap *first = NULL;

	for (const struct cfi_gap *p = g->part; p < g->part + g->n; p++)
		if (p->end > start && p->start < end &&
		    (!first || p->start < first->start))
			first = p;
	if (!first)
		return false;
	*out = *first;
	if (out->start < start)
		out->start = start;
	if (out->end > end)
		out->end = end;
	return true;
}

bool cfi_gaps_find(const struct cfi_gaps *g, u64 start, u64 end,
		   struct cfi_gap *out)
{
	return find_loader(g->m, start, end, out) ||
	       find_clone(g->m, start, end, out) ||
	       find_part(g, start, end, out);
}
