/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Attaching to a context chain of our own making, and to live R processes.
 * A live R says on its standard output that it is up, so nothing waits longer
 * than it must.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/target/maps.h"
#include "user/target/memory.h"
#include "user/elf/module.h"
#include "user/target/proc.h"
#include "walkers/r/prove/r_prove.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/walker.h"

#define LIBR "/usr/lib/R/lib/libR.so"

extern const struct walker r_walker;

/* --- a chain of our own --- */

#define LAYOUT_SIZE 432

static u8 toplevel[LAYOUT_SIZE];
static u8 inner[3][LAYOUT_SIZE];
enum { CONTEXT, NODE_STACK_END, NIL, VALUES };
static u64 nil[7], context, values[VALUES];
static struct r_file file;

static void put(u8 *c, s16 offset, u64 value)
{
	memcpy(c + offset, &value, sizeof(value));
}

static int make_chain(void **state)
{
	const struct r_layout *l;

	(void)state;
	memset(&file, 0, sizeof(file));
	file.row = r_layouts_find(384, true);
	file.version = 0x040602;
	l = &file.row->layout;
	file.bss_start = (uintptr_t)toplevel;
	file.bss_end = file.bss_start + sizeof(toplevel);
	values[CONTEXT] = (uintptr_t)inner[2];
	values[NODE_STACK_END] = (uintptr_t)nil;
	values[NIL] = (uintptr_t)nil;
	file.at.layout = *l;
	file.at.global_context = (uintptr_t)&values[CONTEXT];
	file.at.node_stack_end = (uintptr_t)&values[NODE_STACK_END];
	file.at.nil = (uintptr_t)&values[NIL];
	file.at.global_env = (uintptr_t)&values[NIL];
	file.at.base_env = (uintptr_t)&values[NIL];
	file.at.base_namespace = (uintptr_t)&values[NIL];
	file.at.unbound = (uintptr_t)&values[NIL];
	file.at.srcref = (uintptr_t)&values[NIL];
	memset(toplevel, 0, sizeof(toplevel));
	memset(inner, 0, sizeof(inner));
	put(toplevel, l->call, (uintptr_t)nil);
	for (size_t i = 0; i < 3; i++) {
		put(inner[i], l->next,
		    i ? (uintptr_t)inner[i - 1] : (uintptr_t)toplevel);
		put(inner[i], l->flags, 4);
	}
	return 0;
}

static struct r_chain chain;

static int attach_self(struct r_process *p)
{
	struct buf why = { 0 };
	int r;

	r = r_attach(getpid(), 0, &file, p, &chain, &why);
	assert_int_equal(r<0, why.len> 0);
	buf_release(&why);
	return r;
}

static void test_chain(void **state)
{
	struct r_process p;

	(void)state;
	assert_int_equal(attach_self(&p), 1);
	assert_int_equal(p.toplevel, (uintptr_t)toplevel);
	assert_int_equal(chain.contexts, 3);
	assert_int_equal(chain.functions, 3);
	assert_int_equal(p.nil, (uintptr_t)nil);
	assert_int_equal(p.global_context, (uintptr_t)&values[CONTEXT]);
	assert_int_equal(p.node_stack_end, (uintptr_t)&values[NODE_STACK_END]);
	assert_int_equal(p.layout.layout, 'C');
}

static void test_slot_wins(void **state)
{
	struct r_process p;

	(void)state;
	/* As after a COPY relocation: the file's own variable is dead. */
	context = (uintptr_t)&values[CONTEXT];
	file.slot.global_context = (uintptr_t)&context;
	file.at.global_context = (uintptr_t)&nil[1];
	assert_int_equal(attach_self(&p), 1);
	assert_int_equal(p.global_context, (uintptr_t)&values[CONTEXT]);
}

static void test_not_initialised(void **state)
{
	struct r_process p;

	(void)state;
	values[CONTEXT] = 0;
	assert_int_equal(attach_self(&p), 0);
	make_chain(NULL);
	values[NIL] = 0;
	assert_int_equal(attach_self(&p), 0);
	make_chain(NULL);
	context = 0;
	file.slot.global_context = (uintptr_t)&context;
	assert_int_equal(attach_self(&p), 0);
}

