/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Uprobes at the places where calls begin and end.
 *
 * A walker gives its places in such an order that what ends calls is attached before what
 * begins them, so no call is seen to begin whose end is not.
 * A walker's places are attached when it is proven, because functions are named by what it
 * knows of the process.  Those that stay while functions are watched come first (watch.c).
 */
#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/kernel/engine.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/processes/process.h"
#include "walkers/walker.h"

#define MAX_CALLS 4096 /* places in one file */

static size_t attach(struct tracker *t, struct process *p,
		     const struct unwind_mapping *map, const struct module *m,
		     u32 walker, struct walker_call *call, size_t n)
{
	_cleanup_free_ u64 *vaddr = xcalloc(2 * n + 1, sizeof(*vaddr));
	u64 *number = vaddr + n;
	bool watches = n && call[n - 1].use == CALL_USE_WATCH;
	size_t stay = 0;

	for (size_t i = 0; i < n; i++) {
		struct call_place *place = &call[i].place;
		int index;

		place->walker = walker;
		place->file = map->file;
		place->bias = map->bias;
		index = engine_put_place(t->config.engine, place);
		if (index < 0) {
			log_warn("process %d: its calls in %s cannot be seen: "
				 "no room for more places (choose fewer "
				 "functions)",
				 p->pid, m->name);
			return 0;
		}
		vaddr[i] = call[i].vaddr;
		number[i] = index;
		stay += watches && call[i].use != CALL_USE_EACH &&
			call[i].use != CALL_USE_WATCH;
	}
	if (!watches)
		return probes_add(t, p, true, m, vaddr, number, n);
	return probes_add(t, p, true, m, vaddr, number, stay) +
	       watch_begin(t, p, m, walker, call, number, n);
}

/* Leaves out the places that only watching needs; their number. */
static size_t without_watches(const struct tracker *t, const struct process *p,
			      u32 walker, const struct module *m,
			      struct walker_call *call, size_t n)
{
	bool can = n && call[n - 1].use == CALL_USE_WATCH;
	size_t kept = 0;

	if (can && t->config.calls.mode)
		return n;
	if (n && t->config.calls.mode)
		log_info(
			"process %d: following all calls of %s: they cannot be watched in %s",
			p->pid, walkers[walker]->title, m->name);
	for (size_t i = 0; i < n; i++)
		if (call[i].use <= CALL_USE_ALWAYS)
			call[kept++] = call[i];
	return kept;
}

static size_t attach_walker(struct tracker *t, struct process *p,
			    const struct unwind_mapping *map,
			    struct walker_site *site, size_t i,
			    struct walker_call *call)
{
	const struct module *m = site->m;
	size_t n = 0;

	p->traced |= 1u << i;
	site->data = m->walker[i];
	if (walkers[i]->file.calls)
		n = walkers[i]->file.calls(site, call, MAX_CALLS);
	if (!n)
		log_warn("process %d: calls of %s cannot be seen: the code of "
			 "%s is not understood (please report it, with the "
			 "output of \"jpbpf info FILE\")",
			 p->pid, walkers[i]->title, m->name);
	n = without_watches(t, p, i, m, call, n);
	return attach(t, p, map, m, i, call, n);
}

/* Whether the native functions of the file have no probes in the process yet.  A probe stays
 * where the process maps the file once more. */
static bool is_new(struct process *p, u32 file)
{
	for (size_t i = 0; i < p->traced_files; i++)
		if (p->traced_file[i] == file)
			return false;
	p->traced_file = xgrow(p->traced_file, p->traced_files,
			       &p->traced_capacity, sizeof(*p->traced_file));
	p->traced_file[p->traced_files++] = file;
	return true;
}

static size_t attach_module(struct tracker *t, struct process *p,
			    const struct unwind_mapping *map,
			    struct walker_call *call)
{
	const struct calls_sink *calls = &t->config.calls;
	const struct module *m = modules_get(t->config.modules, map->file);
	struct walker_site site = {
		.m = m, .proc = t->config.proc, .pid = p->pid, .bias = map->bias
	};
	size_t attached = 0, n;

	if (!m || m->code || m->fd < 0)
		return 0;
	for (size_t i = 0; i < WALKER_COUNT; i++)
		if (calls->walkers >> i & 1 && m->walker[i] &&
		    !(p->traced >> i & 1) && p->walker[i] == WALKER_PROVEN)
			attached += attach_walker(t, p, map, &site, i, call);
	if (!calls->native || !is_new(p, map->file))
		return attached;
	n = calls->native(calls->ctx, &site, map->file, call, MAX_CALLS);
	return attached + attach(t, p, map, m, CALL_NATIVE, call, n);
}

void call_probes_attach(struct tracker *t, struct process *p)
{
	const struct calls_sink *calls = &t->config.calls;
	u32 wanted = calls->walkers & process_walkers(p, 1u << WALKER_PROVEN);
	_cleanup_free_ struct walker_call *call = NULL;
	size_t attached = 0;

	if (!p->table || ((!calls->native || p->traced_serial == p->serial) &&
			  !(wanted & ~p->traced)))
		return;
	call = xcalloc(MAX_CALLS, sizeof(*call));
	for (size_t i = 0; i < p->table->maps; i++)
		attached += attach_module(t, p, &p->table->mapping[i], call);
	p->traced_serial = p->serial;
	if (attached)
		log_info("tracing process %d: %zu places", p->pid, attached);
}
