/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Facts in both forms, and texts that try to break out of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/json.h"
#include "user/output/facts.h"

/* One of each kind. */
static struct fact *make(void)
{
	struct fact *root = fact_new(), *list, *one, *deep;

	fact_add_number(root, "process", 812);
	fact_add_text(root, "name", "%s", "a\tb");
	list = fact_add_list(root, "files");
	fact_add_text(list, NULL, "%s", "x");
	fact_add_text(list, NULL, "%s", "y");
	fact_add_list(root, "none");
	fact_add_group(root, "nothing");
	one = fact_add_group(fact_add_list(root, "languages"), NULL);
	fact_add_text(one, "language", "Tcl");
	deep = fact_add_group(one, "layout");
	fact_add_truth(deep, "proven", true);
	deep = fact_add_group(fact_add_list(one, "interpreters"), NULL);
	fact_add_text(deep, "address", "0x%x", 16);
	fact_add_number(deep, "thread", 7);
	return root;
}

static void test_text(void **state)
{
	struct fact *root = make();
	struct buf out = { 0 };

	(void)state;
	facts_text(&out, root);
	assert_string_equal(buf_text(&out), "process    812\n"
					    "name       a\\x09b\n"
					    "files      x\n"
					    "           y\n"
					    "\n"
					    "Tcl\n"
					    "  layout\n"
					    "    proven  yes\n"
					    "  interpreters  0x10, thread 7\n");
	buf_release(&out);
	fact_free(root);
}

static void test_json(void **state)
{
	struct fact *root = make();
	struct buf out = { 0 };

	(void)state;
	facts_json(&out, root);
	assert_string_equal(buf_text(&out), "{\n"
					    "  \"process\": 812,\n"
					    "  \"name\": \"a\\tb\",\n"
					    "  \"files\": [\n"
					    "    \"x\",\n"
					    "    \"y\"\n"
					    "  ],\n"
					    "  \"none\": [],\n"
					    "  \"nothing\": {},\n"
					    "  \"languages\": [\n"
					    "    {\n"
					    "      \"language\": \"Tcl\",\n"
					    "      \"layout\": {\n"
					    "        \"proven\": true\n"
					    "      },\n"
					    "      \"interpreters\": [\n"
					    "        {\n"
					    "          \"address\": \"0x10\",\n"
					    "          \"thread\": 7\n"
					    "        }\n"
					    "      ]\n"
					    "    }\n"
					    "  ]\n"
					    "}\n");
	buf_release(&out);
	fact_free(root);
}

static void test_hostile(void **state)
{
	static const struct {
		const char *text, *json, *plain;
	} cases[] = {
		{ "", "\"\"", "" },
		{ "a\"b\\c/", "\"a\\\"b\\\\c/\"", "a\"b\\x5cc/" },
		{ "\n\t\r\x01\x1b[2J\x7f",
		  "\"\\n\\t\\u000d\\u0001\\u001b[2J\\u007f\"",
		  "\\x0a\\x09\\x0d\\x01\\x1b[2J\\x7f" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
		  "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
		  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xe2\x80\xae\xf3\xa0\x80\xa1", "\"\\u202e\\udb40\\udc21\"",
		  "\\xe2\\x80\\xae\\xf3\\xa0\\x80\\xa1" },
		/* C1; alone, cut short, overlong, surrogate, too large. */
		{ "\xc2\x85", "\"\\u0085\"", "\\xc2\\x85" },
		{ "\x80x", "\"\\ufffdx\"", "\\x80x" },
		{ "\xe2\x82", "\"\\ufffd\\ufffd\"", "\\xe2\\x82" },
		{ "\xc0\x80", "\"\\ufffd\\ufffd\"", "\\xc0\\x80" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"",
		  "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"",
		  "\\xf4\\x90\\x80\\x80" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("# %s\n", cases[i].json);
		buf_reset(&out);
		json_text(&out, cases[i].text);
		assert_string_equal(buf_text(&out), cases[i].json);
		buf_reset(&out);
		facts_plain(&out, cases[i].text);
		assert_string_equal(buf_text(&out), cases[i].plain);
	}
	buf_release(&out);
}

static void test_find(void **state)
{
	struct fact *root = make();

	(void)state;
	assert_int_equal(fact_find(root, "process")->number, 812);
	assert_null(fact_find(root, "proces"));
	assert_null(fact_find(fact_find(root, "files"), "x"));
	fact_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
