/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The proof on a process: interpreters made by hand in this one, and live ones.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/lib/buf.h"
#include "user/target/maps.h"
#include "user/target/module.h"
#include "user/target/process.h"
#include "walkers/tcl/tcl_attach.h"
#include "walkers/tcl/tcl_layouts.h"
#include "walkers/tcl/tcl_proof.h"
#include "walkers/walker.h"

#define STUBS	 0x7f0000001230ull
#define MAP_SIZE (3u << 20)

/* --- by hand --- */

static u8 *memory;
static struct map map;
static struct maps maps = { &map, 1, 1 };
static const struct tcl_layout_row *row;

/* Things that an Interp at offset 0x1000 of the memory points to. */
enum { INTERP = 0x1000, HANDLE = 0x2000, ENV = 0x3000, NS = 0x4000 };

static void put(u64 at, u64 value)
{
	memcpy(memory + at, &value, sizeof(value));
}

static u64 address(u64 at)
{
	return (u64)(uintptr_t)memory + at;
}

/* An interpreter that satisfies everything, its parts at base on. */
static void make_interp(u64 base)
{
	const struct tcl_layout *l = &row->layout;
	u64 interp = base + INTERP;

	put(interp + l->interp_stub_table, STUBS);
	put(interp + row->interp_handle, address(base + HANDLE));
	put(interp + l->interp_exec_env, address(base + ENV));
	put(interp + l->interp_global_ns, address(base + NS));
	put(base + HANDLE, address(interp));
	put(base + ENV + l->exec_env_interp, address(interp));
	put(base + NS + row->ns_interp, address(interp));
}

static int setup(void **state)
{
	(void)state;
	row = tcl_layouts_find(0x080613);
	memory = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	map = (struct map){ .start = address(0),
			    .end = address(MAP_SIZE),
			    .readable = true,
			    .writable = true,
			    .path = (char *)"" };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return munmap(memory, MAP_SIZE);
}

static int attach_self(u64 budget)
{
	const struct tcl_attach a = {
		.pid = getpid(),
		.stubs = STUBS,
		.row = row,
		.budget = budget,
	};
	struct buf why = { 0 };
	int got = tcl_attach(&a, &maps, &why);

	assert_int_equal(why.len != 0, got < 0);
	buf_release(&why);
	return got;
}

static void test_proven(void **state)
{
	(void)state;
	make_interp(0);
	assert_int_equal(attach_self(0), 1);
	map.path = (char *)"[heap]";
	assert_int_equal(attach_self(0), 1);
}

static void test_far_away(void **state)
{
	(void)state;
	make_interp(MAP_SIZE - 0x8000);
	assert_int_equal(attach_self(0), 1);
}

static void test_all(void **state)
{
	const struct tcl_attach a = {
		.pid = getpid(),
		.stubs = STUBS,
		.row = row,
	};
	const struct tcl_attach short_ = {
		.pid = getpid(),
		.stubs = STUBS,
		.row = row,
		.budget = 2u << 20,
	};
	struct buf why = { 0 };
	struct tcl_interps all;

	(void)state;
	make_interp(0);
	make_interp(0x10000);
	make_interp(MAP_SIZE - 0x8000);
	put(0x10000 + INTERP + row->interp_thread, 0x7f1234);
	put(8, STUBS);
	assert_int_equal(tcl_attach_all(&a, &maps, &all, &why), 1);
	assert_int_equal(all.n, 3);
	assert_int_equal(all.interp[0].address, address(INTERP));
	assert_int_equal(all.interp[1].address, address(0x10000 + INTERP));
	assert_int_equal(all.interp[1].thread, 0x7f1234);
	assert_int_equal(all.interp[2].thread, 0);
	assert_false(all.short_);
	free(all.interp);
	assert_int_equal(tcl_attach_all(&short_, &maps, &all, &why), 1);
	assert_int_equal(all.n, 2);
	assert_true(all.short_);
	free(all.interp);
	buf_release(&why);
}

static void test_none(void **state)
{
	(void)state;
	assert_int_equal(attach_self(0), 0);
	put(8, STUBS); /* an extension's copy of the pointer */
	put(0x100008, STUBS);
	assert_int_equal(attach_self(0), 0);
}

static void test_other_maps(void **state)
{
	static const struct map others[] = {
		{ .readable = true, .path = (char *)"" },
		{ .writable = true, .path = (char *)"" },
		{ .readable = true,
		  .writable = true,
		  .ino = 5,
		  .path = (char *)"/dev/zero" },
		{ .readable = true,
		  .writable = true,
		  .path = (char *)"[stack]" },
	};

	(void)state;
	make_interp(0);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		map = others[i];
		map.start = address(0);
		map.end = address(MAP_SIZE);
		assert_int_equal(attach_self(0), 0);
	}
}

