/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How many sections a file may state before anybody opens it with libelf. */
#include "user/elf/section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "user/lib/guard.h"

static bool few(const Elf64_Ehdr *h, u64 stated)
{
	const Elf64_Shdr first = { .sh_size = stated };
	_cleanup_close_ int fd = memfd_create("file", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, h, sizeof(*h), 0), sizeof(*h));
	assert_int_equal(pwrite(fd, &first, sizeof(first), 4096),
			 sizeof(first));
	return section_few(fd);
}

static void test_few(void **state)
{
	Elf64_Ehdr h = { .e_shoff = 4096 };

	(void)state;
	assert_true(few(&h, ~0ull)); /* no such file */
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	assert_false(few(&h, 0)); /* of another class */
	h.e_ident[EI_CLASS] = ELFCLASS64;
	assert_true(few(&h, 0));
	assert_true(few(&h, SECTIONS_MAX));
	assert_false(few(&h, SECTIONS_MAX + 1));
	assert_false(few(&h, ~0ull));
	h.e_shoff = 1 << 20; /* where there is nothing */
	assert_true(few(&h, ~0ull));
	h.e_shoff = 4096;
	h.e_shnum = 30;
	assert_true(few(&h, ~0ull));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
