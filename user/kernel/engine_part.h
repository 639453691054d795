/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The engine's parts, for its own files only. */
#ifndef JPBPF_USER_KERNEL_ENGINE_PART_H
#define JPBPF_USER_KERNEL_ENGINE_PART_H

#include <jpbpf/call.h>
#include <jpbpf/config.h>

#include "user/kernel/engine.h"

/* It needs the types of config. */
#include "jpbpf.skel.h"

#define ENGINE_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI */

struct engine {
	struct jpbpf_bpf *skel;
	struct ring_buffer *ring;
	struct bpf_link **event;
	size_t events, event_capacity;
	int cpus, slots;	      /* number of CPUs, and of walk slots */
	bool direct;		      /* user memory is read without a helper */
	struct unwind_file *files;    /* the mapped map "files" */
	size_t charged;		      /* bytes of the maps */
	u32 places;		      /* of calls, stored */
	bool multi;		      /* uprobes are attached together */
	struct engine_watch *watches; /* those that are attached */
	u64 watch_hits;		      /* of the others */
	/* Arguments of the running engine_consume(). */
	int (*fn)(void *ctx, const void *record, size_t len);
	void *ctx;
};

/* engine_calls.c: before the programs are loaded, and when they are (0 or -errno). */
void engine_size_calls(struct engine *e, const struct engine_config *config);
void engine_configure_calls(struct engine *e,
			    const struct engine_config *config);
int engine_link_calls(struct engine *e);
/* Hits of watchpoints for which no program ran. */
u64 engine_watch_lost(const struct engine *e);

#endif