/* It has its handle, so it is an interpreter; but nothing else is in place. */
static void test_other_layout(void **state)
{
	const struct tcl_layout *l = &row->layout;

	(void)state;
	make_interp(0);
	put(ENV + l->exec_env_interp, 0);
	assert_int_equal(attach_self(0), -ENOTSUP);
	make_interp(0);
	put(NS + row->ns_interp, address(INTERP) + 8);
	assert_int_equal(attach_self(0), -ENOTSUP);
	make_interp(0);
	put(INTERP + l->interp_exec_env, 0);
	assert_int_equal(attach_self(0), -ENOTSUP);
	put(INTERP + l->interp_exec_env, 16);
	assert_int_equal(attach_self(0), -ENOTSUP);
	/* A good one beside it counts more: this one is being deleted. */
	make_interp(0x100000);
	assert_int_equal(attach_self(0), 1);
}

static void test_freed(void **state)
{
	(void)state;
	make_interp(0);
	put(HANDLE, 0);
	put(ENV + row->layout.exec_env_interp, 0);
	assert_int_equal(attach_self(0), 0);
}

static void test_budget(void **state)
{
	(void)state;
	assert_int_equal(attach_self(1 << 20), 1);
	assert_int_equal(attach_self(MAP_SIZE), 0);
	make_interp(2 << 20);
	put((2 << 20) + ENV + row->layout.exec_env_interp, 0);
	/* Not reached. */
	assert_int_equal(attach_self(1 << 20), 1);
	assert_int_equal(attach_self(MAP_SIZE), -ENOTSUP);
}

static void test_unknown_stubs(void **state)
{
	const struct tcl_attach a = { .pid = getpid(), .row = row };

	(void)state;
	assert_int_equal(tcl_attach(&a, &maps, NULL), 1);
}

static void test_gone(void **state)
{
	const struct tcl_attach a = {
		.pid = 1 << 30,
		.stubs = STUBS,
		.row = row,
	};
	struct buf why = { 0 };

	(void)state;
	assert_int_equal(tcl_attach(&a, &maps, &why), -ESRCH);
	buf_release(&why);
}

/* --- live --- */

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

	assert_true(process_maps("/proc", live->pid, &live->maps) >= 0);
	for (size_t i = 0; i < live->maps.n && !found; i++) {
		const struct map *at = &live->maps.map[i];

		if (!at->executable || !at->ino ||
		    module_open(&live->module,
				process_open_map("/proc", live->pid, at),
				at->path))
			continue;
		found = tcl->probe(&live->module, &live->data, &why) == 1;
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
	int got = walkers[WALKER_TCL]->attach(live->pid, &live->module,
					      live->bias, &live->maps,
					      live->data, NULL, &why);

	assert_string_equal(buf_text(&why), "");
	buf_release(&why);
	return got;
}

static u64 stubs_of(struct live *live)
{
	struct tcl_file value;

	walkers[WALKER_TCL]->file_value(live->data, &value);
	return value.stubs + live->bias;
}

static void interps_of(struct live *live, struct tcl_interps *all)
{
	struct buf why = { 0 };
	const struct tcl_attach a = { .pid = live->pid,
				      .stubs = stubs_of(live),
				      .row = tcl_layouts_find(0x080613) };

	assert_int_equal(tcl_attach_all(&a, &live->maps, all, &why), 1);
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
		walkers[WALKER_TCL]->forget(live->data);
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
	struct tcl_attach a = { .row = tcl_layouts_find(0x080699),
				.unknown = "8.6.99" };

	(void)state;
	start_tclsh(&live);
	if (!run(&live, "puts ready; flush stdout\n")) {
		stop(&live);
		print_message("tclsh8.6 does not run\n");
		skip();
	}
	assert_true(find_tcl(&live));
	a.pid = live.pid;
	a.stubs = stubs_of(&live);
	assert_int_equal(tcl_attach(&a, &live.maps, &why), 1);
	/* No interpreter: not there yet.  Not looked for: not known. */
	assert_int_equal(tcl_attach(&a, &(struct maps){ 0 }, &why), -EAGAIN);
	a.budget = 1;
	assert_int_equal(tcl_attach(&a, &live.maps, &why), -ENOTSUP);
	a.stubs = 0;
	assert_int_equal(tcl_attach(&a, &live.maps, &why), -ENOTSUP);
	buf_release(&why);
	stop(&live);
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
		FIELD(layout.command_client_data, 8, "the procs"),
		FIELD(layout.proc_cmd, 8, "the procs"),
#undef FIELD
	};
	struct live live;
	struct tcl_interps all;
	struct tcl_layout_row other;
	const char *unlike;

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
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s16 *field = (s16 *)((char *)&other + cases[i].field);

		other = *tcl_layouts_find(0x080613);
		assert_null(tcl_proof(live.pid, &other, all.interp[0].address));
		*field += cases[i].by;
		unlike = tcl_proof(live.pid, &other, all.interp[0].address);
		if (!unlike || strcmp(unlike, cases[i].unlike) != 0)
			fail_msg("field %zu: %s, expected %s", i,
				 unlike ? unlike : "nothing unlike",
				 cases[i].unlike);
	}
	free(all.interp);
	stop(&live);
}

int main(void)
{
#define HAND(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		HAND(test_proven),
		HAND(test_far_away),
		HAND(test_none),
		HAND(test_other_maps),
		HAND(test_other_layout),
		HAND(test_freed),
		HAND(test_budget),
		HAND(test_unknown_stubs),
		HAND(test_gone),
		HAND(test_all),
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_unlike),
	};
#undef HAND

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
