/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process that maps a file on FUSE, in a mount namespace of its own, which needs
 * root.  What serves the file answers everything but FUSE_READ, and tells of that
 * and of each FUSE_OPEN in a pipe.  When it ends, which it does by itself, nobody
 * waits for it any longer.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/target/maps.h"
#include "user/target/memory.h"
#include "user/target/proc.h"

#define PAGE 4096

static char folder[] = "/tmp/test_presence.XXXXXX";

static void answer(int fd, u64 unique, int err, const void *data, size_t len)
{
	char bytes[1024];
	struct fuse_out_header head = { .len = sizeof(head) + (u32)len,
					.error = err,
					.unique = unique };

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), data, len);
	if (write(fd, bytes, head.len) < 0)
		_exit(1);
}

static void serve_one(int fd, const struct fuse_in_header *in, int told)
{
	const struct fuse_attr dir = { 1, .mode = S_IFDIR | 0755, .nlink = 2 };
	const struct fuse_attr file = { 2, .size = PAGE, .mode = S_IFREG | 0644,
					.nlink = 1 };
	struct fuse_init_out init = { .major = 7, .minor = 31 };
	struct fuse_attr_out attr = { 100,
				      .attr = in->nodeid == 1 ? dir : file };
	struct fuse_entry_out entry = { 2, 0, 100, 100, .attr = file };
	struct fuse_open_out open = { .fh = 1 };

	if ((in->opcode == FUSE_OPEN || in->opcode == FUSE_READ) &&
	    write(told, in->opcode == FUSE_OPEN ? "o" : "r", 1) != 1)
		_exit(1);
	init.max_write = PAGE;
	if (in->opcode == FUSE_INIT)
		answer(fd, in->unique, 0, &init, sizeof(init));
	else if (in->opcode == FUSE_GETATTR)
		answer(fd, in->unique, 0, &attr, sizeof(attr));
	else if (in->opcode == FUSE_LOOKUP)
		answer(fd, in->unique, 0, &entry, sizeof(entry));
	else if (in->opcode == FUSE_OPEN)
		answer(fd, in->unique, 0, &open, sizeof(open));
	else if (in->opcode != FUSE_READ && in->opcode != FUSE_FORGET)
		answer(fd, in->unique, -ENOSYS, "", 0);
}

static void serve(int fd, int told)
{
	static _Alignas(8) char bytes[1 << 17];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(10);
	while (read(fd, bytes, sizeof(bytes)) > 0)
		serve_one(fd, (void *)bytes, told);
	_exit(0);
}

/* Map the file, say where, and wait.  Status 77: that cannot be had here. */
static void be_target(int said, int told)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC), file;
	char options[128];
	void *p;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
	if (fd < 0 || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("fuse", folder, "fuse", 0, options))
		_exit(77);
	if (!fork())
		serve(fd, told);
	close(fd);
	snprintf(options, sizeof(options), "%s/file", folder);
	file = open(options, O_RDONLY | O_CLOEXEC);
	p = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	if (p == MAP_FAILED || write(said, &p, sizeof(p)) != sizeof(p))
		_exit(1);
	for (;;)
		pause();
}

static void look(pid_t pid, u64 address)
{
	char out[16];
	struct maps maps;

	assert_int_equal(memory_read(pid, address, out, sizeof(out)), -EFAULT);
	assert_int_equal(proc_maps("/proc", pid, &maps), 0);
	assert_int_equal(proc_open_map("/proc", pid, maps_find(&maps, address)),
			 -ENXIO);
	maps_release(&maps);
}

static void test_fuse(void **state)
{
	int said[2], told[2], status;
	char asked[16] = { 0 };
	u64 address;
	pid_t pid;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(pipe2(said, O_CLOEXEC), 0);
	assert_int_equal(pipe2(told, O_CLOEXEC), 0);
	pid = fork();
	if (!pid)
		be_target(said[1], told[1]);
	close(said[1]);
	close(told[1]);
	if (read(said[0], &address, sizeof(address)) == sizeof(address))
		look(pid, address);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	rmdir(folder);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	/* The target itself has opened it. */
	assert_true(read(told[0], asked, sizeof(asked) - 1) > 0);
	assert_string_equal(asked, "o");
	close(said[0]);
	close(told[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
