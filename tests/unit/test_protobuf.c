/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* user/lib/protobuf.h: exact bytes, and what was written is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "user/lib/protobuf.h"

/* The examples of the encoding's own description. */
static void test_bytes(void **state)
{
	struct buf out = { 0 };
	size_t at;

	(void)state;
	protobuf_number(&out, 1, 150);
	protobuf_text(&out, 2, "testing");
	at = protobuf_open(&out, 3);
	protobuf_number(&out, 1, 150);
	protobuf_close(&out, at);
	protobuf_number(&out, 4, 0);
	protobuf_text(&out, 5, "");
	protobuf_signed(&out, 6, -2);
	assert_int_equal(out.len, 3 + 9 + 5 + 2);
	assert_memory_equal(out.data,
			    "\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01"
			    "\x30\x03",
			    out.len);
	buf_release(&out);
}

/* Messages whose length takes one, two and three bytes. */
static void test_messages(void **state)
{
	static const size_t lens[] = { 0, 1, 125, 126, 127, 128, 20000 };

	(void)state;
	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		char *bytes = calloc(1, lens[i] + 1);
		struct protobuf outer, inner;
		struct buf out = { 0 };
		size_t at = protobuf_open(&out, 9);

		print_message("# %zu\n", lens[i]);
		memset(bytes, 'x', lens[i]);
		protobuf_bytes(&out, 1, bytes, lens[i]);
		protobuf_close(&out, at);
		protobuf_number(&out, 2, 7);
		outer = protobuf_read(out.data, out.len);
		assert_true(protobuf_next(&outer));
		assert_int_equal(outer.field, 9);
		inner = protobuf_inner(&outer);
		assert_true(protobuf_next(&inner));
		assert_int_equal(inner.number, lens[i]);
		assert_memory_equal(inner.bytes, bytes, lens[i]);
		assert_false(protobuf_next(&inner));
		assert_false(inner.broken);
		assert_true(protobuf_next(&outer));
		assert_null(outer.bytes);
		assert_int_equal(outer.number, 7);
		assert_false(protobuf_next(&outer));
		buf_release(&out);
		free(bytes);
	}
}

static void test_numbers(void **state)
{
	static const s64 row[] = { 1, -1, 127, 128, INT64_MAX, INT64_MIN };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct buf out = { 0 };
		struct protobuf p;

		protobuf_signed(&out, 1, row[i]);
		protobuf_number(&out, 2, row[i]);
		p = protobuf_read(out.data, out.len);
		assert_true(protobuf_next(&p));
		assert_true(protobuf_unsign(p.number) == row[i]);
		assert_true(protobuf_next(&p));
		assert_true(p.number == (u64)row[i]);
		buf_release(&out);
	}
}

static void test_put(void **state)
{
	struct buf out = { 0 }, inner = { 0 };

	(void)state;
	protobuf_put(&inner, 1, { 2, .n = 150 }, { 3, .n = 0 });
	protobuf_put(&out, 4, { 1, .n = 1 }, { 2, .text = "work" },
		     { 3, .text = "" }, { 5, .message = &inner });
	assert_int_equal(out.len, 17);
	assert_memory_equal(out.data,
			    "\x22\x0f\x08\x01\x12\x04work\x2a\x05"
			    "\x0a\x03\x10\x96\x01",
			    17);
	buf_release(&out);
	buf_release(&inner);
}

static void test_broken(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} row[] = {
		{ "\x08", 1 },	    /* no number */
		{ "\x08\x96", 2 },  /* half a number */
		{ "\x12\x02x", 3 }, /* too few bytes */
		{ "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11 },
		{ "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 },
		{ "\x0b", 1 },		   /* a wire type that is none */
		{ "\x09\x01\x02\x03", 4 }, /* half a fixed number */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct protobuf p = protobuf_read(row[i].bytes, row[i].len);

		print_message("# %zu\n", i);
		assert_false(protobuf_next(&p));
		assert_true(p.broken);
		assert_false(protobuf_next(&p));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),	cmocka_unit_test(test_messages),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_put),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
