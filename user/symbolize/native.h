/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names and source lines of the addresses of one module, read in a jail
 * (user/debuginfo/jail.h).
 *
 * Symbols come from .symtab, .dynsym, separate debug files (by build-id or debuglink),
 * MiniDebugInfo, debuginfod if DEBUGINFOD_URLS is set, and from the names under which a
 * library registers functions with an interpreter.  Source lines come from the DWARF of
 * the same files.  Code made at run time has the names that its maker gave it.
 */
#ifndef JPBPF_USER_SYMBOLIZE_NATIVE_H
#define JPBPF_USER_SYMBOLIZE_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

struct module;

enum native_part { NATIVE_LINES = 1 << 0, NATIVE_INLINES = 1 << 1 };

enum native_what {
	NATIVE_NAME,	/* name, demangled, and start */
	NATIVE_PLACE,	/* file and line of the address */
	NATIVE_INLINED, /* name, and file and line of the call */
};

#define NATIVE_TOGETHER 64 /* files that are asked at once, at most */

/* Addresses of one module, sorted. */
struct native_file {
	const struct module *module;
	const u64 *vaddr;
	size_t n;
};

/* What the files say of one address.  A file that is hostile can say anything, in any
 * order, and any number of times. */
struct native_answer {
	u32 what;  /* enum native_what */
	u32 index; /* of the address asked for; counted on from file to file */
	u64 start; /* first address of the symbol; 0: not known */
	u32 line;
	u32 spare;
	const char *name, *file; /* "": not known */
};

typedef void native_take(void *ctx, const struct native_answer *a);

/* Whether both modules can be asked in one jail: they are small files, and one owner has
 * put them below one root, so that neither can falsify what somebody else says. */
bool native_are_together(const struct module *a, const struct module *b);
/* Asks at most NATIVE_TOGETHER modules that belong together.  Calls take with the name of
 * each address that has one, and then with what parts (enum native_part) ask for; inlined
 * functions come innermost first, after the place of the address.  0, or -errno: not all
 * was read.  Of one module there is a warning then; of several nothing was taken, and each
 * is to be asked by itself. */
int native_ask(const struct native_file *file, size_t files, unsigned parts,
	       native_take *take, void *ctx);

#endif
