/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What fuzz targets share: the entry that both drivers call (libFuzzer's, and
 * corpus.c), and an input as the file of a module.
 */
#ifndef JPBPF_TESTS_FUZZ_H
#define JPBPF_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jpbpf/types.h>

#include "user/elf/module.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What must never happen: seen by either driver as a crash. */
#define FUZZ_ASSERT(condition)    \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

/* A target's file is read by its descriptor: so is the input. */
static inline bool fuzz_module(struct module *m, const u8 *data, size_t size,
			       const char *name)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return !module_open(m, fd, name);
}

#endif
