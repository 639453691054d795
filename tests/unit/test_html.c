/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The page of a flame graph, unpacked: what its columns and its head hold. */
#include "user/flame/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "tests/unit/report_profile.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/output/format.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789+/";

static char *read_all(FILE *f)
{
	struct buf text = { 0 };
	char part[4096];
	size_t n;

	rewind(f);
	while ((n = fread(part, 1, sizeof(part), f)))
		buf_add(&text, part, n);
	fclose(f);
	return text.data;
}

/* What a page has packed: columns, then the head, which a NUL ends. */
struct unpacked {
	u8 *bytes;
	u32 columns; /* bytes of them */
	const char *head;
};

static struct unpacked unpack(const char *page)
{
	static const char begin[] = "id=\"data\">";
	const char *at = strstr(page, begin) + strlen(begin),
		   *end = strchr(at, '<');
	struct buf packed = { 0 };
	struct unpacked u = { .bytes = xcalloc(1, 1 << 20) };
	z_stream z = { .next_out = u.bytes, .avail_out = 1 << 20 };

	for (; at < end; at += 4) {
		u32 bits = 0, n = at[2] == '=' ? 1 : at[3] == '=' ? 2 : 3;

		for (int i = 0; i < 4; i++)
			bits = bits << 6 |
			       (at[i] == '=' ? 0
					     : strchr(digits, at[i]) - digits);
		for (u32 i = 0; i < n; i++)
			buf_addc(&packed, bits >> (16 - 8 * i));
	}
	z.next_in = (u8 *)packed.data;
	z.avail_in = packed.len;
	assert_int_equal(inflateInit(&z), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	for (int i = 4; i > 0; i--)
		u.columns = u.columns << 8 | u.bytes[z.total_out - 5 + i];
	u.bytes[z.total_out - 4] = '\0';
	u.head = (char *)u.bytes + u.columns;
	assert_string_equal(u.head + strlen(u.head) - 3, "}]}");
	inflateEnd(&z);
	buf_release(&packed);
	return u;
}

static struct unpacked written(struct profile *a, struct profile *b)
{
	FILE *out = tmpfile();
	struct unpacked u;
	char *page;

