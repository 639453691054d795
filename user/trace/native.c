/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A rare part has a symbol NAME.cold, which profiles show as NAME where names are demangled.
 * In .eh_frame it follows its function, because a compiler writes both at once.
 */
#include "user/trace/native.h"

#include <stdlib.h>
#include <string.h>

#include "arch/code.h"
#include "arch/probe.h"
#include "user/elf/module.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/symbolize/native.h"
#include "walkers/walker.h"

#define RARE ".cold"

struct names {
	struct native_functions *f;
	const u64 *vaddr;
};

static void take_name(void *ctx, const struct native_answer *a)
{
	const struct names *n = ctx;

	if (a->what != NATIVE_NAME || a->start != n->vaddr[a->index] ||
	    n->f->name[a->index])
		return;
	n->f->name[a->index] = xstrdup(a->name);
}

static void read_names(struct native_functions *f, const struct module *m,
		       const struct module_function *fn)
{
	_cleanup_free_ u64 *vaddr = xcalloc(f->n, sizeof(*vaddr));
	const struct native_file file = { m, vaddr, f->n };
	struct names names = { f, vaddr };

	for (size_t i = 0; i < f->n; i++)
		vaddr[i] = fn[i].start;
	native_ask(&file, 1, 0, take_name, &names);
}

static int by_fde(const void *a, const void *b)
{
	const struct module_function *x = *(const struct module_function **)a;
	const struct module_function *y = *(const struct module_function **)b;

	return (x->fde > y->fde) - (x->fde < y->fde);
}

/* Whether the function at index at is a rare part of the one before it in .eh_frame.
 * Without a name of its own it is if it stands before that one in the code, too, as linkers
 * put rare parts. */
static bool is_rare(const struct native_functions *f, size_t at, size_t before)
{
	const char *name = f->name[at], *other = f->name[before];

	return (name && strstr(name, RARE)) ||
	       (at < before && (!name || (other && !strcmp(name, other))));
}

static void find_parts(struct native_functions *f,
		       const struct module_function *fn)
{
	_cleanup_free_ const struct module_function **order =
		xcalloc(f->n, sizeof(*order));

	for (size_t i = 0; i < f->n; i++)
		order[i] = &fn[i];
	qsort(order, f->n, sizeof(*order), by_fde);
	for (size_t i = 1; i < f->n; i++)
		if (!f->whole[order[i - 1] - fn] &&
		    is_rare(f, order[i] - fn, order[i - 1] - fn))
			f->whole[order[i] - fn] = order[i - 1]->start;
}

void native_open(struct native_functions *f, const struct module *m)
{
	const struct module_function *fn;

	*f = (struct native_functions){ 0 };
	if (module_functions(m, &fn, &f->n) || !f->n)
		return;
	f->name = xcalloc(f->n, sizeof(*f->name));
	f->whole = xcalloc(f->n, sizeof(*f->whole));
	read_names(f, m, fn);
	/* The functions may have been read anew. */
	if (!module_functions(m, &fn, &f->n))
		find_parts(f, fn);
}

void native_close(struct native_functions *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->name[i]);
	free(f->name);
	free(f->whole);
	*f = (struct native_functions){ 0 };
}

/* ------------------------------------------------------------------- jumps */

/* The place of a function, once.  An exception leaves what the function that handles it has
 * called: those calls have their return addresses at that of __cxa_begin_catch(), or below. */
static size_t add(const struct module *m, u64 vaddr, u8 kind,
		  struct walker_call *call, size_t n)
{
	u32 kept = kind == CALL_NATIVE_JUMP ? 1u << REG_ARG0 : 0;
	int distance, at;
	struct code c;

	if (code_decode_at(&c, m, vaddr))
		return n;
	at = probe_enter(&c, kept, &distance);
	vaddr = at < 0 ? 0 : c.insn[at].vaddr;
	code_release(&c);
	for (size_t i = 0; i < n; i++)
		if (call[i].vaddr == vaddr)
			return n;
	if (!vaddr)
		return n;
	call[n] =
		(struct walker_call){ .vaddr = vaddr,
				      .place = { .kind = kind,
						 .reg = REG_ARG0,
						 .offset = { distance + 8 } } };
	return n + 1;
}

/* The function that ends a thread; what it gets is a jmp_buf, too.  It is the one that
 * __pthread_unwind_next() calls (nptl/unwind.c, glibc-2.31 to 2.42). */
static u64 thread_end(const struct module *m)
{
	u64 vaddr, target = 0;
	struct code c;

	if (module_dynsym(m, "__pthread_unwind_next", &vaddr, NULL) ||
	    code_decode_at(&c, m, vaddr))
		return 0;
	for (size_t i = 0; i < c.n && !target; i++)
		if (c.insn[i].what == INSN_CALL || c.insn[i].what == INSN_JMP)
			target = c.insn[i].target;
	code_release(&c);
	return target;
}

/* A program can have the C++ runtime in itself, and export none of it. */
static u64 catcher(const struct module *m, const struct native_functions *f)
{
	static const char name[] = "__cxa_begin_catch";
	const struct module_function *fn;
	u64 vaddr = 0;
	size_t n;

	if (!module_dynsym(m, name, &vaddr, NULL) ||
	    module_functions(m, &fn, &n))
		return vaddr;
	for (size_t i = 0; i < n && i < f->n; i++)
		if (f->name[i] && !strcmp(f->name[i], name))
			vaddr = fn[i].start;
	return vaddr;
}

size_t native_jumps(const struct module *m, const struct native_functions *f,
		    struct walker_call *call, size_t max)
{
	static const char *const jumps[] = { "longjmp", "_longjmp",
					     "siglongjmp", "__longjmp_chk" };
	size_t n = 0;
	u64 vaddr;

	/* Another C library has another jmp_buf. */
	if (!module_dynsym(m, "gnu_get_libc_version", &vaddr, NULL)) {
		for (size_t i = 0;
		     i < sizeof(jumps) / sizeof(*jumps) && n < max; i++)
			if (!module_dynsym(m, jumps[i], &vaddr, NULL))
				n = add(m, vaddr, CALL_NATIVE_JUMP, call, n);
		vaddr = thread_end(m);
		if (vaddr && n < max)
			n = add(m, vaddr, CALL_NATIVE_JUMP, call, n);
	}
	vaddr = catcher(m, f);
	if (vaddr && n < max)
		n = add(m, vaddr, CALL_NATIVE_CATCH, call, n);
	return n;
}
