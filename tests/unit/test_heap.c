// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* What is in use is counted and limited, and without memory the reserve is used. */
#include "user/lib/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB ((size_t)1 << 20)

static void is_counted(void **state)
{
	size_t before = heap_used(), text = 3 * MIB;
	char *p, *duplicate;

	(void)state;
	p = malloc(MIB);
	assert_in_range(heap_used() - before, MIB, MIB + 8192);
	p = realloc(p, text);
	assert_in_range(heap_used() - before, text, text + 8192);
	memset(p, 'x', text - 1);
	p[text - 1] = '\0';
	/* The C library's own. */
	duplicate = strdup(p);
	assert_in_range(heap_used() - before, 2 * text, 2 * text + 16384);
	free(p);
	free(duplicate);
	assert_in_range(heap_used() - before, 0, 8192);
	heap_charge(MIB);
	assert_in_range(heap_used() - before, MIB, MIB + 8192);
	heap_charge(-(long)MIB);
}

static void is_limited(void **state)
{
	size_t limit = (heap_used() / MIB + 160) * MIB;
	size_t left = limit / 16 * 12 - heap_used();

	(void)state;
	assert_true(heap_fits(HEAP_SAMPLES, limit));
	heap_limit(limit);
	assert_true(heap_fits(HEAP_SAMPLES, left - 8192));
	assert_false(heap_fits(HEAP_SAMPLES, left + 8192));
	/* Each use has more than the one before. */
	for (enum heap_use use = 1; use < HEAP_STACKS; use++) {
		assert_true(heap_fits(use, left + 8192));
		assert_false(heap_fits(use, limit - heap_used()));
	}
	assert_true(heap_fits(HEAP_STACKS, limit - heap_used()));
	assert_false(heap_fits(HEAP_STACKS, limit - heap_used() + 1));
	heap_limit(0);
	assert_true(heap_fits(HEAP_SAMPLES, limit));
}

/* Everything that the system has in pieces of so many bytes, and a list of them. */
static void **take_all(size_t size)
{
	void **last = NULL;

	while (heap_fits(HEAP_READING, 0)) {
		void **p = malloc(size);

		if (!p)
			_exit(10);
		*p = last;
		last = p;
	}
	return last;
}

static void give_back(void **last)
{
	while (last) {
		void **before = *last;

		free(last);
		last = before;
	}
}

#define CHECK(condition)                            \
	do {                                        \
		if (!(condition))                   \
			_exit(__LINE__ % 200 + 20); \
	} while (0)

/* In a process of its own. */
static void without_memory(void)
{
	struct rlimit limit = { 512 * MIB, 512 * MIB };
	char *p, *other;
	void **all;

	CHECK(!setrlimit(RLIMIT_AS, &limit));
	all = take_all(4096);
	CHECK(!heap_has_reserve() && !heap_is_ending());
	p = malloc(MIB);
	CHECK(p);
	memset(p, 'x', MIB);
	other = calloc(MIB, 2);
	CHECK(other && !other[0] && !memcmp(other, other + 1, 2 * MIB - 1));
	p = realloc(p, 5 * MIB);
	CHECK(p && p[0] == 'x' && !memcmp(p, p + 1, MIB - 1));
	free(other);
	other = calloc(1, 3 * MIB);
	CHECK(other && !other[0] && !memcmp(other, other + 1, 3 * MIB - 1));
	CHECK(!heap_is_ending());
	free(realloc(p, 9 * MIB));
	CHECK(!heap_is_ending());
	free(other);
	p = malloc(HEAP_RESERVE - 2 * MIB);
	CHECK(p && heap_is_ending() && !malloc(4 * MIB));
	CHECK(!realloc(p, 2 * HEAP_RESERVE) && heap_is_ending());
	free(p);
	CHECK(!heap_is_ending() && !heap_fits(HEAP_READING, 0));
	give_back(all);
	CHECK(heap_fits(HEAP_READING, 0) && heap_has_reserve());
	_exit(0);
}

static void has_a_reserve(void **state)
{
	int status;
	pid_t pid;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	assert_true(heap_has_reserve());
	pid = fork();
	if (!pid)
		without_memory();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_counted),
		cmocka_unit_test(is_limited),
		cmocka_unit_test(has_a_reserve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
