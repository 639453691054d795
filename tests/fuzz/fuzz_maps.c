/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Hostile text in place of /proc/PID/maps: paths are whatever a target likes. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/target/maps.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct maps maps;

	maps_parse(&maps, (const char *)data, size);
	FUZZ_ASSERT(maps.n <= MAPS_MAX);
	for (size_t i = 0; i < maps.n; i++) {
		const struct map *m = &maps.map[i];

		FUZZ_ASSERT(m->start < m->end && m->path);
		FUZZ_ASSERT(strlen(m->path) <= size);
		FUZZ_ASSERT(!i || maps.map[i - 1].start <= m->start);
		maps_find(&maps, m->start);
		maps_find(&maps, m->end);
	}
	maps_release(&maps);
	return 0;
}
