/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where the script that is the command R says R is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "walkers/r/prove/r_prove.h"

static void reads_the_script(void **state)
{
	static const struct {
		const char *script, *home;
	} row[] = {
		{ "#!/bin/bash\nR_HOME_DIR=/usr/lib/R\nif\n", "/usr/lib/R" },
		{ "#!/bin/sh\n# R_HOME_DIR=/a\nR_HOME_DIR=/b c\n", "/b c" },
		{ "#!/bin/sh\nR_HOME_DIR=\nR_HOME_DIR=/d\n", "/d" },
		{ "#!/bin/sh\nexport R_HOME_DIR=/usr/lib/R\n", NULL },
		{ "#!/bin/sh\nR_HOME_DIR=`pwd`\n", NULL },
		{ "#!/bin/sh\nR_HOME_DIR=/cut", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char path[] = "/tmp/test_r_home.XXXXXX";
		int fd = mkstemp(path);
		char *home;

		print_message("# %s\n", row[i].script);
		assert_true(fd >= 0);
		assert_int_equal(
			write(fd, row[i].script, strlen(row[i].script)),
			strlen(row[i].script));
		close(fd);
		home = r_home_of(path);
		unlink(path);
		if (row[i].home)
			assert_string_equal(home, row[i].home);
		else
			assert_null(home);
		free(home);
	}
	assert_null(r_home_of("/does/not/exist"));
	assert_null(r_home_of("/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
