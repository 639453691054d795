/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What an extension registers as its configuration, in the code of tcl_registered.S. */
#include "tests/unit/fixture.h"

#include "user/elf/module.h"
#include "user/elf/pairs.h"
#include "user/lib/fact.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/tcl/text/tcl_text.h"
#include "walkers/walker.h"

static const char *const packages[] = { "one", "two" };

static void take(void *ctx, const char *package, const struct pairs *p)
{
	size_t *n = ctx;

	assert_true(*n < 2);
	assert_string_equal(package, packages[*n]);
	assert_int_equal(p->n, *n ? 1 : 2);
	(*n)++;
}

static void test_packages(void **state)
{
	struct module m = { 0 };
	size_t n = 0;

	(void)state;
	assert_int_equal(
		module_open(&m, fixture_open("tcl_registered.so"), "x"), 0);
	tcl_registered(&m, take, &n);
	assert_int_equal(n, 2);
	module_close(&m);
}

static void test_facts(void **state)
{
	static const struct pair wanted[] = {
		{ (char *)"one::threaded", (char *)"1" },
		{ (char *)"one::libdir,runtime", (char *)"/usr/lib/one" },
		{ (char *)"two::threaded", (char *)"1" },
	};
	struct fact *out = fact_new();
	struct module m = { 0 };
	struct walker_site site = { .m = &m };
	const struct fact *f;
	size_t n = 0;

	(void)state;
	assert_int_equal(
		module_open(&m, fixture_open("tcl_registered.so"), "x"), 0);
	tcl_facts_config(&site, out);
	for (f = out->first; f && n < 3; f = f->next, n++) {
		assert_string_equal(f->key, wanted[n].key);
		assert_string_equal(f->text, wanted[n].value);
	}
	assert_null(f);
	assert_int_equal(n, 3);
	fact_free(out);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packages),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
