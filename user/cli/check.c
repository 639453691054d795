/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A table of tests, each with its remedy, in the order in which their failures
 * explain each other: the kernel, the user, what the kernel permits.
 *
 * Each test asks the kernel for the very thing that profiling will ask for, so a
 * security module's or a container's rules cannot be overlooked. Files are read only
 * where nothing can be tried.
 */
#include "user/cli/verb.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <linux/version.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "user/kernel/host.h"
#include "user/kernel/privilege.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/session/descriptors.h"

enum result {
	OK,
	NOTE,	/* profiling works; the remedy is worth knowing */
	WARN,	/* the same, and profiling says so */
	UNSAFE, /* the host may not survive; refused unless forced */
	FAIL,	/* profiling cannot work */
};

/* The first line of a file; "" if it cannot be read. */
static const char *read_line(const char *path, char *out, size_t size)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");

	if (!f || !fgets(out, size, f))
		*out = '\0';
	out[strcspn(out, "\n")] = '\0';
	return out;
}

static bool scan(const char *text, u32 *release)
{
	unsigned major, minor, patch = 0;

	if (sscanf(text, "%u.%u.%u", &major, &minor, &patch) < 2)
		return false;
	*release = KERNEL_VERSION(major, minor, patch);
	return true;
}

/* Distributions put their own number into the release ("6.1.0-18-amd64"). Debian gives
 * the upstream version after its name in the version ("... Debian 6.1.76-1 ..."),
 * Ubuntu as the last word of a file of its own. */
u32 check_release(const char *release, const char *version,
		  const char *signature)
{
	const char *debian = strstr(version, "Debian ");
	const char *ubuntu = strrchr(signature, ' ');
	u32 found = 0;

	if (debian && scan(debian + strlen("Debian "), &found))
		return found;
	if (ubuntu && scan(ubuntu + 1, &found))
		return found;
	scan(release, &found);
	return found;
}

/* From 5.19 on copy_from_user_nofault() could take a lock that the interrupted code
 * held. 6.4 has the fix; so have the stable kernels 6.1.36 and 6.3.10. */
bool check_may_freeze(u32 release)
{
	return (release >= KERNEL_VERSION(5, 19, 0) &&
		release < KERNEL_VERSION(6, 1, 36)) ||
	       (release >= KERNEL_VERSION(6, 2, 0) &&
		release < KERNEL_VERSION(6, 3, 10));
}

static u32 release_of_host(struct buf *what)
{
	struct utsname u;
	char signature[128];
	u32 release;

	uname(&u);
	read_line("/proc/version_signature", signature, sizeof(signature));
	release = check_release(u.release, u.version, signature);
	if (release)
		buf_addf(what, "%u.%u.%u", release >> 16, release >> 8 & 255,
			 release & 255);
	else
		buf_addf(what, "%s (not understood)", u.release);
	return release;
}

/* why: NULL: all is well. */
static enum result answer(struct buf *what, const char *why, enum result bad,
			  const char *good)
{
	buf_adds(what, why ? why : good);
	return why ? bad : OK;
}

static enum result kernel(struct buf *what)
{
	u32 release = release_of_host(what);

	if (!release)
		return WARN;
	return release >= KERNEL_VERSION(6, 1, 0) ? OK : FAIL;
}

static enum result kernel_fault(struct buf *what)
{
	u32 release = release_of_host(what);

	if (!release)
		return NOTE;
	return answer(what,
		      check_may_freeze(release)
			      ? " may freeze when a sample reads user memory"
			      : NULL,
		      UNSAFE, " reads user memory safely");
}

static enum result capabilities(struct buf *what)
{
	_cleanup_buf_ struct buf needed = { 0 }, useful = { 0 };

	privilege_lacking(privilege_effective(), PRIVILEGE_START, &needed,
			  &useful);
	if (needed.len) {
		buf_addf(what, "missing: %s", needed.data);
		return FAIL;
	}
	if (useful.len) {
		buf_addf(what,
			 "missing: %s (files that were deleted or replaced "
			 "cannot be read)",
			 useful.data);
		return NOTE;
	}
	buf_adds(what, "all there");
	return OK;
}

