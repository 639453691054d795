/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The proof on live interpreters: of a version that is known, of one that is not, and
 * of one that is laid out in another way.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/target/proc.h"
#include "walkers/tcl/prove/tcl_attach.h"
#include "walkers/tcl/derive/tcl_found.h"
#include "walkers/walker.h"

struct live {
	pid_t pid;
	int in, out; /* its standard input and output */
	struct module module;
	struct maps maps;
	void *data;
	u64 bias;
};

static void start_tclsh(struct live *live)
{
	int in[2], out[2];

	*live = (struct live){ 0 };
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	live->pid = fork();
	assert_true(live->pid >= 0);
	if (!live->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execlp("tclsh8.6", "tclsh8.6", NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	live->in = in[1];
	live->out = out[0];
}

/* Have it run a script that prints one line. */
static bool run(struct live *live, const char *script)
{
	char c;

	if (write(live->in, script, strlen(script)) < 0)
		return false;
	while (read(live->out, &c, 1) == 1)
		if (c == '\n')
			return true;
	return false;
}

static bool find_tcl(struct live *live)
{
	const struct walker *tcl = walkers[WALKER_TCL];
	struct buf why = { 0 };
	bool found = false;
	u64 vaddr;

	assert_true(proc_maps("/proc", live->pid, &live->maps) >= 0);
	for (size_t i = 0; i < live->maps.n && !found; i++) {
		const struct map *at = &live->maps.map[i];

		if (!at->executable || !at->ino ||
		    module_open(&live->module,
				proc_open_map("/proc", live->pid, at),
				at->path))
			continue;
		found = tcl->file.probe(&live->module, &live->data, &why) == 1;
		if (found &&
		    !module_offset_to_vaddr(&live->module, at->offset, &vaddr))
			live->bias = at->start - vaddr;
		if (!found)
			module_close(&live->module);
	}
	buf_release(&why);
	return found;
}

static int attach_live(struct live *live)
{
	struct buf why = { 0 };
	int got = walkers[WALKER_TCL]->process.attach(live->pid, &live->module,
						      live->bias, &live->maps,
						      live->data, NULL, &why);

	assert_string_equal(buf_text(&why), "");
	buf_release(&why);
	return got;
}

/* As what the live process has in it is to be known. */
static struct tcl_found found_as(const struct live *live, u32 version,
				 const char *unknown)
{
	struct tcl_found t = *(const struct tcl_found *)live->data;

	t.row = tcl_layouts_find(version);
	t.unknown = unknown;
	return t;
}

static void interps_of(struct live *live, struct tcl_interps *all)
{
	struct buf why = { 0 };
	const struct tcl_found found = found_as(live, 0x080613, NULL);
	const struct tcl_attach a = { .found = &found,
				      .pid = live->pid,
				      .bias = live->bias };

	assert_int_equal(tcl_attach(&a, &live->maps, all, &why), 1);
	assert_true(all->n);
	buf_release(&why);
}

static void stop(struct live *live)
{
	kill(live->pid, SIGKILL);
	waitpid(live->pid, NULL, 0);
	close(live->in);
	close(live->out);
	if (live->data) {
		walkers[WALKER_TCL]->file.forget(live->data);
		module_close(&live->module);
	}
	maps_release(&live->maps);
}

static void test_live(void **state)
{
	struct live live;

	(void)state;
	start_tclsh(&live);
	if (!run(&live, "puts ready; flush stdout\n")) {
		stop(&live);
		print_message("tclsh8.6 does not run\n");
		skip();
	}
	assert_true(find_tcl(&live));
	assert_int_equal(attach_live(&live), 1);
	assert_true(run(&live, "interp create a; interp create b;"
			       "puts ready; flush stdout\n"));
	for (int i = 0; i < 20; i++)
		assert_int_equal(attach_live(&live), 1);
	stop(&live);
}

/* A version that nobody has looked at, which is laid out as this one. */
static void test_unknown(void **state)
{
	struct live live;
	struct buf why = { 0 };
	struct tcl_found found;
	struct tcl_attach a = { .found = &found };

	(void)state;
	start_tclsh(&live);
	if (!run(&live, "puts ready; flush stdout\n")) {
		stop(&live);
		print_message("tclsh8.6 does not run\n");
		skip();
	}
	assert_true(find_tcl(&live));
	a.pid = live.pid;
	a.bias = live.bias;
	found = found_as(&live, 0x080699, "8.6.99");
	assert_int_equal(tcl_attach(&a, &live.maps, NULL, &why), 1);
	/* No interpreter: not there yet.  Not looked for: not known. */
	assert_int_equal(tcl_attach(&a, &(struct maps){ 0 }, NULL, &why),
			 -EAGAIN);
	a.budget = 1;
	assert_int_equal(tcl_attach(&a, &live.maps, NULL, &why), -ENOTSUP);
	buf_release(&why);
	stop(&live);
}

/* The same, of a program that has made of itself what it wants. */
static void test_changed(void **state)
{
	static const struct {
		const char *script;
		int got;
	} cases[] = {
		{ "rename proc Proc", 1 },
		{ "rename proc Proc; rename set Set", -ENODATA },
		{ "foreach p [info procs] {rename $p {}}", -ENODATA },
		{ "foreach p [info procs] {rename $p {}}\n"
		  "proc again {} {}",
		  1 },
		{ "rename puts p; rename flush f; rename vwait v\n"
		  "foreach c [info commands] {\n"
		  "if {$c ni {p f v rename foreach if}} {rename $c {}}}\n"
		  "rename p puts; rename f flush; rename v vwait",
		  -ENODATA },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tcl_found found;
		struct tcl_attach a = { .found = &found };
		struct buf why = { 0 };
		struct live live;
		char script[512];

		start_tclsh(&live);
		snprintf(script, sizeof(script),
			 "%s\nputs ready; flush stdout; vwait x\n",
			 cases[i].script);
		if (!run(&live, script)) {
			stop(&live);
			print_message("tclsh8.6 does not run\n");
			skip();
		}
		assert_true(find_tcl(&live));
		a.pid = live.pid;
		a.bias = live.bias;
		found = found_as(&live, 0x080699, "8.6.99");
		assert_int_equal(tcl_attach(&a, &live.maps, NULL, &why),
				 cases[i].got);
		assert_int_equal(why.len != 0, cases[i].got < 0);
		buf_release(&why);
		stop(&live);
	}
}

/* And one in which some field is elsewhere, though not where there is another of
 * its kind (framePtr beside varFramePtr). */
static void test_unlike(void **state)
{
	static const struct {
		size_t field;
		s16 by;
		const char *unlike;
	} cases[] = {
#define FIELD(name, by, unlike) \
	{ offsetof(struct tcl_layout_row, name), by, unlike }
		FIELD(layout.ns_full_name, 8, "the global namespace"),
		FIELD(layout.interp_frame, -8, "the call frames"),
		FIELD(layout.frame_ns, 8, "the call frames"),
		FIELD(layout.frame_caller, -8, "the call frames"),
		FIELD(ns_interp, 8, "the call frames"),
		FIELD(ns_commands, 8, "the commands"),
		FIELD(layout.entry_table, 8, "the commands"),
		FIELD(layout.entry_value, 8, "the commands"),
		FIELD(layout.entry_key, 8, "the commands"),
		FIELD(layout.command_entry, 8, "the commands"),
		FIELD(layout.command_ns, 8, "the commands"),
		FIELD(layout.local_name, 8, "the commands"),
		FIELD(layout.local_name_length, 8, "the commands"),
		FIELD(layout.local_next, 8, "the commands"),
		FIELD(layout.proc_first_local, 8, "the commands"),
		/* So there are no procs. */
		FIELD(layout.command_client_data, 8, NULL),
		FIELD(layout.proc_cmd, 8, NULL),
#undef FIELD
	};
	struct live live;
	struct tcl_interps all;
	struct tcl_layout_row other;
	const char *unlike;
	u64 interp;
	int got;

	(void)state;
	start_tclsh(&live);
	if (!run(&live, "proc inner {} {puts ready; flush stdout; vwait x}\n"
			"proc outer {} {uplevel #0 {namespace eval a inner}}\n"
			"outer\n")) {
		stop(&live);
		print_message("tclsh8.6 does not run\n");
		skip();
	}
	assert_true(find_tcl(&live));
	interps_of(&live, &all);
	interp = all.interp[0].address;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s16 *field = (s16 *)((char *)&other + cases[i].field);

		other = *tcl_layouts_find(0x080613);
		assert_int_equal(tcl_proof(live.pid, &other, interp, &unlike),
				 1);
		assert_null(unlike);
		*field += cases[i].by;
		got = tcl_proof(live.pid, &other, interp, &unlike);
		print_message("# %zu: %s\n", i, unlike ? unlike : "none");
		assert_int_equal(got, cases[i].unlike ? -ENOTSUP : 0);
		assert_int_equal(unlike != NULL, cases[i].unlike != NULL);
		if (unlike)
			assert_string_equal(unlike, cases[i].unlike);
	}
	free(all.interp);
	stop(&live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_unlike),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
