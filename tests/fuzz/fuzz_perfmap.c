/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Hostile text in place of /tmp/perf-PID.map: it is whatever a target likes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "user/symbolize/perfmap.h"

/* As in the seed, as in the input, and at the ends. */
#define ADDRESSES 6

static void take(void *ctx, size_t i, const char *name)
{
	const size_t *size = ctx;

	FUZZ_ASSERT(i < ADDRESSES && *name && strlen(name) < *size &&
		    !strchr(name, '\n'));
}

static int compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u64 address[ADDRESSES] = { 0, 0x1000, 0x100f, 0x2008, UINT64_MAX, 0 };
	int fd = memfd_create("map", MFD_CLOEXEC);

	for (size_t i = 0; i < size && i < 16; i++)
		address[5] = address[5] << 4 | (data[i] & 15);
	qsort(address, ADDRESSES, sizeof(*address), compare);
	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size &&
		    !lseek(fd, 0, SEEK_SET));
	perfmap_read(fd, 0, address, ADDRESSES, take, &size);
	return 0;
}