static void test_hidden_node_stack(void **state)
{
	struct r_process p;

	(void)state;
	file.at.node_stack_end = 0;
	assert_int_equal(attach_self(&p), 1);
	assert_int_equal(p.node_stack_end, 0);
}

static void test_bad_chains(void **state)
{
	const struct r_layout *l = &file.row->layout;
	struct r_process p;

	(void)state;
	put(inner[0], l->next, (uintptr_t)inner[2]); /* a cycle */
	assert_int_equal(attach_self(&p), -ENOTSUP);
	make_chain(NULL);
	put(inner[0], l->next, 0); /* ends elsewhere */
	assert_int_equal(attach_self(&p), -ENOTSUP);
	make_chain(NULL);
	put(inner[0], l->next, 8); /* unmapped */
	assert_int_equal(attach_self(&p), -ENOTSUP);
	make_chain(NULL);
	put(toplevel, l->call, (uintptr_t)nil + 8);
	assert_int_equal(attach_self(&p), -ENOTSUP);
	make_chain(NULL);
	put(toplevel, l->flags, 4);
	assert_int_equal(attach_self(&p), -ENOTSUP);
	make_chain(NULL);
	file.at.global_context = 8;
	assert_int_equal(attach_self(&p), -EFAULT);
}

/* --- live processes --- */

struct live {
	pid_t pid;
	int in, out; /* its standard input and output */
	struct module module;
	struct maps maps;
	void *data;
	u64 bias;
};

static void start_child(struct live *live, void (*run)(void))
{
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	live->pid = fork();
	assert_true(live->pid >= 0);
	if (!live->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		run();
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	live->in = in[1];
	live->out = out[0];
}

/* Waits for the word "ready" or the end of the output. */
static bool is_ready(struct live *live)
{
	char text[256] = "";
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(text) - 1) {
		n = read(live->out, text + len, sizeof(text) - 1 - len);
		if (n <= 0)
			return false;
		len += n;
		if (strstr(text, "ready"))
			return true;
	}
	return false;
}

/* Find R in the process as a session does. */
static bool find_r(struct live *live)
{
	struct buf why = { 0 };
	bool found = false;
	u64 vaddr;

	assert_true(proc_maps("/proc", live->pid, &live->maps) >= 0);
	for (size_t i = 0; i < live->maps.n && !found; i++) {
		const struct map *map = &live->maps.map[i];

		if (!map->executable || !map->ino ||
		    module_open(&live->module,
				proc_open_map("/proc", live->pid, map),
				map->path))
			continue;
		found = r_walker.file.probe(&live->module, &live->data, &why) ==
			1;
		if (!found) {
			module_close(&live->module);
			continue;
		}
		assert_int_equal(module_offset_to_vaddr(&live->module,
							map->offset, &vaddr),
				 0);
		live->bias = map->start - vaddr;
	}
	buf_release(&why);
	return found;
}

static void stop_child(struct live *live)
{
	int status;

	kill(live->pid, SIGKILL);
	waitpid(live->pid, &status, 0);
	close(live->in);
	close(live->out);
	if (live->data) {
		r_walker.file.forget(live->data);
		module_close(&live->module);
	}
	maps_release(&live->maps);
}

static int attach(struct live *live, struct r_process *p)
{
	struct buf why = { 0 };
	int r;

	r = r_walker.process.attach(live->pid, &live->module, live->bias,
				    &live->maps, live->data, p, &why);
	if (r < 0)
		print_error("%s\n", buf_text(&why));
	buf_release(&why);
	return r;
}

static void check_symbol(struct live *live, const struct r_process *p,
			 const char *name)
{
	u64 symbol = r_symbols_find(live->pid, p, name), print_name;
	char text[32];
	u32 info;

	assert_int_not_equal(symbol, 0);
	assert_int_equal(memory_read_u32(live->pid, symbol, &info), 0);
	assert_int_equal(info & 31, 1);
	assert_int_equal(memory_read_u64(live->pid, symbol + 32, &print_name),
			 0);
	assert_true(memory_read_text(live->pid,
				     print_name + p->layout.vector_data, text,
				     sizeof(text)) > 0);
	assert_string_equal(text, name);
}