static enum result running_privileges(struct buf *what)
{
	_cleanup_buf_ struct buf names = { 0 };

	privilege_lacking(0, PRIVILEGE_RUN, &names, &names);
	buf_addf(what, "kept while sampling: %s", buf_text(&names));
	return OK;
}

static enum result pid_namespace(struct buf *what)
{
	return answer(what, host_without_pids(), FAIL,
		      host_pid_namespace()
			      ? "a container's: the processes in it"
			      : "the host's");
}

static enum result lockdown(struct buf *what)
{
	char line[128];

	read_line("/sys/kernel/security/lockdown", line, sizeof(line));
	buf_adds(what, *line ? line : "none");
	return strstr(line, "[confidentiality]") ? FAIL : OK;
}

static enum result btf(struct buf *what)
{
	const char *path = "/sys/kernel/btf/vmlinux";

	buf_adds(what, path);
	if (access(path, R_OK) == 0)
		return OK;
	buf_addf(what, ": %s", strerror(errno));
	return FAIL;
}

static enum result bpf(struct buf *what)
{
	_cleanup_close_ int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY,
						"jpbpf_check", 4, 4, 1, NULL);

	if (fd < 0)
		buf_addf(what, "no map can be made: %s", strerror(-fd));
	else
		buf_adds(what, "a map can be made");
	return fd < 0 ? FAIL : OK;
}

static enum result bpf_compiler(struct buf *what)
{
	char line[16];

	read_line("/proc/sys/net/core/bpf_jit_enable", line, sizeof(line));
	return answer(what,
		      *line == '0' ? "off, programs are interpreted" : NULL,
		      NOTE, *line ? "on" : "not known");
}

/* Counts on one CPU for all processes, as profiling does. */
static enum result cpu_clock(struct buf *what)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 1,
		.freq = 1,
		.disabled = 1,
	};
	_cleanup_close_ int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
					 PERF_FLAG_FD_CLOEXEC);
	char line[16];

	if (fd < 0)
		buf_addf(what, "cannot be sampled: %s", strerror(errno));
	else
		buf_adds(what, "can be sampled");
	read_line("/proc/sys/kernel/perf_event_paranoid", line, sizeof(line));
	if (*line)
		buf_addf(what, " (perf_event_paranoid is %s)", line);
	return fd < 0 ? FAIL : OK;
}

/* Without permission every address reads as 0; the first symbols of a kernel
 * (per-CPU variables) may truly be 0. */
static enum result kernel_symbols(struct buf *what)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/kallsyms", "re");
	const char *why = f ? "hidden" : strerror(errno);
	char line[512];

	while (f && why && fgets(line, sizeof(line), f))
		if (strtoull(line, NULL, 16))
			why = NULL;
	return answer(what, why, NOTE, "readable");
}

static enum result direct_reads(struct buf *what)
{
	return answer(what, host_without_direct(), NOTE, "possible");
}

#define UPROBES "/sys/bus/event_source/devices/uprobe/type"

static enum result errors(struct buf *what)
{
	return answer(what, access(UPROBES, R_OK) ? "no " UPROBES : NULL, NOTE,
		      "uprobes can be set");
}

static enum result dump(struct buf *what)
{
	return answer(what, host_without_foreign(), NOTE,
		      "can show threads that sleep");
}

static enum result replaced_code(struct buf *what)
{
	return answer(what, host_without_areas(), NOTE, "told before it runs");
}

static enum result open_files(struct buf *what)
{
	u32 most = session_entries(SESSION_MEMORY);
	u32 files = descriptors_raise(most);

	buf_addf(what, "up to %u of targets", files);
	return files < most ? NOTE : OK;
}

