/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Opens one sampling event per CPU, whatever runs there: the program decides by the
 * process table.  A machine that lacks an event refuses to open it.
 */
#include "user/kernel/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "user/lib/log.h"
#include "user/kernel/engine.h"
#include "user/kernel/sources.h"

static int open_event(struct perf_event_attr *attr, int cpu)
{
	return syscall(SYS_perf_event_open, attr, -1, cpu, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static bool wanted(const struct events_config *config, int cpu)
{
	if (!config->cpus)
		return true;
	for (size_t i = 0; i < config->cpus; i++)
		if (config->cpu[i] == cpu)
			return true;
	return false;
}

static void explain(const struct events_config *config, int cpu, int err)
{
	errno = err;
	if (err == EACCES || err == EPERM)
		log_err("not permitted to sample CPU %d: %m (be root, or have "
			"CAP_PERFMON and CAP_BPF)",
			cpu);
	else if (err == ENOENT || err == EOPNOTSUPP)
		log_err("this machine has no event '%s': use -e cpu-clock",
			config->source->name);
	else if (err == EINVAL)
		log_err("the kernel refuses %u Hz: see "
			"/proc/sys/kernel/perf_event_max_sample_rate",
			config->frequency);
	else
		log_err("cannot sample CPU %d: %m", cpu);
}

int events_sample(struct engine *e, const struct events_config *config)
{
	const struct source *source = config->source;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = source->type,
		.config = source->event,
		.sample_period = source->each ? 1 : config->frequency,
		.freq = !source->each,
	};
	int n = 0;

	for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
		int fd, err;

		if (!wanted(config, cpu))
			continue;
		fd = open_event(&attr, cpu);
		/* A CPU that is offline has no event and needs none. */
		if (fd < 0 && errno == ENODEV && !config->cpus)
			continue;
		err = fd < 0 ? -errno : engine_attach_event(e, fd);
		if (err) {
			explain(config, cpu, -err);
			return err;
		}
		n++;
	}
	if (!n)
		log_err("none of the CPUs given with -C exists");
	return n ? n : -ENODEV;
}
