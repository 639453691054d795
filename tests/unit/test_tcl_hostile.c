/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files that are made to waste time: each would keep the probe busy for minutes
 * if it did all that they ask for.
 */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "user/elf/module.h"
#include "arch/code.h"
#include "walkers/tcl/derive/tcl_found.h"

/* The file, at vaddr 0: headers; a section of text or .eh_frame; code. */
enum {
	SIZE = 3 << 20,
	SECTIONS = 0x80,
	NAMES = 0x180,
	FIRST = 0x1000,
	CODE = 2 << 20,
	CODE_SIZE = 1 << 20,
};

#define SECONDS_MAX 20 /* also under sanitizers; without, one at most */

static u8 *image;
static size_t frames_at;

static void put(size_t at, const void *bytes, size_t len)
{
	assert_true(at + len <= SIZE);
	memcpy(image + at, bytes, len);
}

/* name: of the section at FIRST, which ends where the code begins. */
static void build(const char *name)
{
	static const Elf64_Ehdr ehdr = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = SECTIONS,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 1,
	};
	static const Elf64_Phdr load = { PT_LOAD, PF_R | PF_X, 0,    0,
					 0,	  SIZE,	       SIZE, 4096 };
	const Elf64_Shdr section[] = {
		{ 0 },
		{ .sh_name = 1,
		  .sh_type = SHT_STRTAB,
		  .sh_offset = NAMES,
		  .sh_size = 64 },
		{ .sh_name = 11,
		  .sh_type = SHT_PROGBITS,
		  .sh_flags = SHF_ALLOC,
		  .sh_addr = FIRST,
		  .sh_offset = FIRST,
		  .sh_size = CODE - FIRST },
	};

	memset(image, 0, SIZE);
	put(0, &ehdr, sizeof(ehdr));
	put(sizeof(ehdr), &load, sizeof(load));
	put(SECTIONS, section, sizeof(section));
	put(NAMES + 1, ".shstrtab", 10);
	put(NAMES + 11, name, strlen(name) + 1);
	frames_at = FIRST;
}

static void add_cie(void)
{
	static const u8 cie[] = { 12, 0, 0, 0,	  0,  0, 0, 0,
				  1,  0, 1, 0x78, 16, 0, 0, 0 };

	put(frames_at, cie, sizeof(cie));
	frames_at += sizeof(cie);
}

static void add_function(u64 start, u64 len)
{
	u32 head[2] = { 20, (u32)(frames_at + 4 - FIRST) };

	put(frames_at, head, sizeof(head));
	put(frames_at + 8, &start, sizeof(start));
	put(frames_at + 16, &len, sizeof(len));
	frames_at += 24;
}

static struct module open_image(void)
{
	struct module m;

