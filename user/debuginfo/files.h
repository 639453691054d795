/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The files that tell of a module: its own and the debug file of it, for libdwfl. */
#ifndef JPBPF_USER_DEBUGINFO_FILES_H
#define JPBPF_USER_DEBUGINFO_FILES_H

#include <elfutils/libdwfl.h>

struct module;

/* A session with one module, which is reported at its own addresses; the caller's
 * dwfl_end().  m must outlive it.  *mod NULL: the module cannot be read; what is
 * returned can be NULL then too. */
Dwfl *files_open(const struct module *m, Dwfl_Module **mod);

#endif
