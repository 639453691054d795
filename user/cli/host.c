/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Tests of the host. Each test asks the kernel for the very thing that profiling
 * will ask for, so a security module's or a container's rules cannot be overlooked.
 * Files are read only where nothing can be tried.
 */
#include "user/cli/host.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/machine.h"
#include "user/cli/argument.h"
#include "user/cli/capability.h"
#include "user/cli/release.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/session/descriptors.h"
#include "user/kernel/direct.h"
#include "user/kernel/btf.h"
#include "user/kernel/pids.h"

/* The start of a file; "" if it cannot be read. */
static const char *read_start(const char *path, char *out, size_t size)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	size_t n = f ? fread(out, 1, size - 1, f) : 0;

	out[n] = '\0';
	return out;
}

/* The first line of a file. */
static const char *read_line(const char *path, char *out, size_t size)
{
	read_start(path, out, size);
	out[strcspn(out, "\n")] = '\0';
	return out;
}

enum host_result host_processor(struct buf *what)
{
	struct utsname u;

	uname(&u);
	buf_adds(what, u.machine);
	return strcmp(u.machine, ARCH_NAME) ? HOST_FAIL : HOST_OK;
}

static int release_of_host(struct release *r, struct buf *what)
{
	struct utsname u;
	char signature[128];
	int err;

	uname(&u);
	read_line("/proc/version_signature", signature, sizeof(signature));
	err = release_parse(r, u.release, u.version, signature);
	if (err)
		buf_addf(what, "%s (not understood)", u.release);
	else
		buf_addf(what, "%u.%u.%u", r->major, r->minor, r->patch);
	return err;
}

enum host_result host_kernel(struct buf *what)
{
	struct release r;

	if (release_of_host(&r, what))
		return HOST_WARN;
	return release_at_least(&r, 6, 1) ? HOST_OK : HOST_FAIL;
}

enum host_result host_kernel_fault(struct buf *what)
{
	struct release r;

	if (release_of_host(&r, what))
		return HOST_NOTE;
	if (release_may_freeze(&r)) {
		buf_adds(what, " may freeze when a sample reads user memory");
		return HOST_UNSAFE;
	}
	buf_adds(what, " reads user memory safely");
	return HOST_OK;
}

enum host_result host_capabilities(struct buf *what)
{
	struct buf missing = { 0 };
	enum host_result result = HOST_OK;
	char status[4096];
	u64 effective;

	read_start("/proc/self/status", status, sizeof(status));
	effective = capability_effective(status);
	capability_missing(effective, false, &missing);
	if (missing.len) {
		result = HOST_FAIL;
	} else {
		capability_missing(effective, true, &missing);
		result = missing.len ? HOST_NOTE : HOST_OK;
	}
	buf_addf(what, "%s%s%s", missing.len ? "missing: " : "all there",
		 buf_text(&missing),
		 result == HOST_NOTE ? " (files that were deleted or replaced "
				       "cannot be read)"
				     : "");
	buf_release(&missing);
	return result;
}

enum host_result host_privileges(struct buf *what)
{
	struct buf names = { 0 };

	capability_running(&names);
	buf_addf(what, "kept while sampling: %s", buf_text(&names));
	buf_release(&names);
	return HOST_OK;
}

enum host_result host_pids(struct buf *what)
{
	const char *why = pids_impossible();

	if (why) {
		buf_adds(what, why);
		return HOST_FAIL;
	}
	buf_adds(what, pids_namespace() ? "a container's: the processes in it"
					: "the host's");
	return HOST_OK;
}

enum host_result host_lockdown(struct buf *what)
{
	char line[128];

	read_line("/sys/kernel/security/lockdown", line, sizeof(line));
	buf_adds(what, *line ? line : "none");
	return strstr(line, "[confidentiality]") ? HOST_FAIL : HOST_OK;
}

enum host_result host_btf(struct buf *what)
{
	const char *path = "/sys/kernel/btf/vmlinux";

	buf_adds(what, path);
	if (access(path, R_OK) == 0)
		return HOST_OK;
	buf_addf(what, ": %s", strerror(errno));
	return HOST_FAIL;
}

enum host_result host_bpf(struct buf *what)
{
	_cleanup_close_ int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY,
						"jpbpf_check", 4, 4, 1, NULL);

	if (fd >= 0) {
		buf_adds(what, "a map can be made");
		return HOST_OK;
	}
	buf_addf(what, "no map can be made: %s", strerror(-fd));
	return HOST_FAIL;
}

enum host_result host_bpf_jit(struct buf *what)
{
	char line[16];

	read_line("/proc/sys/net/core/bpf_jit_enable", line, sizeof(line));
	if (*line == '0') {
		buf_adds(what, "off, programs are interpreted");
		return HOST_NOTE;
	}
	buf_adds(what, *line ? "on" : "not known");
	return HOST_OK;
}

/* Counts an event on one CPU for all processes, as profiling does. 0 or -errno. */
static int try_event(__u32 type, __u64 config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.sample_freq = 1,
		.freq = 1,
		.disabled = 1,
	};
	_cleanup_close_ int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
					 PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : 0;
}

static enum host_result report_event(int err, enum host_result otherwise,
				     struct buf *what)
{
	if (!err) {
		buf_adds(what, "can be sampled");
		return HOST_OK;
	}
	buf_addf(what, "cannot be sampled: %s", strerror(-err));
	return otherwise;
}

enum host_result host_cpu_clock(struct buf *what)
{
	int err = try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	enum host_result result = report_event(err, HOST_FAIL, what);
	char line[16];

	read_line("/proc/sys/kernel/perf_event_paranoid", line, sizeof(line));
	if (*line)
		buf_addf(what, " (perf_event_paranoid is %s)", line);
	return result;
}

enum host_result host_cycles(struct buf *what)
{
	int err = try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	return report_event(err, HOST_NOTE, what);
}

enum host_result host_sample_rate(struct buf *what)
{
	char line[32];

	read_line("/proc/sys/kernel/perf_event_max_sample_rate", line,
		  sizeof(line));
	buf_addf(what, "up to %s Hz", *line ? line : "an unknown number of");
	return strtoul(line, NULL, 10) < 99 ? HOST_NOTE : HOST_OK;
}

/* Without permission every address reads as 0; the first symbols of a kernel
 * (per-CPU variables) may truly be 0. */
enum host_result host_kernel_symbols(struct buf *what)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/kallsyms", "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (!strtoull(line, NULL, 16))
			continue;
		buf_adds(what, "readable");
		return HOST_OK;
	}
	buf_adds(what, f ? "hidden" : strerror(errno));
	return HOST_NOTE;
}

enum host_result host_open_files(struct buf *what)
{
	u32 files = descriptors_raise(ARGUMENT_FILES_DEFAULT);

	buf_addf(what, "up to %u of targets", files);
	return files < ARGUMENT_FILES_DEFAULT ? HOST_NOTE : HOST_OK;
}

enum host_result host_direct(struct buf *what)
{
	const char *why = direct_impossible();

	buf_adds(what, why ? why : "possible");
	return why ? HOST_NOTE : HOST_OK;
}

enum host_result host_replaced(struct buf *what)
{
	const char *why = btf_without_areas();

	buf_adds(what, why ? why : "told before it runs");
	return why ? HOST_NOTE : HOST_OK;
}
