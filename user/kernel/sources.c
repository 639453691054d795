/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/kernel/sources.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

const struct source sources[SOURCE_COUNT] = {
#define SOURCE(id, name, help, level, type, event, each, unit, none)       \
	{ name, help, LEVEL_##level, PERF_TYPE_##type, PERF_COUNT_##event, \
	  each, unit, none },
#include <jpbpf/sources.def>
#undef SOURCE
};

const struct source *source_find(const char *name)
{
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		if (!strcmp(sources[i].name, name))
			return &sources[i];
	return NULL;
}
