/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The handler writes to an eventfd, so that a signal between the check of the flag and
 * the wait is not missed.  Signals belong to the whole process, and so does this state.
 * The eventfd stays open, because a handler may still run.
 */
#include "user/session/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>

static volatile sig_atomic_t stopped;
static int signal_fd = -1;

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
	/* The write fails only when the counter is full, and then the eventfd is
	 * readable. */
	if (eventfd_write(signal_fd, 1))
		errno = saved;
}

int signals_catch(void)
{
	const struct sigaction stop = { .sa_handler = on_signal };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (signal_fd < 0)
		signal_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (signal_fd < 0)
		return -errno;
	stopped = 0;
	eventfd_read(signal_fd, &(eventfd_t){ 0 });
	for (size_t i = 0; i < HANDLED; i++) {
		int number = handled[i].number;
		struct sigaction *before = &handled[i].before;

		sigaction(number, NULL, before);
		/* nohup ignores SIGHUP on purpose.  A script's shell ignores SIGINT for
		 * what it starts in the background; SIGINT is still caught, because
		 * kill -INT must end the run. */
		if (number != SIGHUP || before->sa_handler != SIG_IGN)
			sigaction(number, handled[i].stops ? &stop : &ignore,
				  NULL);
	}
	return 0;
}

void signals_restore(void)
{
	for (size_t i = 0; i < HANDLED; i++)
		sigaction(handled[i].number, &handled[i].before, NULL);
}

bool signals_stopped(void)
{
	return stopped;
}

int signals_fd(void)
{
	return signal_fd;
}
