/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* lib/qprof.c: the Quantify Interpreter Interface, loaded as it recommends; its rules, and
 * wrong uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>

#include <jpbpf-interp.h>
#include <qprof.h>

#define THREADS 40
#define CALLS	20000

static struct {
	__typeof__(qprof_initialize) *initialize;
	__typeof__(qprof_shutdown) *shutdown;
	__typeof__(qprof_get_option) *get_option;
	__typeof__(qprof_thread_create) *thread_create;
	__typeof__(qprof_thread_destroy) *thread_destroy;
	__typeof__(qprof_set_thread_name) *set_thread_name;
	__typeof__(qprof_current_method_id) *current_method_id;
	__typeof__(qprof_register_method_id) *register_method_id;
	__typeof__(qprof_record_fn_entry) *entry;
	__typeof__(qprof_record_fn_exit) *exit;
	__typeof__(qprof_record_counts) *counts;
	__typeof__(qprof_record_bb_counts) *bb_counts;
	__typeof__(qprof_record_bb_time) *bb_time;
} q;

static char summary[] = "/tmp/test_qprof.XXXXXX";
static unsigned asked;

static void method_info(qprof_MethodID id)
{
	asked++;
	if (id == 5)
		q.register_method_id(id, "five", "cls",
				     QPROF_METHOD_FLAGS_WAITS, "five.x", NULL,
				     0);
}

static int load(void **state)
{
	static const char *const name[] = {
		"initialize",	     "shutdown",	   "get_option",
		"thread_create",     "thread_destroy",	   "set_thread_name",
		"current_method_id", "register_method_id", "record_fn_entry",
		"record_fn_exit",    "record_counts",	   "record_bb_counts",
		"record_bb_time",
	};
	char own[4096], path[8192], text[64];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	void *library, **to = (void **)&q;

	(void)state;
	own[n > 0 ? n : 0] = 0;
	snprintf(path, sizeof(path), "%.*s/../../libjpbpf-interp.so",
		 (int)(strrchr(own, '/') - own), own);
	library = dlopen(path, RTLD_NOW);
	for (size_t i = 0; library && i < sizeof(name) / sizeof(*name); i++) {
		snprintf(text, sizeof(text), "qprof_%s", name[i]);
		to[i] = dlsym(library, text);
		if (!to[i])
			return -1;
	}
	return library && close(mkstemp(summary)) == 0 ? 0 : -1;
}

static void begins(void **state)
{
	char options[128];

	(void)state;
	q.entry(1, 65); /* wrong: too early */
	q.exit(65);
	snprintf(options, sizeof(options), "depth=12,full,name=a b,summary=%s",
		 summary);
	setenv("JPI_OPTIONS", "depth=13", 1);
	assert_int_equal(q.initialize(options, method_info), 0);
	assert_int_equal(q.initialize(options, method_info), -1);
	assert_int_equal((intptr_t)q.get_option("depth"), 13);
	assert_int_equal((intptr_t)q.get_option("full"), 1);
	assert_string_equal(q.get_option("name"), "a b");
	assert_null(q.get_option("none"));
	assert_null(q.get_option(NULL));
}

/* main 65, fun_one 66, fun_three 67. */
static void follows_the_example(void **state)
{
	(void)state;
	q.register_method_id(1, "main", NULL, 0, "m.x", NULL, 0);
	q.register_method_id(2, "fun_one", NULL, 0, "m.x", NULL, 0);
	q.register_method_id(3, "fun_three", NULL, 0, "m.x", NULL, 0);
	assert_int_equal(q.current_method_id(), 0);
	q.entry(1, 65);
	q.entry(2, 66);
	q.entry(3, 67);
	assert_int_equal(q.current_method_id(), 3);
	q.exit(66);
	assert_int_equal(q.current_method_id(), 2);
	q.exit(65);
	q.entry(2, 66);
	q.entry(3, 67);
	q.exit(65); /* out of both: an exception */
	assert_int_equal(q.current_method_id(), 1);
	q.exit(4242);
	assert_int_equal(q.current_method_id(), 0);
}

