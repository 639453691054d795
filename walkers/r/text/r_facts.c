/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_HOME is in R's variable R_Home once R is up (src/unix/system.c).  Before that, and of a
 * file, it is known by libR.so, which is in R_HOME/lib.
 *
 * BLAS and LAPACK are libraries of their own, of any maker.  They are recognised by
 * name among the files that the process maps.
 */
#include "walkers/r/text/r_text.h"

#include <string.h>

#include "user/lib/fact.h"
#include "user/target/maps.h"
#include "user/target/memory.h"
#include "walkers/r/derive/r_file.h"
#include "walkers/r/prove/r_prove.h"

#define MAX_PATH 4096

static bool live_home(const struct walker_site *site, char *text, size_t size)
{
	u64 vaddr = r_file_export(site->m, "R_Home"), address;

	return site->pid && vaddr &&
	       !memory_read_u64(site->pid, vaddr + site->bias, &address) &&
	       address && memory_read_text(site->pid, address, text, size) > 0;
}

static void add_home(const struct walker_site *site, struct fact *out)
{
	static const char inside[] = "/lib/libR.so";
	const char *path = site->m->path;
	size_t len = strlen(path);
	char live[MAX_PATH];

	if (live_home(site, live, sizeof(live)))
		fact_add_text(out, "r_home", "%s", live);
	else if (len > strlen(inside) &&
		 !strcmp(path + len - strlen(inside), inside))
		fact_add_text(out, "r_home", "%.*s",
			      (int)(len - strlen(inside)), path);
}

/* Add the files with code whose names begin with one of the prefixes. */
static void add_libraries(const struct walker_site *site, struct fact *out,
			  const char *key, const char *const *prefix)
{
	struct fact *list = fact_add_list(out, key);

	for (size_t i = 0; i < site->maps->n; i++) {
		const struct map *map = &site->maps->map[i];
		const char *const *p = prefix;

		if (!map->executable || !map->ino)
			continue;
		while (*p && strncmp(basename(map->path), *p, strlen(*p)) != 0)
			p++;
		if (*p)
			fact_add_text(list, NULL, "%s", map->path);
	}
}

/* Add the value of an int at vaddr, if it is at most the largest that means something. */
static void add_value(const struct walker_site *site, struct fact *out,
		      const char *key, u64 vaddr, u32 largest)
{
	u32 value;

	if (vaddr && !memory_read_u32(site->pid, vaddr + site->bias, &value) &&
	    value <= largest)
		fact_add_number(out, key, value);
}

static void add_layout(const struct walker_site *site, struct fact *out)
{
	const struct r_file *file = site->data;
	struct fact *layout = fact_add_group(out, "layout");
	struct r_process process;
	struct r_chain chain;
	const char *proof = "R is not initialised yet";
	struct buf why = { 0 };
	int got = 0;

	fact_add_text(layout, "versions", "%s (layout %c)", file->row->versions,
		      file->row->layout.layout);
	fact_add_truth(layout, "known",
		       r_layouts_known(file->row, file->version));
	if (site->pid)
		got = r_attach(site->pid, site->bias, file, &process, &chain,
			       &why);
	if (!site->pid)
		proof = "agrees with the machine code; only a process can prove "
			"it";
	else if (got > 0)
		proof = "the live chain of contexts ends in R_Toplevel; agrees "
			"with the machine code";
	else if (why.len)
		proof = buf_text(&why);
	fact_add_truth(layout, "proven", got > 0);
	fact_add_text(layout, "proof", "%s", proof);
	buf_release(&why);
	if (got <= 0)
		return;
	fact_add_number(out, "contexts", chain.contexts);
	fact_add_number(out, "closures_running", chain.functions);
}

void r_facts(const struct walker_site *site, struct fact *out)
{
	static const char *const blas[] = {
		"libblas",   "libRblas", "libopenblas", "libatlas", "libsatlas",
		"libtatlas", "libblis",	 "libmkl_",	NULL
	};
	static const char *const lapack[] = { "liblapack", "libRlapack",
					      "libflame", "libmkl_lapack",
					      NULL };
	const struct r_file *file = site->data;
	struct buf version = { 0 };

	r_file_version(file, &version);
	fact_add_text(out, "version", "%s", buf_text(&version));
	buf_release(&version);
	fact_add_text(out, "found_by",
		      "R_GlobalContext at 0x%llx, R_FunTab and Rf_eval",
		      file->at.global_context);
	add_layout(site, out);
	add_home(site, out);
	if (site->pid) {
		add_libraries(site, out, "blas", blas);
		add_libraries(site, out, "lapack", lapack);
		/* How many R allows to OpenMP and its BLAS
		 * (src/include/R_ext/MathThreads.h). */
		add_value(site, out, "math_threads",
			  r_file_export(site->m, "R_num_math_threads"), ~0u);
		/* What compiler::enableJIT() returns; negative before R has
		 * started. */
		add_value(site, out, "jit_level", file->jit, 3);
	}
	fact_add_truth(out, "shared_library", !file->is_static);
	fact_add_number(out, "builtins", file->builtin_entries);
}
