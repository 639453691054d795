/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Demangling: the forms that compilers make, and names made to hurt. */
#include "user/debuginfo/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "user/lib/buf.h"

static const struct {
	const char *symbol, *expected; /* expected NULL: not mangled */
} names[] = {
	{ "_ZN3foo3barEi", "foo::bar" },
	{ "_ZNK3foo3barEv", "foo::bar" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back" },
	{ "_Z3fooIiEvT_", "foo<int>" },
	{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo" },
	{ "_ZN3fooC1Ev", "foo::foo" },
	{ "_ZN3fooD2Ev", "foo::~foo" },
	{ "_ZL3barv", "bar" },
	{ "_ZN3fooplERKS_", "foo::operator+" },
	{ "_ZZN3foo3barEvENKUlvE_clEv",
	  "foo::bar()::{lambda()#1}::operator()" },
	{ "_ZN3foo3barEv.cold", "foo::bar" },
	{ "_ZThn16_N3foo3barEv", "non-virtual thunk to foo::bar()" },
	{ "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE",
	  "core::fmt::Formatter::write_str" },
	{ "_RNvC6_123foo3bar", "123foo::bar" },
	{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
	{ "main", NULL },
	{ "", NULL },
	{ "_", NULL },
	{ "_Z", NULL },
	{ "_ZN", NULL },
	{ "_start", NULL },
	{ "_R", NULL },
	{ "_Z999999999999999999999a", NULL },
};

static void test_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct buf out = { 0 };
		bool ok;

		buf_adds(&out, "x:");
		ok = demangle_symbol(names[i].symbol, &out);
		assert_int_equal(ok, names[i].expected != NULL);
		assert_memory_equal(buf_text(&out), "x:", 2);
		assert_string_equal(buf_text(&out) + 2,
				    ok ? names[i].expected : "");
		buf_release(&out);
	}
}

/* f<A, void (A, A), void ([1], [1]), ...>: each doubles the one before. */
static bool doubling(int times, struct buf *out)
{
	static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct buf symbol = { 0 };
	bool ok;

	buf_adds(&symbol, "_Z1fI1AFvS0_S0_E");
	for (int i = 1; i < times; i++)
		buf_addf(&symbol, "FvS%c_S%c_E", digit[i], digit[i]);
	buf_adds(&symbol, "Evv");
	ok = demangle_symbol(buf_text(&symbol), out);
	buf_release(&symbol);
	return ok;
}

static void test_explosion(void **state)
{
	struct buf out = { 0 };

	(void)state;
	assert_true(doubling(2, &out));
	assert_string_equal(buf_text(&out),
			    "f<A, void (A, A), void (void (A, A), "
			    "void (A, A))>");
	buf_reset(&out);
	assert_false(doubling(30, &out));
	assert_string_equal(buf_text(&out), "");
	buf_release(&out);
}

static void test_length(void **state)
{
	struct buf symbol = { 0 }, out = { 0 };

	(void)state;
	buf_adds(&symbol, "_Z5000");
	for (int i = 0; i < 5000; i++)
		buf_addc(&symbol, 'a');
	buf_addc(&symbol, 'v');
	assert_false(demangle_symbol(buf_text(&symbol), &out));
	/* Deep, not long: the recursion limit holds. */
	buf_reset(&symbol);
	buf_adds(&symbol, "_Z1f");
	for (int i = 0; i < 4000; i++)
		buf_addc(&symbol, 'P');
	buf_addc(&symbol, 'v');
	demangle_symbol(buf_text(&symbol), &out);
	assert_true(out.len <= DEMANGLE_MAX);
	buf_release(&symbol);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_explosion),
		cmocka_unit_test(test_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
