/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A program begins at its entry point, _start(), which is the same few instructions in
 * every program of one C library: it hands main() to __libc_start_main() in rdi, so
 * main() is known in a stripped program, too (sysdeps/x86_64/start.S at glibc-2.36).
 * The C library's functions have the names that glibc (csu/libc-start.c,
 * sysdeps/unix/sysv/linux/x86_64/clone.S, clone3.S, nptl/pthread_create.c at glibc-2.36)
 * and musl give them.
 *
 * An interpreter's shell is told by what it imports: who calls nothing but the
 * interpreter's main loop, and what leads to it, has no work of its own.
 */
#include "user/symbolize/start.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include <gelf.h>

#include "user/elf/module.h"
#include "walkers/walker.h"

#define ENTRY_BYTES 64
#define LOAD_BYTES  7 /* of an instruction that loads rdi */

static bool is_in(const char *name, const char *const *list)
{
	while (list && *list && strcmp(*list, name))
		list++;
	return list && *list;
}

bool start_is_name(const char *name, bool libc)
{
	static const char *const own[] = { "_start", "_start_c", NULL };
	static const char *const library[] = {
		"clone",
		"__clone",
		"clone3",
		"__clone3",
		"start_thread",
		"__libc_start_call_main",
		"libc_start_main_stage2",
		NULL,
	};

	return is_in(name, own) ||
	       (libc && (is_in(name, library) ||
			 !strncmp(name, "__libc_start_main", 17)));
}

/* What an instruction at vaddr loads into rdi; 0: it is none that loads main(). */
static u64 loaded(const struct module *m, u64 vaddr, const u8 *code)
{
	u64 target = 0;
	s32 value;

	memcpy(&value, code + 3, sizeof(value));
	if (!memcmp(code, "\x48\xc7\xc7", 3)) /* mov $main,%rdi */
		target = (u64)value;
	if (!memcmp(code, "\x48\x8d\x3d", 3)) /* lea main(%rip),%rdi */
		target = vaddr + LOAD_BYTES + value;
	if (!memcmp(code, "\x48\x8b\x3d", 3)) /* mov main@GOTPCREL(%rip),%rdi */
		module_relative(m, vaddr + LOAD_BYTES + value, &target);
	return target;
}

static bool is_call(const u8 *code)
{
	return code[0] == 0xe8 || (code[0] == 0xff && code[1] == 0x15) ||
	       (code[0] == 0x67 && code[1] == 0xe8);
}

static u64 find_main(const struct module *m, u64 entry)
{
	u8 code[ENTRY_BYTES];

	if (module_read(m, entry, code, sizeof(code)))
		return 0;
	for (size_t i = 0; i + LOAD_BYTES + 2 <= sizeof(code); i++) {
		u64 target = loaded(m, entry + i, code + i);
		struct module_function fn;

		if (target && is_call(code + i + LOAD_BYTES))
			return module_function_at(m, target, &fn) ||
					       fn.start != target
				       ? 0
				       : target;
	}
	return 0;
}

static int is_import(void *ctx, const char *name, u64 vaddr)
{
	(void)ctx;
	(void)name;
	return !vaddr;
}

struct start start_find(const struct module *m)
{
	struct start s = { 0 };
	GElf_Ehdr header;

	if (!m->is_exec || m->code || !gelf_getehdr(module_handle(m), &header))
		return s;
	s.entry = header.e_entry;
	s.main = find_main(m, s.entry);
	s.alone = !module_each_symbol(m, is_import, NULL);
	return s;
}

struct shell {
	const struct walker *walker;
	bool starts; /* a main loop is among the imports */
};

/* 1: it is no shell's. */
static int take_import(void *ctx, const char *name, u64 vaddr)
{
	static const char *const start_up[] = {
		"__libc_start_main",
		"__cxa_finalize",
		"__gmon_start__",
		"__stack_chk_fail",
		"_ITM_deregisterTMCloneTable",
		"_ITM_registerTMCloneTable",
		"_Jv_RegisterClasses",
		NULL,
	};
	struct shell *s = ctx;

	if (vaddr)
		return 0;
	if (is_in(name, s->walker->language.main_loops)) {
		s->starts = true;
		return 0;
	}
	return !is_in(name, s->walker->language.shell_calls) &&
	       !is_in(name, start_up);
}

bool start_is_shell(const struct module *m, const struct walker *w)
{
	struct shell s = { .walker = w };

	return m->is_exec && w->language.main_loops &&
	       !module_each_symbol(m, take_import, &s) && s.starts;
}