	assert_int_equal(b ? html_diff(a, b, out) : html_write(a, out), 0);
	page = read_all(out);
	assert_non_null(strstr(page,
			       "content=\"default-src 'none'; script-src "
			       "'unsafe-inline'; style-src 'unsafe-inline'\""));
	assert_ptr_equal(strstr(page, "<!doctype html>"), page);
	assert_string_equal(page + strlen(page) - 10, "</script>\n");
	u = unpack(page);
	free(page);
	return u;
}

static void assert_columns(const struct unpacked *u, const u8 *wanted, u32 len)
{
	assert_int_equal(u->columns, len);
	assert_memory_equal(u->bytes, wanted, len);
}

static void assert_has(const struct unpacked *u, const char *text)
{
	print_message("# %s in %s\n", text, u->head);
	assert_non_null(strstr(u->head, text));
}

static void test_columns(void **state)
{
	/* Names: T:a, T:b, k:c, the nobody, sh.  Nodes: root, sh, a, a, b, c. */
	static const u8 wanted[] = {
		0, 0, 0, 1, 0,	       /* parents */
		4, 0, 0, 1, 2,	       /* names */
		0, 0, 5, 2, 0xac, 2, 7 /* numbers; 300 takes two bytes */
	};
	struct profile *p = report_profile();
	struct unpacked u;

	(void)state;
	report_stack(p, "sh", "T:a;T:a", 2);
	report_stack(p, "sh", "T:a;T:b;k:c", 7);
	report_stack(p, "sh", "T:a", 5);
	report_stack(p, "sh", "T:a;T:b", 300);
	u = written(p, NULL);
	assert_columns(&u, wanted, sizeof(wanted));
	assert_has(
		&u,
		"\"names\":[[\"a\",\"T\",\"\",\"\",\"\",0],[\"b\",\"T\",\"\",\"\",\"\",0],"
		"[\"c_[k]\",\"k\",\"\",\"\",\"\",0],[\"[empty name]\",\" \",\"\",\"\",0,0],"
		"[\"sh\",\" \",\"\",\"\",0,0]]");
	assert_has(&u,
		   "\"events\":[{\"interval\":10000000,\"name\":\"cpu-clock\","
		   "\"unit\":\"nanoseconds\",\"samples\":[314,0],\"nodes\":6,"
		   "\"times\":0,\"at\":0}]}");
	assert_has(&u, "{\"sides\":1,\"parts\":200,\"start\":0,\"duration\":0,"
		       "\"host\":\"lab1\"");
	free(u.bytes);
	profile_free(p);
}

static void add_b(struct profile *b, u32 event)
{
	char name[] = "T:b";
	u32 id = report_frame(b, name);
	struct profile_key key = { profile_add_command(b, "sh"), event };

	profile_add(b, &key, &id, 1, &(struct profile_sum){ 8, 5 });
}

static void test_diff(void **state)
{
	static const u8 wanted[] = {
		0, 0, 0, 2,    /* parents: root, sh, a, c, b */
		3, 0, 1, 4,    /* names */
		0, 0, 1, 3, 0, /* A's numbers */
		0, 0, 0, 0, 8, /* B's */
		0, 0, 3, 4,    /* the other event: root, sh, b */
		0, 0, 0, 0, 0, 5,
	};
	struct profile *a = report_profile(), *b = profile_new();
	struct unpacked u;

	(void)state;
	/* B has the event, too, but at another place. */
	profile_add_event(b, "faults", "faults", 0);
	profile_add_event(b, "cpu-clock", "nanoseconds", 10000000);
	report_stack(a, "sh", "T:a", 1);
	report_stack(a, "sh", "T:a;T:c", 3);
	for (u32 event = 0; event < 2; event++)
		add_b(b, event);
	u = written(a, b);
	assert_columns(&u, wanted, sizeof(wanted));
	assert_has(&u, "{\"sides\":2,");
	assert_has(
		&u,
		"\"name\":\"cpu-clock\",\"unit\":\"nanoseconds\",\"samples\":[4,8],\"nodes\":5");
	assert_has(
		&u,
		"\"name\":\"faults\",\"unit\":\"faults\",\"samples\":[0,8],\"nodes\":3");
	/* "sh" and "[empty name]" are the same in both. */
	assert_null(strstr(strstr(u.head, "[\"sh\"") + 1, "[\"sh\""));
	free(u.bytes);
	profile_free(a);
	profile_free(b);
}

/* A sample a line: ms, stack, weight. */
static void add_sample(struct profile *p, u64 ms, u32 stack, u64 weight)
{
	profile_add_sample(
		p, &(struct profile_sample){ .time = 1000000 * (1000 + ms),
					     .stack = stack,
					     .weight = weight });
}

static void test_times(void **state)
{
	static const u8 wanted[] = {
		0,   0, 1,    /* parents: root, sh, a, b */
		3,   0, 1,    /* names */
		0,   0, 2, 1, /* numbers */
		0,   2, 1,    /* samples: 200ths of the time since the last, */
		100, 3, 1, 99, 2, 1, /* node, number */
	};
	struct profile *p = report_profile();
	struct unpacked u;

	(void)state;
	report_stack(p, "sh", "T:a", 2);
	report_stack(p, "sh", "T:b", 1);
	add_sample(p, 0, 0, 1);
	add_sample(p, 500, 1, 1);
	add_sample(p, 1000, 0, 1);
	p->start = 1000000000;
	p->end = 2000000000;
	profile_add_note(
		&p->marks,
		&(struct profile_note){
			1250000000, intern_text(p->texts, "</script>\n"), 1 });
	u = written(p, NULL);
	assert_columns(&u, wanted, sizeof(wanted));
	assert_has(&u, "\"duration\":1000000000,");
	assert_has(&u, "\"marks\":[[250000000,1,\"</script>\\n\"]]");
	assert_has(&u, "\"times\":3,");
	free(u.bytes);
	profile_free(p);
}

/* Whatever a name is, the page has two scripts, and its data is one line of base64. */
static void test_hostile(void **state)
{
	static const char *const name[] = { "</script>", "<!--", "\"\\'",
					    "\xff\xfe", "a\nb" };
	struct profile *p = report_profile();
	struct unpacked u;

	(void)state;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		struct frame f = {
			.type = FRAME_IS_SCRIPT,
			.name = intern_text(p->texts, name[i]),
			.file = intern_text(p->texts, name[i]),
			.space = intern_text(p->texts, name[i]),
			.line = ~0u,
		};
		u32 id = profile_add_frame(p, &f);

		profile_add(p, &(struct profile_key){ 0 }, &id, 1,
			    &(struct profile_sum){ 1, 1 });
	}
	p->options = intern_text(p->texts, "</script>\x01");
	u = written(p, NULL);
	assert_has(&u, "\"options\":\"</script>\\u0001\"");
	assert_has(
		&u,
		"[\"\\\\xff\\\\xfe::\\\\xff\\\\xfe\",\"T\",\"\\\\xff\\\\xfe\",\"\",\"\\\\xff\\\\xfe\",4294967295]");
	assert_has(&u, "[\"a\\\\x0ab::a\\\\x0ab\",");
	free(u.bytes);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = profile_new();
	struct unpacked u = written(p, NULL);
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_columns(&u, (const u8[]){ 0 }, 1);
	assert_has(
		&u,
		"\"events\":[{\"interval\":0,\"name\":\"\",\"unit\":\"\",\"samples\":[0,0],"
		"\"nodes\":1,\"times\":0,\"at\":0}]}");
	free(u.bytes);
	u = written(p, p);
	assert_columns(&u, (const u8[]){ 0, 0 }, 2);
	free(u.bytes);
	setvbuf(full, NULL, _IONBF, 0);
	assert_true(html_write(p, full) < 0);
	fclose(full);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns), cmocka_unit_test(test_diff),
		cmocka_unit_test(test_times),	cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
