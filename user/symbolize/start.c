/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The C library's and the C start-up's functions that start a thread or process,
 * as glibc (csu/libc-start.c, sysdeps/unix/sysv/linux/x86_64/clone.S, clone3.S,
 * nptl/pthread_create.c at glibc-2.36) and musl name them.
 */
#include "user/symbolize/start.h"

#include <stddef.h>
#include <string.h>

bool start_is_name(const char *name)
{
	static const char *const names[] = {
		"_start",
		"_start_c",
		"clone",
		"__clone",
		"clone3",
		"__clone3",
		"start_thread",
		"__libc_start_call_main",
		"libc_start_main_stage2",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return !strncmp(name, "__libc_start_main", 17);
}
