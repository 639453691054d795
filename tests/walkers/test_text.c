/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Text ids: the same for the same bytes, whatever lies around them, and another
 * one for other bytes; and the bytes are sent until they have arrived.
 */
#include "self.h"

#include "bpf/walk.bpf.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct walk *w;

static int open_self(void **state)
{
	(void)state;
	self_open(NULL, 0);
	w = self_walk(0);
	return 0;
}

static int close_self(void **state)
{
	(void)state;
	self_close();
	return 0;
}

/* What a text leaves behind it in the buffer must not matter to the next. */
static void soil(u32 with)
{
	memset(w->text.text, (int)with, sizeof(w->text.text));
}

static u64 id_of(const char *text)
{
	return text_at(w, (u64)text);
}

static void test_same_bytes(void **state)
{
	char text[TEXT_MAX + 8], *at;

	(void)state;
	for (u32 len = 0; len < TEXT_MAX - 1; len++) {
		u64 id = 0;

		for (u32 shift = 0; shift < 8; shift++) {
			at = text + shift;
			memset(text, 'z', sizeof(text));
			memset(at, 'a', len);
			at[len] = 0;
			soil(shift * 37);
			if (shift)
				assert_int_equal(id_of(at), id);
			id = id_of(at);
			assert_int_not_equal(id, 0);
		}
		assert_string_equal(host_record_text(id), at);
	}
}

/* From the buffer, with a length and no NUL; and in words, up to a NUL. */
static void test_other_ways_in(void **state)
{
	char text[64];

	(void)state;
	for (u32 len = 0; len < sizeof(text); len++) {
		u64 id;

		memset(text, 0, sizeof(text));
		memset(text, 'b', len);
		if (len < sizeof(text) - 1)
			id = id_of(text);
		soil('x');
		memcpy(w->text.text, text, len);
		w->text_bytes = len;
		if (len == sizeof(text) - 1)
			id = text_intern(w);
		else
			assert_int_equal(text_intern(w), id);
		soil('y');
		memcpy(w->text.text, text, len + 1);
		assert_int_equal(text_words(w, len / 8 + 1), id);
		assert_int_equal(w->text_bytes, len);
		/* No NUL within the words: no answer. */
		assert_int_equal(text_words(w, len / 8), 0);
	}
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

#define NAMES 100000

/* Names that differ in a number, in case, in length, and in a last byte. */
static void test_different_bytes(void **state)
{
	u64 *id = calloc(NAMES, sizeof(*id));
	char name[64];

	(void)state;
	for (u32 i = 0; i < NAMES; i++) {
		switch (i & 3) {
		case 0:
			snprintf(name, sizeof(name), "name%u", i);
			break;
		case 1:
			snprintf(name, sizeof(name), "::ns%u::proc", i);
			break;
		case 2:
			snprintf(name, sizeof(name), "%0*u", 7 + (int)(i % 50),
				 i);
			break;
		default:
			snprintf(name, sizeof(name), "a.rather.long.name%05x%c",
				 i >> 5, 'a' + (int)(i >> 2 & 7));
		}
		id[i] = id_of(name);
		assert_string_equal(host_record_text(id[i]), name);
	}
	qsort(id, NAMES, sizeof(*id), compare);
	assert_int_not_equal(id[0], 0);
	for (u32 i = 1; i < NAMES; i++)
		assert_true(id[i] != id[i - 1]);
	free(id);
}

/* What is longer than 255 bytes ends in dots. */
static void test_long(void **state)
{
	static const u32 lengths[] = { 256, 257, 4096, 10000 };
	char *text = malloc(10001), want[TEXT_MAX];
	u64 id, cut = 0;

	(void)state;
	memset(text, 'n', 10001);
	for (u32 len = 253; len < TEXT_MAX; len++) {
		memset(text, 'n', 10001);
		text[len] = 0;
		id = id_of(text);
		assert_int_equal(w->text_bytes, len);
		assert_string_equal(host_record_text(id), text);
	}
	memset(want, 'n', 252);
	memcpy(want + 252, "...", 4);
	for (u32 i = 0; i < 4; i++) {
		memset(text, 'n', 10001);
		text[lengths[i]] = 0;
		soil(0);
		id = id_of(text);
		assert_int_equal(w->text_bytes, 255);
		assert_string_equal(host_record_text(id), want);
		assert_true(!i || id == cut);
		cut = id;
	}
	free(text);
}

static void test_end_of_memory(void **state)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(munmap(page + 4096, 4096), 0);
	memset(page, 'e', 4096);
	/* Without an end before the end of memory there is no text. */
	assert_int_equal(id_of(page + 4095), 0);
	assert_int_equal(id_of(page + 4096), 0);
	page[4095] = 0;
	assert_string_equal(host_record_text(id_of(page + 4093)), "ee");
	assert_string_equal(host_record_text(id_of(page + 4095)), "");
	assert_int_equal(munmap(page, 4096), 0);
	assert_int_equal(id_of(NULL), 0);
	assert_int_equal(id_of((const char *)~0ul), 0);
}

static void test_sent_once(void **state)
{
	(void)state;
	self_forget();
	host_records_forget();
	for (int i = 0; i < 10; i++)
		id_of("once");
	assert_int_equal(host_record_texts(), 1);
	id_of("twice");
	assert_int_equal(host_record_texts(), 2);
}

static void test_sent_again(void **state)
{
	u64 id;

	(void)state;
	host_records_forget();
	host_ring_full = true;
	w->text_unsent = 0;
	id = id_of("not yet seen");
	host_ring_full = false;
	assert_int_equal(w->text_unsent, 1);
	assert_null(host_record_text(id));
	w->text_unsent = 0;
	assert_int_equal(id_of("not yet seen"), id);
	assert_int_equal(w->text_unsent, 0);
	assert_string_equal(host_record_text(id), "not yet seen");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_other_ways_in),
		cmocka_unit_test(test_different_bytes),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_end_of_memory),
		cmocka_unit_test(test_sent_once),
		cmocka_unit_test(test_sent_again),
	};

	return cmocka_run_group_tests(tests, open_self, close_self);
}
