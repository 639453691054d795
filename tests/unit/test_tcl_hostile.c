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

#include "user/target/module.h"
#include "walkers/tcl/tcl_code.h"
#include "walkers/tcl/tcl_functions.h"
#include "walkers/tcl/tcl_layouts.h"
#include "walkers/tcl/tcl_trampoline.h"
#include "walkers/tcl/tcl_version.h"

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
	const struct tcl_layout *l = &tcl_layouts_find(0x080613)->layout;
	u32 exec_env = (u16)l->interp_exec_env;
	const struct module_function *fn;
	struct tcl_trampolines t;
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
	assert_int_equal(tcl_trampolines_find(&t, &m, l), 0);
	/* Not all was looked at: such a file is not to be used. */
	assert_true(t.unproven);
	in_time(since);
	module_close(&m);
}

/* Whoever asks, and however often: only so much code is taken apart. */
static void test_budget(void **state)
{
	struct tcl_code c;
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
	while (opened < 40000 && !tcl_functions_open(&m, CODE + opened, &c)) {
		assert_int_equal(c.n, 200 << 10);
		tcl_code_release(&c);
		opened++;
	}
	assert_in_range(opened, 10, 1000);
	in_time(since);
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
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_budget),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
