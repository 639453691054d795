/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Uprobes at the places where errors are raised.
 *
 * A uprobe replaces an instruction in the memory of one process; other processes that map
 * the file are left alone.  The kernel takes it out when its descriptor is closed, however
 * jpbpf ends.  A process gets its probes after it was published and the first tables were
 * built, and those of a library that it maps later after it is published anew.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/probe.h>

#include "arch/probe.h"
#include "user/elf/module.h"
#include "user/files/modules.h"
#include "user/kernel/engine.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/processes/process.h"
#include "walkers/walker.h"

#define MAX_PROBES 8 /* of one file */

bool probes_add(struct tracker *t, struct process *p, bool calls,
		const struct module *m, u64 vaddr, u64 cookie)
{
	struct bpf_link *link;
	u64 offset;

	if (module_vaddr_to_offset(m, vaddr, &offset))
		return false;
	link = engine_attach_probe(t->config.engine, calls, p->pid, m->fd,
				   offset, cookie);
	/* A process that has ended is no news. */
	if (!link && errno == ESRCH)
		return false;
	if (!link) {
		log_warn("process %d: its %s cannot be seen: %m (run "
			 "'jpbpf check')",
			 p->pid, calls ? "calls" : "errors");
		return false;
	}
	log_debug("process %d: probe in %s at 0x%llx", p->pid, m->name, vaddr);
	p->probe = xgrow(p->probe, p->probes, &p->probe_capacity,
			 sizeof(*p->probe));
	p->probe[p->probes++] = link;
	return true;
}

static void attach_walker(struct tracker *t, struct process *p,
			  const struct module *m, size_t i)
{
	struct walker_probe probe[MAX_PROBES];
	size_t n = walkers[i]->file.probes
			   ? walkers[i]->file.probes(m, m->walker[i], probe,
						     MAX_PROBES)
			   : 0;

	if (!n)
		log_warn("process %d: errors of %s cannot be seen: the code of "
			 "%s is not understood (please report it, with the "
			 "output of \"jpbpf info FILE\")",
			 p->pid, walkers[i]->title, m->name);
	for (size_t k = 0; k < n; k++)
		probes_add(t, p, false, m, probe[k].vaddr,
			   probe_cookie(i, probe[k].kind, probe[k].reg,
					probe[k].param |
						(t->config.warnings
							 ? probe[k].warnings
							 : 0)));
}

static void attach_cxx(struct tracker *t, struct process *p,
		       const struct module *m)
{
	u64 vaddr;

	if (module_dynsym(m, "__cxa_throw", &vaddr, NULL))
		return;
	p->cxx = t->cxx = true;
	vaddr = probe_place(m, vaddr);
	if (vaddr)
		probes_add(t, p, false, m, vaddr,
			   probe_cookie(PROBE_CXX, 0, REG_ARG1, 0));
	else
		log_warn(
			"process %d: exceptions of C++ cannot be seen: the code "
			"of %s is not understood",
			p->pid, m->name);
}

static void attach_module(struct tracker *t, struct process *p,
			  const struct module *m)
{
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		if (!m->walker[i] || p->probed >> i & 1)
			continue;
		p->probed |= 1u << i;
		attach_walker(t, p, m, i);
	}
	if (t->config.cxx && !p->cxx && !m->code && m->fd >= 0)
		attach_cxx(t, p, m);
}

void probes_attach(struct tracker *t, struct process *p)
{
	if (!t->config.errors || !p->table || p->probed_serial == p->serial)
		return;
	p->probed_serial = p->serial;
	for (size_t i = 0; i < p->table->maps; i++) {
		const struct module *m = modules_get(t->config.modules,
						     p->table->mapping[i].file);

		if (m)
			attach_module(t, p, m);
	}
}

void probes_release(struct process *p)
{
	/* In the opposite order: a call that was seen to begin is seen to end. */
	for (size_t i = p->probes; i > 0; i--)
		engine_detach_probe(p->probe[i - 1]);
	free(p->probe);
	free(p->traced_file);
	p->probe = NULL;
	p->probes = 0;
}
