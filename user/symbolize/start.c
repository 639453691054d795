/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A program begins at its entry point, _start(), which is the same few instructions in
 * every program of one C library.  It hands main() to __libc_start_main(), so main() is
 * found in a stripped program too (arch/start.h).  The C library's functions have the
 * names that glibc (csu/libc-start.c, sysdeps/unix/sysv/linux/x86_64/clone.S, clone3.S,
 * nptl/pthread_create.c at glibc-2.36) and musl give them.
 *
 * An interpreter's shell is known by its imports: a program that imports an
 * interpreter's main loop, and otherwise only what leads to it, does no work of its
 * own.
 */
#include "user/symbolize/start.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include <gelf.h>

#include "arch/start.h"
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
	s.main = start_main(m, s.entry);
	s.alone = !module_each_symbol(m, is_import, NULL);
	return s;
}

struct shell {
	const struct walker *walker;
	bool starts; /* a main loop is among the imports */
};

/* Check one import.  Returns 1 if a shell would not import it. */
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
