/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The handler writes to an eventfd, so that a signal between the look at the flag
 * and the wait is not missed.  The child has a pidfd: what is known of its end by
 * other ways comes before it can be reaped.
 */
#include "user/session/wake.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;
static int signal_fd = -1, child_fd = -1;

static struct {
	int number;
	bool stops;
	struct sigaction before;
} handled[] = {
	{ .number = SIGINT, .stops = true },
	{ .number = SIGTERM, .stops = true },
	{ .number = SIGHUP, .stops = true },
	{ .number = SIGPIPE },
	{ .number = SIGXFSZ },
};

#define HANDLED (sizeof(handled) / sizeof(*handled))

static void on_signal(int number)
{
	int saved = errno;

	(void)number;
	stopped = 1;
	/* It can only fail when it is full, and then it wakes. */
	if (eventfd_write(signal_fd, 1))
		errno = saved;
}

/* nohup has it ignored so that it is.  A script's shell ignores SIGINT, too, for what
 * it starts in the background, which yet is ended with kill -INT. */
static bool stays_ignored(int number, const struct sigaction *before)
{
	return number == SIGHUP && before->sa_handler == SIG_IGN;
}

int wake_on_signals(void)
{
	const struct sigaction stop = { .sa_handler = on_signal };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	signal_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (signal_fd < 0)
		return -errno;
	for (size_t i = 0; i < HANDLED; i++) {
		int number = handled[i].number;

		sigaction(number, NULL, &handled[i].before);
		if (!stays_ignored(number, &handled[i].before))
			sigaction(number, handled[i].stops ? &stop : &ignore,
				  NULL);
	}
	return 0;
}

void wake_restore_signals(void)
{
	for (size_t i = 0; i < HANDLED; i++)
		sigaction(handled[i].number, &handled[i].before, NULL);
}

bool wake_stopped(void)
{
	return stopped;
}

static int watch(int epoll_fd, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

int wake_watch(int epoll_fd)
{
	return watch(epoll_fd, signal_fd);
}

int wake_watch_child(int epoll_fd, pid_t pid)
{
	child_fd = syscall(SYS_pidfd_open, pid, 0);
	return child_fd < 0 ? -errno : watch(epoll_fd, child_fd);
}

int wake_until(int ms, u64 now, u64 time)
{
	u64 left = time <= now ? 0 : (time - now + 999999) / 1000000;

	if (left > INT_MAX)
		left = INT_MAX;
	return ms < 0 || left < (u64)ms ? (int)left : ms;
}

void wake_release(void)
{
	if (child_fd >= 0)
		close(child_fd);
	/* The signals' descriptor stays: a handler may still run. */
	child_fd = -1;
}
