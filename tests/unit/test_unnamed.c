/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What share of the frames has no name, and which files are worth naming. */
#include "user/profile/unnamed.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/profile/profile.h"

#define MODULES 5000

static char said[4096];

/* What unnamed_print() writes to standard error, in said. */
static void print(struct profile *p)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	unnamed_print(p);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
}

static u32 module(struct profile *p, const char *name, const char *build_id)
{
	const struct intern_key key = { name, strlen(name) + 1, build_id,
					strlen(build_id) };

	return intern_id(p->texts, &key, true);
}

/* A stack of one frame. */
static void count(struct profile *p, struct frame f, u64 value)
{
	const struct profile_key key = { 0 };
	u32 id = profile_add_frame(p, &f);

	profile_add(p, &key, &id, 1, &(struct profile_sum){ value, 7 });
}

static void test_shares(void **state)
{
	struct profile *p = profile_new();
	u32 a = module(p, "a.so", "ab01"), b = module(p, "b.so", "");
	u32 c = module(p, "c.so", ""), made = module(p, "[anonymous code]", "");
	u32 name = intern_text(p->texts, "0x12");

	(void)state;
	print(p);
	assert_string_equal(said, "");
	count(p, (struct frame){ .module = a }, 500);
	count(p, (struct frame){ .type = FRAME_IS_JIT, .module = made }, 100);
	count(p, (struct frame){ .type = FRAME_IS_SCRIPT }, 10000);
	print(p);
	assert_string_equal(said, "");
#define NAMELESS(m, at) \
	(struct frame){ .flags = FRAME_ADDRESS, .module = (m), .name = (at) }
	count(p, NAMELESS(b, name), 100);
	count(p, NAMELESS(a, name), 150);
	count(p, NAMELESS(a, name + 1), 145);
	/* Less than a hundredth. */
	count(p, NAMELESS(c, name), 5);
	print(p);
	assert_string_equal(
		said, "jpbpf: native frames without a name: 40.0 %\n"
		      "jpbpf:       29.5 %  a.so, build-id ab01\n"
		      "jpbpf:       10.0 %  b.so, build-id none\n"
		      "jpbpf:   for names, install the -dbgsym packages of "
		      "these or set DEBUGINFOD_URLS\n");
	profile_free(p);
}

/* Three are shown, those of the most. */
static void test_many(void **state)
{
	struct profile *p = profile_new();
	char name[16];

	(void)state;
	for (u32 i = 0; i < MODULES; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		count(p, NAMELESS(module(p, name, ""), 0),
		      i >= 4000 && i < 4004 ? 1000 + i % 4 : 1);
	}
	print(p);
	assert_string_equal(
		said, "jpbpf: native frames without a name: 100.0 %\n"
		      "jpbpf:       11.1 %  m4003, build-id none\n"
		      "jpbpf:       11.1 %  m4002, build-id none\n"
		      "jpbpf:       11.1 %  m4001, build-id none\n"
		      "jpbpf:   for names, install the -dbgsym packages of "
		      "these or set DEBUGINFOD_URLS\n");
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
