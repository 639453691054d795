/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Modules of this very process, where the dynamic linker has done the same work
 * and says what is right.
 */
#include "user/elf/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/target/memory.h"
#include "user/target/proc.h"

/* This very program and its libraries, as ld.so has loaded them. */
static struct module open_loaded(void *address, u64 *bias)
{
	struct link_map *map;
	struct module m;
	const char *path;
	Dl_info info;

	assert_true(dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP));
	*bias = map->l_addr;
	path = map->l_name[0] ? map->l_name : "/proc/self/exe";
	assert_int_equal(module_open(&m, open(path, O_RDONLY), path), 0);
	return m;
}

static void test_loaded_symbols(void **state)
{
	static const char *const name[] = { "getpid", "environ", "qsort",
					    "stdout" };
	u64 bias, vaddr;
	struct module m = open_loaded(dlsym(RTLD_DEFAULT, "getpid"), &bias);
	void *handle = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	Dl_info info;
	size_t i;

	(void)state;
	assert_non_null(handle);
	for (i = 0; i < sizeof(name) / sizeof(*name); i++) {
		assert_int_equal(module_dynsym(&m, name[i], &vaddr, NULL), 0);
		/* A sanitizer may have put its own in front of libc's. */
		assert_true(dladdr((void *)(bias + vaddr), &info));
		assert_string_equal(strrchr(info.dli_fname, '/') + 1, m.name);
		assert_true((u64)dlsym(handle, name[i]) == bias + vaddr);
	}
	dlclose(handle);
	module_close(&m);
}

struct comparison {
	const struct module *m;
	u64 bias, relro_start, relro_end;
	size_t compared;
};

/* What ld.so made of the word, where nobody can have written since. */
static int compare_relative(const struct module_reloc *r, void *ctx)
{
	struct comparison *c = ctx;
	u64 target;

	if (r->type != R_X86_64_RELATIVE || r->vaddr < c->relro_start ||
	    r->vaddr >= c->relro_end)
		return 0;
	assert_int_equal(module_relative(c->m, r->vaddr, &target), 0);
	assert_true(target == (u64)r->addend);
	assert_true(*(u64 *)(c->bias + r->vaddr) == c->bias + target);
	c->compared++;
	return 0;
}

static int find_relro(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct comparison *c = ctx;
	int i;

	(void)size;
	if (info->dlpi_addr != c->bias)
		return 0;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_GNU_RELRO)
			continue;
		c->relro_start = p->p_vaddr;
		c->relro_end = p->p_vaddr + p->p_memsz;
	}
	return 1;
}

static void test_loaded_relocs(void **state)
{
	void *handle = dlopen("libtcl8.6.so", RTLD_NOW);
	void *address[] = { dlsym(RTLD_DEFAULT, "qsort"), NULL };
	size_t i;

	(void)state;
	address[1] = handle ? dlsym(handle, "Tcl_CreateInterp") : NULL;
	for (i = 0; i < 2 && address[i]; i++) {
		struct comparison c = { 0 };
		struct module m = open_loaded(address[i], &c.bias);

		c.m = &m;
		dl_iterate_phdr(find_relro, &c);
		assert_int_equal(module_each_reloc(&m, compare_relative, &c),
				 0);
		assert_true(c.compared > 100);
		module_close(&m);
	}
	if (handle)
		dlclose(handle);
}

static void test_loaded_functions(void **state)
{
	struct module_function fn;
	u64 bias, start = (u64)test_loaded_functions;
	struct module m = open_loaded(test_loaded_functions, &bias);

	(void)state;
	assert_true(m.is_exec);
	assert_int_equal(module_function_at(&m, start - bias, &fn), 0);
	assert_true(fn.start == start - bias);
	assert_int_equal(module_function_at(&m, start - bias + 1, &fn), 0);
	assert_true(fn.start == start - bias);
	assert_int_equal(module_function_at(&m, fn.end - 1, &fn), 0);
	assert_true(fn.start == start - bias);
	module_close(&m);
}

static void test_vdso(void **state)
{
	const struct module_function *fn;
	struct module_function at;
	const struct map *map;
	struct maps maps;
	struct module m;
	u64 address = getauxval(AT_SYSINFO_EHDR), vaddr;
	size_t n, len;
	u8 *bytes;

	(void)state;
	if (!address)
		skip();
	assert_int_equal(proc_maps("/proc", getpid(), &maps), 0);
	map = maps_find(&maps, address);
	if (!map) {
		maps_release(&maps);
		skip();
	}
	len = map->end - map->start;
	bytes = malloc(len);
	assert_int_equal(memory_read(getpid(), map->start, bytes, len), 0);
	assert_int_equal(module_open_image(&m, bytes, len, "[vdso]"), 0);
	/* The copy is the module's own. */
	memset(bytes, 0, len);
	free(bytes);
	maps_release(&maps);
	assert_string_equal(m.name, "[vdso]");
	assert_true(m.fd >= 0);
	assert_int_equal(module_functions(&m, &fn, &n), 0);
	assert_int_equal(
		module_dynsym(&m, "__vdso_clock_gettime", &vaddr, NULL), 0);
	assert_int_equal(module_function_at(&m, vaddr, &at), 0);
	assert_int_equal(at.start, vaddr);
	module_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loaded_symbols),
		cmocka_unit_test(test_loaded_relocs),
		cmocka_unit_test(test_loaded_functions),
		cmocka_unit_test(test_vdso),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
