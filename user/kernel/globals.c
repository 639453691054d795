/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Written once, when the kernel side is loaded; it only reads them.  A key that
 * is missing makes names say less, not wrong, so the session goes on.
 */
#include "user/kernel/globals.h"

#include <bpf/bpf.h>

#include "user/lib/log.h"
#include "user/kernel/engine.h"
#include "walkers/walker.h"

#define MAX_KEYS 256

static void store(const struct walker *w, int fd)
{
	u64 key[MAX_KEYS];
	u32 n = w->language.keys(key, MAX_KEYS);
	u32 value[MAX_KEYS];

	for (u32 i = 0; i < n; i++)
		value[i] = 1;
	if (n && bpf_map_update_batch(fd, key, value, &n, NULL))
		log_warn("cannot store what is known of %s: %m", w->title);
}

void globals_store(const struct engine *e)
{
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		int fd = w->language.map ? engine_map(e, w->language.map) : -1;

		if (fd >= 0 && w->language.keys)
			store(w, fd);
	}
}
