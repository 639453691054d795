/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * R_HOME is in the environment that R's shell script starts R with; a program
 * that embeds R has none there, but libR.so is in R_HOME/lib.  BLAS and LAPACK
 * are libraries of their own, and can be any: they are told by name, among the
 * files that the process has mapped.
 */
#include "walkers/r/r_facts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/guard.h"
#include "user/target/maps.h"
#include "user/target/module.h"
#include "user/target/process.h"
#include "walkers/r/r_attach.h"
#include "walkers/r/r_file.h"
#include "walkers/walker.h"

static void add_home(const struct walker_site *site, struct fact *out)
{
	static const char inside[] = "/lib/libR.so";
	const char *path = site->m->path;
	_cleanup_free_ char *home = NULL;
	size_t len = strlen(path);

	if (site->pid)
		home = process_environment(site->proc, site->pid, "R_HOME");
	if (home)
		fact_add_text(out, "r_home", "%s", home);
	else if (len > strlen(inside) &&
		 !strcmp(path + len - strlen(inside), inside))
		fact_add_text(out, "r_home", "%.*s",
			      (int)(len - strlen(inside)), path);
}

/* Does the name of the file begin with one of these? */
static bool is_named(const char *path, const char *const *prefix)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (; *prefix; prefix++)
		if (!strncmp(name, *prefix, strlen(*prefix)))
			return true;
	return false;
}

static void add_libraries(const struct walker_site *site, struct fact *out,
			  const char *key, const char *const *prefix)
{
	struct fact *list = fact_add_list(out, key);

	for (size_t i = 0; i < site->maps->n; i++) {
		const struct map *map = &site->maps->map[i];

		if (map->executable && map->ino && is_named(map->path, prefix))
			fact_add_text(list, NULL, "%s", map->path);
	}
}

static void add_layout(const struct walker_site *site, struct fact *out)
{
	const struct r_file *file = site->data;
	struct fact *layout = fact_add_group(out, "layout");
	struct r_process process;
	struct buf why = { 0 };
	int got = 0;

	fact_add_text(layout, "versions", "%s (layout %c)", file->row->versions,
		      file->row->layout.layout);
	if (site->pid)
		got = r_attach(site->pid, site->bias, file, &process, &why);
	fact_add_truth(layout, "proven", got > 0);
	if (!site->pid)
		fact_add_text(layout, "proof",
			      "agrees with the machine code; only a process "
			      "can prove it");
	else if (got > 0)
		fact_add_text(layout, "proof",
			      "the live chain of contexts ends in R_Toplevel; "
			      "agrees with the machine code");
	else
		fact_add_text(layout, "proof", "%s",
			      why.len ? buf_text(&why)
				      : "R is not initialised yet");
	buf_release(&why);
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

	fact_add_text(out, "version", "%s",
		      r_layouts_versions(file->row, file->graphics));
	fact_add_text(out, "found_by",
		      "R_GlobalContext at 0x%llx, R_FunTab and Rf_eval",
		      file->globals.at[R_GLOBAL_CONTEXT].vaddr);
	add_layout(site, out);
	add_home(site, out);
	if (site->pid) {
		add_libraries(site, out, "blas", blas);
		add_libraries(site, out, "lapack", lapack);
	}
	fact_add_truth(out, "shared_library", !file->is_static);
	fact_add_number(out, "builtins", file->builtins.entries);
}
