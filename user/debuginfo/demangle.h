/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* C++ and Rust symbols as their programmers wrote them. */
#ifndef JPBPF_USER_DEBUGINFO_DEMANGLE_H
#define JPBPF_USER_DEBUGINFO_DEMANGLE_H

#include <stdbool.h>

struct buf;

/* Symbols longer than this, and names that would become longer, stay mangled
 * (bytes). */
#define DEMANGLE_MAX 4096

/* Append the qualified name, with template arguments but without those of the
 * function.  false, and nothing appended, when symbol is not mangled. */
bool demangle_symbol(const char *symbol, struct buf *out);
/* The same of a type, as std::type_info names it. */
bool demangle_type(const char *type, struct buf *out);

#endif
