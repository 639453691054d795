/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* One unit for a whole report, so that its columns can be compared at a glance. */
#include "user/report/measure.h"

#include <string.h>

#include "user/lib/buf.h"
#include "user/profile/profile.h"

struct measure measure_of(const struct profile *p, u32 event, bool counts_only)
{
	const struct profile_event *e;
	const char *unit;

	if (counts_only || event >= p->events)
		return (struct measure){ MEASURE_SAMPLES, 1 };
	e = &p->event[event];
	unit = profile_text(p, e->unit);
	if (e->interval)
		return (struct measure){ MEASURE_TIME, e->interval };
	if (!strcmp(unit, "nanoseconds"))
		return (struct measure){ MEASURE_TIME, 0 };
	if (!strcmp(unit, "bytes"))
		return (struct measure){ MEASURE_BYTES, 0 };
	return (struct measure){ MEASURE_SAMPLES, 1 };
}

u64 measure_number(const struct measure *m, const struct profile_sum *sum)
{
	return m->interval ? sum->weight * m->interval : sum->value;
}

void measure_format(const struct measure *m, u64 number, struct buf *out)
{
	if (m->unit == MEASURE_TIME)
		buf_addf(out, "%.2f s", number / 1e9);
	else if (m->unit == MEASURE_BYTES)
		buf_addf(out, "%.1f KiB", number / 1024.0);
	else
		buf_addf(out, "%llu", number);
}
