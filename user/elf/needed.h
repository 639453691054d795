/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The files that a program will probably map when it is started. */
#ifndef JPBPF_USER_ELF_NEEDED_H
#define JPBPF_USER_ELF_NEEDED_H

/* The file that execvp() would probably run; the caller frees the path. NULL: there
 * is none. */
char *needed_command(const char *name);

/* Calls fn for the program that the command names, the interpreter of a script, the
 * dynamic loader, and the libraries that they need. Files that are not found are
 * left out, so callers must not depend on the list. */
void needed_files(const char *command, void (*fn)(void *ctx, const char *path),
		  void *ctx);

#endif
