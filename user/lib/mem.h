/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Allocation that never returns NULL: without memory the program ends. */
#ifndef JPBPF_USER_LIB_MEM_H
#define JPBPF_USER_LIB_MEM_H

#include <stddef.h>

/* End the program with a message: not even the reserve has memory (heap.h). */
void mem_exhausted(void) __attribute__((noreturn));

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Make room for item number n (from 0) in a growing array; the capacity doubles. */
void *xgrow(void *array, size_t n, size_t *capacity, size_t item);

#endif
