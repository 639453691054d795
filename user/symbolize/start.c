/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A program begins at its entry point, _start(), which is the same few instructions in
 * every program of one C library.  It hands main() to __libc_start_main(), so main() is
 * found in a stripped program too (code_main()).  The C library's functions have the
 * names that glibc (csu/libc-start.c, sysdeps/unix/sysv/linux/x86_64/clone.S, clone3.S,
 * nptl/pthread_create.c at glibc-2.36) and musl give them.
 *
 * An interpreter's shell is known by its imports: a program that imports an
 * interpreter's main loop, and otherwise only what leads to it, does no work of its
 * own.
 */
#include "user/symbolize/start.h"

#include <stddef.h>
#include <string.h>

#include <gelf.h>

#include "arch/code.h"
#include "user/elf/module.h"
#include "walkers/walker.h"

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

struct start start_find(const struct module *m)
{
	struct start s = { 0 };
	GElf_Ehdr header;
	u32 at = 0;

	if (!m->is_exec || m->code || !gelf_getehdr(module_handle(m), &header))
		return s;
	s.entry = header.e_entry;
	s.main = code_main(m, s.entry);
	s.alone = !module_import(m, &at);
	return s;
}

bool start_is_shell(const struct module *m, const struct walker *w)
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
	bool starts = false;
	const char *name;
	u32 at = 0;

	if (!m->is_exec || !w->language.main_loops)
		return false;
	while ((name = module_import(m, &at))) {
		if (is_in(name, w->language.main_loops))
			starts = true;
		else if (!is_in(name, w->language.shell_calls) &&
			 !is_in(name, start_up))
			return false;
	}
	return starts;
}
