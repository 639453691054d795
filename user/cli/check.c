/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A table of tests, each with its remedy, in the order in which their failures
 * explain each other: the user, the kernel, what the kernel permits. The tests
 * themselves are in host.c.
 */
#include "user/cli/check.h"

#include <stdio.h>

#include "user/cli/answer.h"
#include "user/cli/host.h"
#include "user/cli/options.h"
#include "user/lib/buf.h"
#include "user/lib/log.h"

/* NEED: profiling needs it, or must warn of it. NOTE: it only explains things. */
enum need { NEED, NOTE };

static const struct check {
	const char *name;
	enum host_result (*test)(struct buf *what);
	enum need need;
	const char *remedy;
} checks[] = {
	{ "processor", host_processor, NEED, "jpbpf unwinds 64-bit x86 only" },
	{ "kernel", host_kernel, NEED,
	  "boot Linux 6.1 or newer: the walk needs bpf_loop()" },
	{ "kernel fault", host_kernel_fault, NEED,
	  "update to 6.1.36, 6.3.10, 6.4 or newer; --force if you know that "
	  "your distribution has mended it" },
	{ "capabilities", host_capabilities, NEED,
	  "run as root (sudo jpbpf ...), or once: sudo setcap cap_bpf,"
	  "cap_perfmon,cap_syslog,cap_sys_ptrace,cap_dac_read_search,"
	  "cap_checkpoint_restore+ep "
	  "$(command -v jpbpf)" },
	{ "privileges", host_privileges, NOTE, "" },
	{ "pid namespace", host_pids, NEED,
	  "mount the one of this namespace: mount -t proc proc /proc" },
	{ "lockdown", host_lockdown, NEED,
	  "boot without lockdown=confidentiality: it forbids BPF to read" },
	{ "BTF", host_btf, NEED,
	  "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (Debian's has it)" },
	{ "BPF", host_bpf, NEED,
	  "if you are root in a container, give it CAP_BPF and let its "
	  "seccomp profile pass bpf()" },
	{ "BPF compiler", host_bpf_jit, NOTE,
	  "faster: sysctl net.core.bpf_jit_enable=1" },
	{ "cpu-clock", host_cpu_clock, NEED,
	  "sysctl kernel.perf_event_paranoid=2, or in a container: let its "
	  "seccomp profile pass perf_event_open()" },
	{ "cycles", host_cycles, NOTE,
	  "no hardware counter here (virtual machine?): -e cycles will not "
	  "work, the default cpu-clock does" },
	{ "sample rate", host_sample_rate, NOTE,
	  "higher: sysctl kernel.perf_event_max_sample_rate=HZ" },
	{ "kernel symbols", host_kernel_symbols, NOTE,
	  "kernel functions will have no names: sysctl kernel.kptr_restrict=0" },
	{ "direct reads", host_direct, NOTE,
	  "memory is read by the kernel's helper: right, but about half as "
	  "fast" },
	{ "replaced code", host_replaced, NOTE,
	  "samples in code that has just replaced other code are cut" },
	{ "open files", host_open_files, NOTE,
	  "more that targets map have no room: ulimit -n 65536" },
};

#define CHECKS (sizeof(checks) / sizeof(*checks))

/* Runs a test; HOST_UNSAFE becomes a failure, or a warning with force. */
static enum host_result run(const struct check *c, bool force, struct buf *what)
{
	enum host_result result = c->test(what);

	if (result == HOST_UNSAFE)
		return force ? HOST_WARN : HOST_FAIL;
	return result;
}

int check_report(bool force)
{
	static const char *const word[] = {
		[HOST_OK] = "ok  ",
		[HOST_NOTE] = "note",
		[HOST_WARN] = "note",
		[HOST_FAIL] = "FAIL",
	};
	int failed = 0;

	for (size_t i = 0; i < CHECKS; i++) {
		const struct check *c = &checks[i];
		struct buf what = { 0 };
		enum host_result result = run(c, force, &what);

		printf("%s %-15s %s\n", word[result], c->name, buf_text(&what));
		if (result != HOST_OK)
			printf("     %-15s %s\n", "", c->remedy);
		failed += result == HOST_FAIL;
		buf_release(&what);
	}
	puts(failed ? "This host cannot be profiled until what failed is mended."
		    : "This host can be profiled.");
	if (answer_end())
		return STATUS_FAILED;
	return failed ? STATUS_REFUSED : STATUS_DONE;
}

int check_quietly(bool force)
{
	int status = STATUS_DONE;

	for (size_t i = 0; i < CHECKS && status == STATUS_DONE; i++) {
		const struct check *c = &checks[i];
		struct buf what = { 0 };
		enum host_result result =
			c->need == NEED ? run(c, force, &what) : HOST_NOTE;

		if (result == HOST_FAIL) {
			log_err("%s: %s; %s", c->name, buf_text(&what),
				c->remedy);
			status = STATUS_REFUSED;
		} else if (result == HOST_WARN) {
			log_warn("%s: %s; %s", c->name, buf_text(&what),
				 c->remedy);
		}
		buf_release(&what);
	}
	return status;
}
