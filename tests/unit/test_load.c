/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* user/profile/load.h: a recording's samples, folded when it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/output/format.h"
#include "user/profile/load.h"
#include "user/profile/profile.h"
#include "user/recording/writer.h"

#define START	 1000000000ull
#define STEP	 10000000ull
#define PATH_LEN 64

static struct writer *w;
static u32 module, stack;

static u32 T(const char *text)
{
	return writer_text(w, text);
}

static void push(struct frame f)
{
	const struct recording_stack s = { stack,
					   writer_id(w, RECORDING_FRAME, &f) };

	stack = writer_id(w, RECORDING_STACK, &s);
}

/* A native frame, and what its file says of it; name "": it has no symbol. */
static void native(u64 address, const char *name, const char *script, u32 role,
		   u32 walker, const char *inlined)
{
	const struct frame f = { .module = module, .address = address };
	const struct recording_function fn = {
		.module = module,
		.start = address & ~0xfull,
		.name = T(name),
		.script = T(script),
		.role = role,
		.walker = walker,
	};
	const struct recording_inlined in = { T(inlined), T("in.h"), 3 };
	const struct recording_address a = {
		.frame = writer_id(w, RECORDING_FRAME, &f),
		.function = writer_id(w, RECORDING_FUNCTION, &fn),
		.file = T("x.c"),
		.line = 7,
		.inlines = *inlined != '\0',
		.inlined = &in,
	};

	push(f);
	writer_address(w, &a);
}

static void script(const char *name)
{
	push((struct frame){ .type = FRAME_IS_SCRIPT,
			     .name = T(name),
			     .file = T("a.tcl"),
			     .line = 2 });
}

static void sample(u32 i, u32 tid)
{
	const struct recording_task task = { 70, tid, T("tclsh"),
					     T("tclsh a.tcl"), T("/lab") };
	const struct recording_event event = { T("cpu-clock"), T("nanoseconds"),
					       STEP };
	const struct recording_sample s = {
		.time = START + i * STEP,
		.task = writer_id(w, RECORDING_TASK, &task),
		.event = writer_id(w, RECORDING_EVENT, &event),
		.stack = stack,
		.weight = 1,
		.value = STEP,
	};

	writer_sample(w, &s);
	stack = 0;
}

static void add_samples(u32 first)
{
	const struct recording_module m = { T("libx.so"), T("/lib/libx.so"),
					    T("c0ffee") };

	module = writer_id(w, RECORDING_MODULE, &m);
	for (u32 i = first; i < first + 10; i++) {
		native(0x100, "_start", "", RECORDING_START_UP, 0, "");
		native(0x110, "main", "", RECORDING_MAIN, 0, "");
		native(0x123, "Tcl_Eval", "", 0, 1, "");
		script("work");
		native(0x133, "TclLsort", "lsort", 0, 1, "");
		native(0x140 + i % 2, i % 2 ? "" : "sort", "", 0, 0,
		       i % 2 ? "" : "less");
		sample(i, 70 + i % 2);
	}
	push((struct frame){ .type = FRAME_IS_MARKER,
			     .flags = FRAME_CUT,
			     .name = T("why") });
	native(0x110, "main", "", RECORDING_MAIN, 0, "");
	sample(first + 10, 70);
}

