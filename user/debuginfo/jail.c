/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The process is a copy of this one.  Before it reads a byte of the file it gives up every
 * capability, every descriptor but its pipe and those of the file, the memory that it
 * shares with the kernel side, and with seccomp all system calls but those that reading
 * an open file and using memory take.  It can open nothing, reach nobody and start
 * nothing.  Its memory has a limit, and the asker does not wait for ever.
 *
 * It is in a session of its own, so ^C at the terminal does not end it before the
 * profile is written.  It ends with the process that asks.
 */
#include "user/debuginfo/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <seccomp.h>

#include "user/lib/buf.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/lib/heap.h"
#include "user/lib/mem.h"
#include "user/target/proc.h"

/* More than this process has when it starts (bytes); files are mapped in the second. */
#define MEMORY_MAX  (1ull << 30)
#define ADDRESS_MAX (16ull << 30)

static int allow_calls(void)
{
	static const int calls[] = {
		SCMP_SYS(read),		 SCMP_SYS(pread64),
		SCMP_SYS(write),	 SCMP_SYS(lseek),
		SCMP_SYS(close),	 SCMP_SYS(dup),
		SCMP_SYS(fstat),	 SCMP_SYS(newfstatat),
		SCMP_SYS(fcntl),	 SCMP_SYS(munmap),
		SCMP_SYS(mremap),	 SCMP_SYS(madvise),
		SCMP_SYS(brk),		 SCMP_SYS(futex),
		SCMP_SYS(clock_gettime), SCMP_SYS(getrandom),
		SCMP_SYS(getpid),	 SCMP_SYS(gettid),
		SCMP_SYS(tgkill),	 SCMP_SYS(rt_sigprocmask),
		SCMP_SYS(rt_sigaction),	 SCMP_SYS(rt_sigreturn),
		SCMP_SYS(sched_yield),	 SCMP_SYS(exit_group),
	};
	static const int mapping[] = { SCMP_SYS(mmap), SCMP_SYS(mprotect) };
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int err = filter ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < sizeof(calls) / sizeof(*calls); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	for (size_t i = 0; !err && i < 2; i++)
		err = seccomp_rule_add(
			filter, SCMP_ACT_ALLOW, mapping[i], 1,
			SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	if (!err)
		err = seccomp_load(filter);
	seccomp_release(filter);
	return err;
}

static int give_up_capabilities(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { 0 };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			       prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) ||
			       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
			       syscall(SYS_capset, &head, none)
		       ? -errno
		       : 0;
}

static int set_limit(int what, u64 max)
{
	struct rlimit limit;

	if (getrlimit(what, &limit))
		return -errno;
	if (max < limit.rlim_max)
		limit.rlim_max = max;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(what, &limit) ? -errno : 0;
}

static int set_limits(void)
{
	_cleanup_fclose_ FILE *f = fopen("/proc/self/statm", "re");
	unsigned long all, data;
	u64 page = sysconf(_SC_PAGESIZE);
	int err;

	if (!f || fscanf(f, "%lu %*u %*u %*u %*u %lu", &all, &data) != 2)
		return -EIO;
	err = set_limit(RLIMIT_AS, all * page + ADDRESS_MAX);
	if (!err)
		err = set_limit(RLIMIT_DATA, data * page + MEMORY_MAX);
	return err;
}

static bool is_in(int fd, const int *keep, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keep[i] == fd)
			return true;
	return false;
}

/* What stdio still holds must not be written twice. */
static void close_others(int out, const int *keep, size_t n)
{
	int last = out;

	for (size_t i = 0; i < n; i++)
		last = keep[i] > last ? keep[i] : last;
	for (int fd = 0; fd < last; fd++)
		if (fd != out && !is_in(fd, keep, n))
			close(fd);
	close_range(last + 1, ~0u, 0);
}

/* The kernel side's maps, and what they are filled through. */
static int unmap_shared(void)
{
	struct maps maps;
	int err = proc_maps("/proc", getpid(), &maps);

	for (size_t i = 0; i < maps.n; i++) {
		const struct map *m = &maps.map[i];

		if (m->shared && m->writable &&
		    munmap((void *)m->start, m->end - m->start))
			err = -errno;
	}
	maps_release(&maps);
	return err;
}

static void enter(int fd, jail_work *work, void *ctx, const int *keep, size_t n)
{
	FILE *out = fdopen(fd, "w");

	setsid();
	/* The limits below are the only ones here. */
	heap_limit(0);
	if (!out || unmap_shared() || set_limits())
		_exit(1);
	close_others(fd, keep, n);
	if (give_up_capabilities() || allow_calls())
		_exit(1);
	work(ctx, out);
	_exit(fflush(out) ? 1 : 0);
}

static int read_all(int fd, u64 timeout_ms, struct buf *out)
{
	u64 now = now_ns() / 1000000, end = now + timeout_ms;
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	const size_t size = 1 << 16;
	_cleanup_free_ char *bytes = xmalloc(size);
	ssize_t n = 1;

	for (; n && now < end; now = now_ns() / 1000000) {
		if (poll(&ready, 1, end - now) <= 0)
			continue;
		n = read(fd, bytes, size);
		if (n < 0 || out->len + n > JAIL_OUTPUT_MAX)
			return -EPIPE;
		if (!heap_grows(HEAP_READING, out->len + n, out->capacity, 1))
			return -ENOMEM;
		buf_add(out, bytes, n);
	}
	return n ? -ETIME : 0;
}

int jail_run(jail_work *work, void *ctx, const int *keep, size_t n,
	     u64 timeout_ms, struct buf *out)
{
	int fd[2], err, status;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		enter(fd[1], work, ctx, keep, n);
	close(fd[1]);
	err = pid < 0 ? -EAGAIN : read_all(fd[0], timeout_ms, out);
	close(fd[0]);
	if (pid < 0)
		return err;
	/* A process whose end has closed the pipe keeps its status. */
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !err && status ? -EPIPE : err;
}
