/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files of the source tree as texts in the program. */
#ifndef JPBPF_USER_LIB_EMBED_H
#define JPBPF_USER_LIB_EMBED_H

/* Define the text name: files, one after the other, and a NUL. */
#define EMBED(name, files)                                              \
	extern const char name[] __attribute__((visibility("hidden"))); \
	__asm__(".pushsection .rodata\n" #name ":\n" files              \
		".byte 0\n.popsection")
/* One of the files, by its path in the source tree.  The Makefile names it, too. */
#define EMBED_FILE(path) ".incbin \"" path "\"\n"

#endif