static void asks_for_methods(void **state)
{
	(void)state;
	q.entry(5, 1);
	assert_int_equal(asked, 1);
	q.entry(6, 2); /* wrong: nobody registers it */
	assert_int_equal(asked, 2);
	assert_int_equal(q.current_method_id(), 6);
	q.entry(6, 3);
	q.entry(0xffffffffu, 4); /* wrong */
	assert_int_equal(asked, 3);
	q.exit(1);
	assert_int_equal(q.current_method_id(), 5);
	q.exit(0);
}

static void counts_blocks(void **state)
{
	const qprof_LineInfo table[] = { { 0, 15 }, { 7, 16 }, { 12, 19 } };
	const qprof_LineInfo mixed[] = { { 12, 3 }, { 0, 1 } };

	(void)state;
	q.register_method_id(7, "lines", NULL, 0, "l.x", table, 3);
	q.register_method_id(8, "mixed", NULL, 0, "l.x", mixed, 2); /* wrong */
	q.register_method_id(9, NULL, NULL, 0, NULL, NULL, 5);	    /* wrong */
	q.entry(7, 1);
	q.bb_counts(0, 100);
	q.bb_counts(6, 150);
	q.bb_time(12);
	q.bb_time(1000);
	q.bb_time(-1); /* wrong */
	q.counts(160);
	q.entry(9, 2);
	q.bb_time(0);  /* wrong: it has no lines */
	q.entry(9, 0); /* wrong */
	q.exit(77);    /* wrong */
	q.exit(77);    /* wrong */
}

static void *call(void *unused)
{
	(void)unused;
	q.thread_create(pthread_self());
	q.set_thread_name("thread");
	for (int i = 0; i < CALLS; i++) {
		q.entry(1, 1);
		q.entry(2, 2);
		q.exit(1);
		q.exit(9);
	}
	q.thread_destroy(pthread_self());
	return NULL;
}

static void counts_in_threads(void **state)
{
	pthread_t thread[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, call, NULL),
				 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void summarizes(void **state)
{
	static const char *const lines[] = {
		/* 800,000 in threads, and those of the example. */
		"     800002            0  fun_one (m.x)\n",
		"     800001            0  main (m.x)\n",
		"          2            0  fun_three (m.x)\n",
		"          2            0  method 6\n",
		"          1            0  cls::five (five.x)\n",
		"          1          160  lines (l.x)\n",
		"\n2 of 5 blocks were run\n",
		"          2    15  lines (l.x)\n",
		"          0    16  lines (l.x)\n",
		"          2    19  lines (l.x)\n",
		"          0     1  mixed (l.x)\n",
		"wrong: 2 calls before",
		"wrong: 2 methods that nobody",
		"wrong: 3 stack ids",
		"wrong: 2 line tables",
		"wrong: 2 blocks of",
	};
	char text[8192] = "";
	FILE *f;

	(void)state;
	q.shutdown();
	f = fopen(summary, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	unlink(summary);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!strstr(text, lines[i]))
			fail_msg("no line '%s' in\n%s", lines[i], text);
}

static void ends(void **state)
{
	(void)state;
	q.shutdown();
	q.entry(1, 1);
	q.exit(1);
	q.counts(1);
	q.bb_counts(1, 1);
	q.bb_time(1);
	q.register_method_id(1, "main", NULL, 0, NULL, NULL, 0);
	q.thread_create(1);
	q.thread_destroy(1);
	q.set_thread_name(NULL);
	assert_int_equal(q.current_method_id(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins),
		cmocka_unit_test(follows_the_example),
		cmocka_unit_test(asks_for_methods),
		cmocka_unit_test(counts_blocks),
		cmocka_unit_test(counts_in_threads),
		cmocka_unit_test(summarizes),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests(tests, load, NULL);
}
