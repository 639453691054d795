/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The pager reads standard output from a pipe.  While it runs SIGPIPE is ignored, so that
 * a reader who has seen enough ends the writing and not the program. */
#include "user/report/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where there is no less, nothing is lost. */
#define USUAL "command -v less >/dev/null && exec less -RFX || exec cat"

static bool is_capable(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

unsigned pager_width(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col
		       ? size.ws_col
		       : 80;
}

bool pager_color(int fd)
{
	const char *no = getenv("NO_COLOR");

	return is_capable(fd) && !(no && *no);
}

static void run(const char *command, int in)
{
	signal(SIGPIPE, SIG_DFL);
	dup2(in, STDIN_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void pager_open(struct pager *pager)
{
	const char *command = getenv("JPBPF_PAGER") ?: getenv("PAGER") ?: USUAL;
	int fd[2];

	*pager = (struct pager){ .screen = -1 };
	if (!is_capable(STDOUT_FILENO) || !*command ||
	    !strcmp(command, "cat") || pipe2(fd, O_CLOEXEC))
		return;
	fflush(stdout);
	pager->screen = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	pager->pid = pager->screen < 0 ? -1 : fork();
	if (!pager->pid)
		run(command, fd[0]);
	if (pager->pid > 0) {
		signal(SIGPIPE, SIG_IGN);
		dup2(fd[1], STDOUT_FILENO);
	} else {
		if (pager->screen >= 0)
			close(pager->screen);
		pager->pid = 0;
	}
	close(fd[0]);
	close(fd[1]);
}

int pager_close(struct pager *pager, int err)
{
	if (!pager->pid)
		return err;
	errno = 0;
	if (fflush(stdout) && !err)
		err = -errno;
	/* What the reader did not want is not for the screen. */
	__fpurge(stdout);
	clearerr(stdout);
	dup2(pager->screen, STDOUT_FILENO);
	close(pager->screen);
	while (waitpid(pager->pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager->pid = 0;
	signal(SIGPIPE, SIG_DFL);
	return err == -EPIPE ? 0 : err;
}
