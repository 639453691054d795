/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Hostile text in place of /tmp/perf-PID.map: it is whatever a target likes. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "user/symbolize/perfmap.h"

static struct perfmap *read_map(const u8 *data, size_t size)
{
	const struct module_code code = { .pid = getpid(), .owner = getuid() };
	struct perfmap *p;
	struct module m;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	module_open_code(&m, &code);
	p = perfmap_read(&m);
	module_close(&m);
	unlink(path);
	return p;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	/* As in the seed, as in the input, and at the ends. */
	u64 address[] = { 0, 0x1000, 0x100f, 0x2008, UINT64_MAX, 0 };
	struct perfmap *p = read_map(data, size);

	FUZZ_ASSERT(p);
	for (size_t i = 0; i < size && i < 16; i++)
		address[5] = address[5] << 4 | (data[i] & 15);
	for (size_t i = 0; i < sizeof(address) / sizeof(*address); i++) {
		size_t len = 0;
		const char *name = perfmap_name(p, address[i], &len);

		FUZZ_ASSERT(!name || (len && len < size));
		/* All of it can be read. */
		for (size_t at = 0; name && at < len; at++)
			FUZZ_ASSERT(name[at] != '\n');
	}
	perfmap_free(p);
	return 0;
}
