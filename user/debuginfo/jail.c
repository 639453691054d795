/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The process is a copy of this one.  Before it reads a byte it gives up every
 * capability, every descriptor but its socket, and with seccomp all system calls but those
 * that reading an open file and using memory take.  It can open nothing, reach nobody and
 * start nothing.  The descriptors of the files come with the questions.  Its memory has a
 * limit, and the asker does not wait for ever.
 *
 * It is in a session of its own, so ^C at the terminal does not end it before the
 * profile is written.  It ends with the process that asks.
 */
#include "user/debuginfo/jail.h"

#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <seccomp.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"

/* More than this process has when it starts (bytes); files are mapped in the second. */
#define MEMORY_MAX  (1ull << 30)
#define ADDRESS_MAX (16ull << 30)

static int allow_calls(void)
{
	static const int calls[] = {
		SCMP_SYS(read),		 SCMP_SYS(pread64),
		SCMP_SYS(recvmsg),	 SCMP_SYS(sendto),
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
	return setrlimit(what, &(struct rlimit){ max, max }) ? -errno : 0;
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

/* All but fd: what stdio still holds must not be written twice. */
static void close_others(int fd)
{
	if (fd)
		close_range(0, fd - 1, 0);
	close_range(fd + 1, ~0u, 0);
}

static int *descriptor(struct files *f, size_t i)
{
	int *const all[] = { &f->file, &f->debug, &f->alt[0], &f->alt[1] };

	return all[i];
}

#define DESCRIPTORS (2 + FILES_ALT)

/* A message with room for all descriptors. */
struct envelope {
	struct msghdr head;
	struct iovec data;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(DESCRIPTORS *
							 sizeof(int))];
};

static void address(struct envelope *e, struct jail_question *q, size_t n)
{
	e->data = (struct iovec){ q, sizeof(*q) };
	e->head = (struct msghdr){
		.msg_iov = &e->data,
		.msg_iovlen = 1,
		.msg_control = n ? e->control : NULL,
		.msg_controllen = n ? CMSG_SPACE(n * sizeof(int)) : 0,
	};
}

static int send_question(int fd, struct jail_question q)
{
	struct envelope e = { 0 };
	int sent[DESCRIPTORS];
	size_t n = 0;

	for (size_t i = 0; i < DESCRIPTORS; i++)
		if (*descriptor(&q.files, i) >= 0)
			sent[n++] = *descriptor(&q.files, i);
	address(&e, &q, n);
	if (n) {
		struct cmsghdr *c = CMSG_FIRSTHDR(&e.head);

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), sent, n * sizeof(int));
	}
	return sendmsg(fd, &e.head, MSG_NOSIGNAL) < 0 ? -EPIPE : 0;
}

/* false: that was all, or there is no room for more descriptors. */
static bool receive_question(int fd, struct jail_question *q)
{
	struct envelope e = { 0 };
	struct cmsghdr *c;
	size_t n = 0;

	address(&e, q, DESCRIPTORS);
	if (recvmsg(fd, &e.head, 0) != sizeof(*q) ||
	    e.head.msg_flags & MSG_CTRUNC)
		return false;
	c = CMSG_FIRSTHDR(&e.head);
	for (size_t i = 0; c && i < DESCRIPTORS; i++) {
		int *to = descriptor(&q->files, i);

		if (*to >= 0)
			memcpy(to, CMSG_DATA(c) + n++ * sizeof(int),
			       sizeof(int));
	}
	return true;
}

static void serve(int fd, jail_answer *answer, void *ctx)
{
	struct jail_question q;
	struct buf out = { 0 };

	while (receive_question(fd, &q)) {
		buf_reset(&out);
		answer(ctx, &q, &out);
		if (out.len > JAIL_ANSWER_MAX)
			out.len = JAIL_ANSWER_MAX;
		/* An empty message would look like the end. */
		buf_addc(&out, '\0');
		if (send(fd, out.data, out.len, MSG_NOSIGNAL) < 0)
			break;
	}
}

int jail_start(struct jail *j, jail_answer *answer, void *ctx)
{
	int fd[2];

	*j = (struct jail){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd))
		return -errno;
	j->pid = fork();
	if (!j->pid) {
		setsid();
		close_others(fd[1]);
		if (!set_limits() && !give_up_capabilities() && !allow_calls())
			serve(fd[1], answer, ctx);
		_exit(0);
	}
	close(fd[1]);
	if (j->pid < 0) {
		close(fd[0]);
		*j = (struct jail){ .fd = -1 };
		return -EAGAIN;
	}
	j->fd = fd[0];
	return 0;
}

int jail_ask(const struct jail *j, const struct jail_question *q,
	     int timeout_ms, struct buf *out)
{
	struct pollfd ready = { .fd = j->fd, .events = POLLIN };
	_cleanup_free_ char *bytes = xmalloc(JAIL_ANSWER_MAX + 1);
	ssize_t n;

	buf_reset(out);
	if (send_question(j->fd, *q))
		return -EPIPE;
	while ((n = poll(&ready, 1, timeout_ms)) < 0 && errno == EINTR)
		;
	if (n <= 0)
		return -ETIME;
	n = recv(j->fd, bytes, JAIL_ANSWER_MAX + 1, MSG_DONTWAIT);
	if (n <= 0 || bytes[n - 1])
		return -EPIPE;
	buf_add(out, bytes, n - 1);
	return 0;
}

void jail_end(struct jail *j)
{
	if (j->pid <= 0)
		return;
	close(j->fd);
	kill(j->pid, SIGKILL);
	while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*j = (struct jail){ .fd = -1 };
}
