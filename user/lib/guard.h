/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Scope guards: a variable declared with a guard is released when it leaves its scope.
 * steal_fd() and steal_ptr() take the resource out of the variable first.
 */
#ifndef JPBPF_USER_LIB_GUARD_H
#define JPBPF_USER_LIB_GUARD_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void guard_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void guard_free(void *p)
{
	free(*(void **)p);
}

static inline void guard_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define _cleanup_close_	 __attribute__((cleanup(guard_close)))
#define _cleanup_free_	 __attribute__((cleanup(guard_free)))
#define _cleanup_fclose_ __attribute__((cleanup(guard_fclose)))

static inline int steal_fd(int *fd)
{
	int out = *fd;

	*fd = -1;
	return out;
}

#define steal_ptr(p)                      \
	__extension__({                   \
		__typeof__(p) out_ = (p); \
		(p) = NULL;               \
		out_;                     \
	})

#endif