static void check_type(struct live *live, u64 sexp, u32 type)
{
	u32 info;

	assert_int_equal(memory_read_u32(live->pid, sexp, &info), 0);
	assert_int_equal(info & 31, type);
}

static void check_live(void (*run)(void), const char *input)
{
	struct live live = { 0 };
	struct r_process p = { 0 }, again = { 0 };

	if (access(LIBR, R_OK)) {
		print_message("no " LIBR "\n");
		skip();
	}
	start_child(&live, run);
	if (input)
		assert_int_equal(write(live.in, input, strlen(input)),
				 (ssize_t)strlen(input));
	assert_true(is_ready(&live));
	assert_true(find_r(&live));
	assert_int_equal(attach(&live, &p), 1);
	check_type(&live, p.nil, 0);	    /* NILSXP */
	check_type(&live, p.global_env, 4); /* ENVSXP */
	check_type(&live, p.base_env, 4);
	check_type(&live, p.base_namespace, 4);
	check_type(&live, p.unbound, 1); /* SYMSXP */
	assert_int_not_equal(p.toplevel, 0);
	assert_int_not_equal(p.node_stack_end, 0);
	check_symbol(&live, &p, ".__NAMESPACE__.");
	check_symbol(&live, &p, "spec");
	for (int i = 0; i < 200; i++) {
		assert_int_equal(attach(&live, &again), 1);
		assert_memory_equal(&p, &again, sizeof(p));
	}
	stop_child(&live);
	assert_int_equal(r_attach(1 << 30, 0, &file, &p, &chain, NULL), -ESRCH);
}

static void run_loop(void)
{
	execlp("R", "R", "--vanilla", "--no-echo", "-e",
	       "cat('ready\\n'); repeat {}", NULL);
}

static void run_calls(void)
{
	execlp("R", "R", "--vanilla", "--no-echo", "-e",
	       "cat('ready\\n'); "
	       "g <- function(x) tryCatch(sapply(1:9, function(i) i + x), "
	       "error = identity); repeat g(1)",
	       NULL);
}

static void run_prompt(void)
{
	execlp("R", "R", "--vanilla", "--no-echo", NULL);
}

static void test_live_loop(void **state)
{
	(void)state;
	check_live(run_loop, NULL);
}

static void test_live_calls(void **state)
{
	(void)state;
	check_live(run_calls, NULL);
}

static void test_live_prompt(void **state)
{
	(void)state;
	check_live(run_prompt, "cat('ready\\n')\n");
}

/* libR is mapped and nobody initialises it. */
static void run_mapped(void)
{
	if (dlopen(LIBR, RTLD_NOW) && write(1, "ready", 5) == 5)
		pause();
}

static void test_live_mapped(void **state)
{
	struct live live = { 0 };
	struct r_process p;

	(void)state;
	start_child(&live, run_mapped);
	if (!is_ready(&live)) {
		stop_child(&live);
		print_message("cannot load " LIBR "\n");
		skip();
	}
	assert_true(find_r(&live));
	assert_int_equal(attach(&live, &p), 0);
	stop_child(&live);
}

/* What the kernel side looks for without a symbol. */
static void test_hashes(void **state)
{
	(void)state;
	assert_int_equal(r_symbols_hash("filename"), R_HASH_FILENAME);
	assert_int_equal(r_symbols_hash("lines"), R_HASH_LINES);
	assert_int_equal(r_symbols_hash(".__NAMESPACE__."), R_HASH_NAMESPACE);
	assert_int_equal(r_symbols_hash("spec"), R_HASH_SPEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_chain, make_chain),
		cmocka_unit_test_setup(test_slot_wins, make_chain),
		cmocka_unit_test_setup(test_not_initialised, make_chain),
		cmocka_unit_test_setup(test_hidden_node_stack, make_chain),
		cmocka_unit_test_setup(test_bad_chains, make_chain),
		cmocka_unit_test_setup(test_live_loop, make_chain),
		cmocka_unit_test_setup(test_live_calls, make_chain),
		cmocka_unit_test_setup(test_live_prompt, make_chain),
		cmocka_unit_test_setup(test_live_mapped, make_chain),
		cmocka_unit_test(test_hashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
