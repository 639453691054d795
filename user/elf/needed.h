/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The files that a program will map when it is started, as far as can be told. */
#ifndef JPBPF_USER_ELF_NEEDED_H
#define JPBPF_USER_ELF_NEEDED_H

/* The file that execvp() would run, as far as can be told; the caller frees it. NULL:
 * there is none. */
char *needed_command(const char *name);

/* Calls fn for the program that the command names, the interpreter of a script,
 * its loader, and the libraries that they need, where the loader usually finds
 * them.  What is not found is left out: nothing may depend on it. */
void needed_files(const char *command, void (*fn)(void *ctx, const char *path),
		  void *ctx);

#endif
