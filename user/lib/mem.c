/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* An allocation fails only when the reserve is used up (heap.h), and a run ends long
 * before that.  What is left is one block that is larger than the reserve. */
#include "user/lib/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mem_exhausted(void)
{
	/* log.c cannot print this, because it needs memory. */
	fputs("jpbpf: error: out of memory\n", stderr);
	_exit(EXIT_FAILURE);
}

static void *check(void *p)
{
	if (!p)
		mem_exhausted();
	return p;
}

void *xmalloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	return check(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return check(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return check(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return check(n < 0 ? NULL : s);
}

void *xgrow(void *array, size_t n, size_t *capacity, size_t item)
{
	if (n < *capacity)
		return array;
	*capacity = n < 8 ? 16 : n * 2;
	return xreallocarray(array, *capacity, item);
}
