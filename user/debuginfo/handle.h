/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* libdwfl's view of a module and of the files that were found for it. */
#ifndef JPBPF_USER_DEBUGINFO_HANDLE_H
#define JPBPF_USER_DEBUGINFO_HANDLE_H

#include <elfutils/libdwfl.h>

struct files;

/* A session with one module, which is reported at its own addresses; f outlives it.  To be called in a jail (jail.h).  NULL: the module cannot be read. */
Dwfl_Module *handle_open(const struct files *f);

#endif
