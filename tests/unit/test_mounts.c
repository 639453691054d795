/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* mounts.c, on lines of mountinfo and on the file systems of this host. */
#include "user/target/mounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#define ROOTS "rw,user_id=0,group_id=0,allow_other"

static const struct {
	const char *ours, *theirs; /* the lines of 0:35 */
	bool trusted;
} cases[] = {
	{ "", "", false },
	{ "30 1 0:35 / / rw - btrfs /dev/sda rw\n", "", true },
	{ "30 1 0:35 / / rw shared:1 master:2 - tmpfs tmpfs rw\n", "", true },
	{ "30 1 0:35 / / rw - overlay overlay rw,lowerdir=/a\n", "", true },
	{ "", "30 1 0:35 / / rw - tmpfs tmpfs rw\n", true },
	{ "", "30 1 0:35 / / rw - overlay overlay rw,lowerdir=/a\n", true },
	/* Other devices, or the number in another place. */
	{ "30 1 0:3 / / rw - tmpfs tmpfs rw\n", "", false },
	{ "30 1 0:355 / / rw - tmpfs tmpfs rw\n", "", false },
	{ "30 0:35 0:3 / 0:35 rw - tmpfs 0:35 rw\n", "", false },
	{ "30 1 0:3 / / rw - fuse x rw\n30 1 0:35 / / rw - ext4 x rw\n", "",
	  true },
	/* FUSE: root's, a user's, and root's of another namespace. */
	{ "30 1 0:35 / /cvmfs rw - fuse cvmfs2 " ROOTS "\n", "", true },
	{ "30 1 0:35 / /m rw - fuse.sshfs h: rw,user_id=0\n", "", true },
	{ "30 1 0:35 / /m rw - fuse.sshfs h: rw,user_id=1000,group_id=0\n", "",
	  false },
	{ "30 1 0:35 / /m rw - fuse h: rw,user_id=00\n", "", false },
	{ "30 1 0:35 / /m rw - fuse user_id=0 rw,user_id=7\n", "", false },
	{ "30 1 0:35 / /m user_id=0 - fuse x rw\n", "", false },
	{ "", "30 1 0:35 / /m rw - fuse x " ROOTS "\n", false },
	{ "30 1 0:35 / /m rw - fuse x rw,user_id=7\n",
	  "30 1 0:35 / /m rw - tmpfs x rw\n", false },
	{ "30 1 0:35 / /m rw - virtiofs x rw\n", "", true },
	/* Cut off. */
	{ "30 1 0:35 / / rw - tmpfs tmpfs rw", "", false },
	{ "30 1 0:35\n30 1 0:35 \n30 1 0:35 / / rw -\n\n \n", "", false },
	{ "30 1 0:35 / / rw - \n", "", true },
};

static void test_trust(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("# %s# %s", cases[i].ours, cases[i].theirs);
		assert_int_equal(mounts_trust(cases[i].ours, cases[i].theirs,
					      makedev(0, 0x23)),
				 cases[i].trusted);
	}
}

static void test_trusted(void **state)
{
	int fd = memfd_create("m", MFD_CLOEXEC);
	struct stat st;

	(void)state;
	assert_true(mounts_trusted("/proc", getpid(), makedev(8, 1)));
	assert_false(mounts_trusted("/proc", getpid(), makedev(0, 0xfffff)));
	assert_false(mounts_trusted("/proc", getpid(), makedev(0, 0xfffff)));
	assert_int_equal(stat("/proc", &st), 0);
	assert_true(mounts_trusted("/proc", getpid(), st.st_dev));
	/* Shared memory is mounted nowhere. */
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(mounts_trusted("/proc", getpid(), st.st_dev));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trust),
		cmocka_unit_test(test_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