static void make(char *path)
{
	const struct recording_head head = { "1", "h", "k", "", START, 5 };
	int fd;

	snprintf(path, PATH_LEN, "/tmp/test_load.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	w = writer_new(fd, &head);
	writer_put(w, RECORDING_MARK,
		   &(struct recording_note){ START + 3 * STEP, T("load"), 0 });
	writer_put(w, RECORDING_MARK,
		   &(struct recording_note){ START + 6 * STEP, T("run"), 0 });
	add_samples(0);
	writer_forget(w);
	add_samples(11);
	writer_put(w, RECORDING_SUMMARY,
		   &(struct recording_summary){ START + 9, 1, 1, 0 });
	assert_int_equal(writer_flush(w), 0);
	writer_free(w);
	close(fd);
}

static void becomes(const struct load_config *config, int times,
		    const char *expected)
{
	struct profile *p = profile_new();
	char path[PATH_LEN], text[4096];
	FILE *out = tmpfile();
	size_t len;

	make(path);
	while (times--)
		assert_int_equal(load_recording(p, path, config), 0);
	assert_int_equal(format_find("folded")->write(p, out), 0);
	rewind(out);
	len = fread(text, 1, sizeof(text) - 1, out);
	text[len] = '\0';
	assert_string_equal(text, expected);
	assert_int_equal(p->start, START);
	assert_int_equal(p->event[0].interval, *expected ? STEP : 0);
	fclose(out);
	profile_free(p);
	unlink(path);
}

static void test_views(void **state)
{
	(void)state;
	becomes(&(struct load_config){ 0 }, 1,
		"tclsh;[cut: why];main 2\n"
		"tclsh;main;work;lsort;[libx.so+0x140] 10\n"
		"tclsh;main;work;lsort;sort 10\n");
	becomes(&(struct load_config){ .view.lines = true,
				       .view.inlines = true },
		1,
		"tclsh;[cut: why];main (x.c:7) 2\n"
		"tclsh;main (x.c:7);work (a.tcl:2);lsort;"
		"[libx.so+0x140] (x.c:7) 10\n"
		"tclsh;main (x.c:7);work (a.tcl:2);lsort;sort (x.c:7);"
		"less_[i] (in.h:3) 10\n");
	becomes(&(struct load_config){ .view.internals = true,
				       .view.addresses = true },
		1,
		"tclsh;[cut: why];main 2\n"
		"tclsh;_start;main;Tcl_Eval;work;TclLsort;[libx.so+0x141] 10\n"
		"tclsh;_start;main;Tcl_Eval;work;TclLsort;sort 10\n");
}

/* Recordings are merged; times choose samples. */
static void test_choice(void **state)
{
	(void)state;
	becomes(&(struct load_config){ 0 }, 3,
		"tclsh;[cut: why];main 6\n"
		"tclsh;main;work;lsort;[libx.so+0x140] 30\n"
		"tclsh;main;work;lsort;sort 30\n");
	becomes(&(struct load_config){ .since = 2 * STEP, .until = 5 * STEP },
		1,
		"tclsh;main;work;lsort;[libx.so+0x140] 1\n"
		"tclsh;main;work;lsort;sort 2\n");
}

static void test_tasks(void **state)
{
	static const char one[] = "tclsh;main;work;lsort;[libx.so+0x140] 10\n";
	int pid = 70;
	regex_t comm;

	(void)state;
	becomes(&(struct load_config){ .thread = "71" }, 1, one);
	becomes(&(struct load_config){ .thread = "72" }, 1, "");
	becomes(&(struct load_config){ .thread = "tclsh", .until = STEP }, 1,
		"tclsh;main;work;lsort;sort 1\n");
	becomes(&(struct load_config){ .pid = &pid, .pids = 1, .thread = "71" },
		1, one);
	pid = 71;
	becomes(&(struct load_config){ .pid = &pid, .pids = 1 }, 1, "");
	becomes(&(struct load_config){ .event = "cpu-clock", .thread = "71" },
		1, one);
	becomes(&(struct load_config){ .cgroup = "lab/", .thread = "71" }, 1,
		one);
	becomes(&(struct load_config){ .cgroup = "/la" }, 1, "");
	assert_int_equal(regcomp(&comm, "^tcl", REG_EXTENDED | REG_NOSUB), 0);
	becomes(&(struct load_config){ .comm = &comm, .thread = "71" }, 1, one);
	regfree(&comm);
}

/* Marks stand before samples 3 and 6, which comes earlier in the stream. */
static void test_phase(void **state)
{
	(void)state;
	becomes(&(struct load_config){ .phase = "load" }, 1,
		"tclsh;main;work;lsort;[libx.so+0x140] 2\n"
		"tclsh;main;work;lsort;sort 1\n");
	becomes(&(struct load_config){ .phase = "none" }, 1, "");
}

/* Samples have times and stacks; a second file's are moved to the first one's clock. */
static void test_times(void **state)
{
	struct profile *p = profile_new();
	char path[PATH_LEN];

	(void)state;
	make(path);
	for (int i = 0; i < 2; i++)
		assert_int_equal(load_recording(p, path,
						&(struct load_config){
							.by = PROFILE_TIMES }),
				 0);
	assert_int_equal(p->samples, 44);
	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *s = &p->sample[i];

		assert_int_equal(s->time, START + i / 2 * STEP);
		assert_int_equal(profile_stack(p, s->stack).depth,
				 i / 2 % 11 == 10 ? 2 : 4);
	}
	profile_free(p);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_tasks), cmocka_unit_test(test_phase),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