	assert_int_equal(module_open_image(&m, image, SIZE, "libtcl8.6.so"), 0);
	return m;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void in_time(double since)
{
	double used = cpu_seconds() - since;

	print_message("# %.3f s\n", used);
	assert_true(used < SECONDS_MAX);
}

/* A million texts like a version, of none of which the short form is there. */
static void test_versions(void **state)
{
	struct tcl_version version;
	struct module m;
	double since;
	char text[8];

	(void)state;
	build(".rodata");
	for (u32 i = 0; FIRST + (i + 1) * 7 <= CODE; i++) {
		snprintf(text, sizeof(text), "8.%u.%u", i / 10 % 90 + 10,
			 i % 10);
		put(FIRST + i * 7, text, 7);
	}
	m = open_image();
	since = cpu_seconds();
	assert_int_equal(tcl_version_find(&m, 0, &version), -ENOENT);
	in_time(since);
	module_close(&m);
}

/* 40,000 functions of 200 KB, one byte apart: 8 GB of code in 3 MB. */
static void test_overlap(void **state)
{
	struct tcl_found t = { .row = tcl_layouts_find(0x080613) };
	u32 exec_env = (u16)t.row->layout.interp_exec_env;
	const struct module_function *fn;
	struct module m;
	double since;
	size_t n;

	(void)state;
	build(".eh_frame");
	for (size_t i = 0; i < CODE_SIZE; i += 2)
		put(CODE + i, "\xff\xd0", 2);
	for (size_t i = 0; i < CODE_SIZE; i += 1024)
		put(CODE + i, &exec_env, sizeof(exec_env));
	add_cie();
	for (u64 i = 0; i < 40000; i++)
		add_function(CODE + i, 200 << 10);
	m = open_image();
	assert_int_equal(module_functions(&m, &fn, &n), 0);
	assert_int_equal(n, 40000);
	since = cpu_seconds();
	assert_int_equal(tcl_trampolines_find(&t, &m), 0);
	/* Not all was looked at: such a file is not to be used. */
	assert_true(t.unproven);
	in_time(since);
	module_close(&m);
}

/* Whoever asks, and however often: only so much code is taken apart. */
static void test_budget(void **state)
{
	struct code c;
	struct module m;
	double since;
	u64 opened = 0;

	(void)state;
	build(".eh_frame");
	memset(image + CODE, 0x90, CODE_SIZE);
	add_cie();
	for (u64 i = 0; i < 40000; i++)
		add_function(CODE + i, 200 << 10);
	m = open_image();
	since = cpu_seconds();
	while (opened < 40000 && !code_decode_at(&c, &m, CODE + opened)) {
		assert_int_equal(c.n, 200 << 10);
		code_release(&c);
		opened++;
	}
	assert_in_range(opened, 10, 1000);
	in_time(since);
	module_close(&m);
}

/* A jump to the last of 100,000 jumps, each to the one before it: what is lost at
 * the end is lost, one by one, up to the beginning. */
static void test_chain(void **state)
{
	static const u8 start[] = {
		0x0f,
		0x84,
		0,
		0,
		0,
		0, /* je to the last */
		0x48,
		0x89,
		0xfb, /* mov %rdi,%rbx: not held before */
		0x50, /* push %rax */
		/* mov %rax,0x30(%rbx); mov %rbx,0x3b8(%rdi); ret; nop; ret */
		0x48,
		0x89,
		0x43,
		0x30,
		0x48,
		0x89,
		0x9f,
		0xb8,
		0x03,
		0,
		0,
		0xc3,
		0x90,
		0xc3,
	};
	const u64 size = 200 << 10, last = size - 2;
	u32 distance = (u32)(last - 6);
	struct tcl_found t = { .row = tcl_layouts_find(0x080519) };
	struct tcl_role role;
	struct code c;
	struct module m;
	double since;

	(void)state;
	build(".eh_frame");
	for (u64 i = 0; i < size; i += 2)
		put(CODE + i, "\xeb\xfc", 2);
	put(CODE, start, sizeof(start));
	put(CODE + 2, &distance, sizeof(distance));
	add_cie();
	add_function(CODE, size);
	m = open_image();
	assert_int_equal(code_decode_at(&c, &m, CODE), 0);
	since = cpu_seconds();
	assert_int_equal(tcl_keeper_find(&t, &role, 0, &c, &m, false), 0);
	in_time(since);
	/* From the push to the ret, and the filler behind it. */
	assert_int_equal(t.n_ranges, 1);
	assert_int_equal(t.range[0].start, CODE + 9);
	assert_int_equal(t.range[0].end, CODE + 23);
	code_release(&c);
	module_close(&m);
}

/* What is called a hundred times is looked at once: there is enough left to look at
 * something else. */
static void test_callees(void **state)
{
	struct tcl_found t = { .row = tcl_layouts_find(0x080519),
			       .stubs.internal = CODE - 0x1000 };
	const u64 core = CODE, size = 200 << 10, callee = CODE + 0x1000;
	/* TclObjInterpProcCore's (generic/tclIntDecls.h, core-8-5-19). */
	const u64 slot = t.stubs.internal + 16 + 228 * 8;
	struct code c;
	struct module m;

	(void)state;
	build(".eh_frame");
	memset(image + CODE, 0x90, CODE_SIZE);
	for (u64 at = core; at < core + 500; at += 5) {
		u32 distance = (u32)(callee - at - 5);

		put(at, "\xe8", 1);
		put(at + 1, &distance, sizeof(distance));
	}
	put(slot, &core, sizeof(core));
	add_cie();
	add_function(core, 500);
	add_function(callee, size);
	m = open_image();
	assert_string_equal(tcl_recursive_find(&t, &m),
			    "the bytecode engine was not found");
	for (int i = 0; i < 20; i++) {
		assert_int_equal(code_decode_at(&c, &m, callee), 0);
		code_release(&c);
	}
	module_close(&m);
}

static int set_up(void **state)
{
	(void)state;
	image = malloc(SIZE);
	return image ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(image);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions), cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_budget),	 cmocka_unit_test(test_chain),
		cmocka_unit_test(test_callees),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
