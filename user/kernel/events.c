/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Opens one sampling event per CPU, whatever runs there: the program decides by the
 * process table.  A machine that lacks an event refuses to open it.
 */
#include "user/kernel/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include <jpbpf/config.h>

#include "user/lib/log.h"
#include "user/kernel/engine.h"
#include "user/kernel/privilege.h"

/* Not of perf_event_open(2): attached to processes (user/processes/probes.c). */
#define PERF_TYPE_PROBE (~0u)
#define PERF_COUNT_NONE 0

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

u64 source_interval(const struct source *source, unsigned frequency)
{
	return source->each ? 0 : (1000000000ull + frequency / 2) / frequency;
}

u32 sources_timed(u32 set)
{
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		if (sources[i].each)
			set &= ~(1u << i);
	return set;
}

u32 sources_set(struct walk_config *to, const struct engine_config *config,
		u32 cpus)
{
	u32 n = 0, slots = 0;

	for (u32 i = 0; i < SOURCE_COUNT; i++) {
		u32 level = sources[i].level;

		if (!(config->sources >> i & 1))
			continue;
		to->account[i] = n * cpus;
		to->source = i;
		to->level = n++ ? SOURCE_LEVELS : level;
		if (to->slots[level])
			continue;
		to->slots[level] = cpus;
		to->slots_first[level] = slots;
		slots += cpus;
	}
	if (config->threads) {
		to->slots[LEVEL_TASK] = cpus;
		to->slots_first[LEVEL_TASK] = slots;
		slots += cpus;
	}
	to->max_cost = config->max_cost < 100 ? config->max_cost * 100 / n : 0;
	return slots;
}

static void explain(const struct source *source, int cpu, int err)
{
	errno = err;
	if (err == EACCES || err == EPERM)
		log_err("not permitted to sample CPU %d: %m (%s)", cpu,
			privilege_suffices(PRIVILEGE_START)
				? "the capabilities are there: let the "
				  "container's seccomp profile pass "
				  "perf_event_open()"
				: "be root, or have CAP_PERFMON and CAP_BPF");
	else if (err == ENOENT || err == EOPNOTSUPP)
		log_err("this machine has no event '%s': use -e cpu-clock",
			source->name);
	else
		log_err("cannot sample CPU %d: %m", cpu);
}

static int sample(struct engine *e, const struct engine_config *config,
		  const struct source *source, u32 account)
{
	const u64 cookie =
		SOURCE_COOKIE(source - sources, source->level, account);
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = source->type,
		.config = source->event,
		.sample_period = source->each ? 1 : config->frequency,
		.freq = !source->each,
	};
	int cpus =
		config->cpus ? (int)config->cpus : libbpf_num_possible_cpus();

	for (int i = 0; i < cpus; i++) {
		int cpu = config->cpus ? config->cpu[i] : i;
		int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
				 PERF_FLAG_FD_CLOEXEC);
		int err;

		/* A CPU that is offline has no event and needs none. */
		if (fd < 0 && errno == ENODEV && !config->cpus)
			continue;
		err = fd < 0 ? -errno : engine_attach_event(e, fd, cookie);
		if (err) {
			explain(source, cpu, -err);
			return err;
		}
	}
	return 0;
}

int events_sample(struct engine *e, const struct engine_config *config)
{
	u32 account = 0;
	int err = 0;

	for (size_t i = 0; i < SOURCE_COUNT && !err; i++) {
		if (!(config->sources >> i & 1) ||
		    sources[i].type == PERF_TYPE_PROBE)
			continue;
		err = sample(e, config, &sources[i], account);
		account += libbpf_num_possible_cpus();
	}
	return err;
}
