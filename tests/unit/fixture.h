/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Files that make has put beside the test: NAME.so and NAME.o of tests/unit/NAME.S. */
#ifndef JPBPF_TESTS_UNIT_FIXTURE_H
#define JPBPF_TESTS_UNIT_FIXTURE_H

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/mem.h"

/* Path of one, malloc'ed. */
static inline char *fixture_path(const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	assert_true(n > 0);
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	return xasprintf("%s/%s", self, name);
}

/* A descriptor of one, which is the caller's; the test fails when there is none. */
static inline int fixture_open(const char *name)
{
	char *path = fixture_path(name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("cannot open %s", path);
	free(path);
	return fd;
}

#endif
