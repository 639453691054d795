/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What the probes of one call take, measured on this host in this run: a function of this
 * program gets the probes, with the account as it is kept of others.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "arch/called.h"
#include "user/kernel/engine.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/target/maps.h"
#include "user/target/proc.h"
#include "user/trace/trace_part.h"

#define CALLS 500 /* of one measurement */
#define TIMES 8	  /* of which the fastest counts */
#define NONE  254 /* instead of a walker: nothing happens there */

/* ns of one call */
static u64 measure(void)
{
	u64 least = ~0ull;

	for (int i = 0; i < TIMES; i++) {
		u64 begin = now_ns(), ns;

		for (int k = 0; k < CALLS; k++)
			called();
		ns = (now_ns() - begin) / CALLS;
		least = ns < least ? ns : least;
	}
	return least;
}

struct own {
	struct engine *engine;
	const struct map *map; /* that has the function */
	int fd;		       /* of its file */
};

/* The calls' price with these places at begin and at end; 0: not known. */
static u64 price(const struct own *o, const struct call_place place[2],
		 const void *begin, const void *end)
{
	const u64 address[] = { (u64)begin, (u64)end };
	u64 offset[2], number[2], ns;
	struct engine_probe *probe;

	for (int i = 0; i < 2; i++) {
		int index = engine_put_place(o->engine, &place[i]);

		if (index < 0)
			return 0;
		number[i] = index;
		offset[i] = address[i] - o->map->start + o->map->offset;
	}
	probe = engine_attach_probe(o->engine, true, getpid(), o->fd, offset,
				    number, 2);
	if (!probe)
		return 0;
	ns = measure();
	engine_detach_probe(probe);
	return ns;
}

/* Two hits, as of a call that begins and ends. */
static u64 price_hits(struct engine *e)
{
	volatile u64 word = 0;
	const u64 address = (u64)&word;
	struct engine_watch *w = engine_attach_watch(e, "/proc", getpid(),
						     &address, 1, sizeof(word));
	u64 least = ~0ull;

	if (!w)
		return 0;
	for (int i = 0; i < CALLS; i++) {
		u64 begin = now_ns(), ns;

		word++;
		word++;
		ns = now_ns() - begin;
		least = ns < least ? ns : least;
	}
	engine_detach_watch(e, w);
	return least;
}

static u64 price_as(const struct own *o, u32 state, const void *begin,
		    const void *end)
{
	s16 distance = begin == called_second ? CALLED_SECOND : 0;
	const struct call_place place[] = {
		{ .walker = CALL_NATIVE,
		  .kind = CALL_NATIVE_ENTER,
		  .offset = { distance } },
		{ .walker = CALL_NATIVE, .kind = CALL_NATIVE_LEAVE },
	};
	const struct call_key key = { .pid = getpid(), .walker = CALL_NATIVE };
	const struct call_function value = { .id = ~0u, .state = state };
	const struct call_row row = { 0 };
	int functions = engine_map(o->engine, "call_functions");
	int rows = engine_map(o->engine, "call_rows");
	u64 ns;

	bpf_map_update_elem(rows, &value.id, &row, BPF_ANY);
	bpf_map_update_elem(functions, &key, &value, BPF_ANY);
	ns = price(o, place, begin, end);
	bpf_map_delete_elem(functions, &key);
	bpf_map_delete_elem(rows, &value.id);
	return ns;
}

static void measure_all(const struct own *o, bool watches,
			struct trace_price *out)
{
	const struct call_place nothing[] = { { .walker = NONE },
					      { .walker = NONE } };

	engine_follow_calls(o->engine, ~0ull);
	out->nothing = price(o, nothing, called, called_later);
	out->other = price_as(o, CALL_UNWANTED, called, called_later);
	out->chosen = price_as(o, CALL_WANTED, called, called_later);
	out->native = price_as(o, CALL_WANTED, called, called_return);
	out->stepped = price_as(o, CALL_WANTED, called_second, called_return);
	engine_follow_calls(o->engine, 0);
	out->watched = watches ? price_hits(o->engine) : 0;
	if (out->watched)
		out->watched += out->chosen - out->nothing;
}

void price_measure(struct engine *e, bool watches, struct trace_price *out)
{
	_cleanup_close_ int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct own own = { .engine = e, .fd = fd };
	struct maps maps;

	*out = (struct trace_price){ 0 };
	if (fd < 0 || proc_maps("/proc", getpid(), &maps) < 0)
		return;
	own.map = maps_find(&maps, (u64)called);
	if (own.map)
		measure_all(&own, watches, out);
	maps_release(&maps);
}

/* Half of what probes take falls between a call's own times, the rest around them.  A step
 * at the begin is within them, that of the return behind. */
u64 price_of(const struct trace_price *price, u32 language, bool stepped,
	     u64 *own)
{
	*own = price->chosen / 2;
	if (language != CALL_NATIVE)
		return price->chosen;
	if (stepped && price->stepped > price->native)
		*own += price->stepped - price->native;
	return stepped ? price->stepped : price->native;
}