static const struct check {
	const char *name;
	enum result (*test)(struct buf *what);
	bool is_note; /* explains things only: not tested before profiling */
	const char *remedy;
} checks[] = {
	{ "kernel", kernel, false,
	  "boot Linux 6.1 or newer: the walk needs bpf_loop()" },
	{ "kernel fault", kernel_fault, false,
	  "update to 6.1.36, 6.3.10, 6.4 or newer; --force if you know that "
	  "your distribution has mended it" },
	{ "capabilities", capabilities, false,
	  "run as root (sudo jpbpf ...), or once: sudo setcap cap_bpf,"
	  "cap_perfmon,cap_syslog,cap_sys_ptrace,cap_dac_read_search,"
	  "cap_checkpoint_restore+ep "
	  "$(command -v jpbpf)" },
	{ "privileges", running_privileges, true, "" },
	{ "pid namespace", pid_namespace, false,
	  "mount the one of this namespace: mount -t proc proc /proc" },
	{ "lockdown", lockdown, false,
	  "boot without lockdown=confidentiality: it forbids BPF to read" },
	{ "BTF", btf, false,
	  "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (Debian's has it)" },
	{ "BPF", bpf, false,
	  "if you are root in a container, give it CAP_BPF and let its "
	  "seccomp profile pass bpf()" },
	{ "BPF compiler", bpf_compiler, true,
	  "faster: sysctl net.core.bpf_jit_enable=1" },
	{ "cpu-clock", cpu_clock, false,
	  "sysctl kernel.perf_event_paranoid=2, or in a container: let its "
	  "seccomp profile pass perf_event_open()" },
	{ "kernel symbols", kernel_symbols, true,
	  "kernel functions will have no names: sysctl kernel.kptr_restrict=0" },
	{ "direct reads", direct_reads, true,
	  "memory is read by the kernel's helper: right, but about half as "
	  "fast" },
	{ "errors", errors, true,
	  "jpbpf errors will see none: boot a kernel with CONFIG_UPROBE_EVENTS=y" },
	{ "dump", dump, true, "jpbpf dump will be refused" },
	{ "replaced code", replaced_code, true,
	  "samples in code that has just replaced other code are cut" },
	{ "open files", open_files, true,
	  "more that targets map have no room: ulimit -n 65536" },
};

#define CHECKS (sizeof(checks) / sizeof(*checks))

static enum result run(const struct check *c, bool force, struct buf *what)
{
	enum result result = c->test(what);

	if (result == UNSAFE)
		return force ? WARN : FAIL;
	return result;
}

int check_report(bool force)
{
	static const char *const word[] = {
		[OK] = "ok  ",
		[NOTE] = "note",
		[WARN] = "note",
		[FAIL] = "FAIL",
	};
	int failed = 0;

	for (size_t i = 0; i < CHECKS; i++) {
		const struct check *c = &checks[i];
		_cleanup_buf_ struct buf what = { 0 };
		enum result result = run(c, force, &what);

		printf("%s %-15s %s\n", word[result], c->name, buf_text(&what));
		if (result != OK)
			printf("     %-15s %s\n", "", c->remedy);
		failed += result == FAIL;
	}
	puts(failed ? "This host cannot be profiled until what failed is mended."
		    : "This host can be profiled.");
	if (answer_end())
		return STATUS_FAILED;
	return failed ? STATUS_REFUSED : STATUS_DONE;
}

int check_quietly(bool force)
{
	bool failed = false;

	for (size_t i = 0; i < CHECKS && !failed; i++) {
		const struct check *c = &checks[i];
		_cleanup_buf_ struct buf what = { 0 };
		enum result result = c->is_note ? NOTE : run(c, force, &what);

		failed = result == FAIL;
		if (failed)
			log_err("%s: %s; %s", c->name, buf_text(&what),
				c->remedy);
		else if (result == WARN)
			log_warn("%s: %s; %s", c->name, buf_text(&what),
				 c->remedy);
	}
	return failed ? STATUS_REFUSED : STATUS_DONE;
}
