/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Facts about this build. Only this file gets version, commit, tools and flags from
 * the Makefile; it alone is rebuilt when one of them changes.
 */
#include "user/cli/build.h"

#include <stddef.h>

#include <bpf/libbpf.h>

#include "user/lib/fact.h"

#define TEXT(x)	 #x
#define VALUE(x) TEXT(x)

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char build_version[] = JPBPF_VERSION JPBPF_COMMIT_NOTE;

/* As Tcl's TIP 59 has it: pairs that can be read from the file too, without running it.
 * A key ends in the time that its value is of, where there are two of them. */
/* clang-format off */
static const struct {
	const char *key, *value;
} config[] = {
	{ "jpbpf", JPBPF_VERSION },
	{ "commit", JPBPF_COMMIT },
	{ "compiler", COMPILER },
	{ "clang", JPBPF_CLANG },
	{ "bpftool", JPBPF_BPFTOOL },
	{ "libbpf,build",
	  VALUE(LIBBPF_MAJOR_VERSION) "." VALUE(LIBBPF_MINOR_VERSION) },
	{ "flags", JPBPF_FLAGS },
	{ "walkers", ""
#define WALKER(id, name, title, traits) " " #name
#include "walkers/walkers.def"
	  + 1 },
	{ "kernel,minimum", "6.1" },
	{ "prefix,install", JPBPF_PREFIX },
	{ "bindir,install", JPBPF_PREFIX "/bin" },
	{ NULL, NULL },
};
/* clang-format on */

const char *const build_first_keys[] = { "jpbpf", "commit", "compiler", "clang",
					 NULL };

void build_facts(struct fact *out)
{
	for (size_t i = 0; config[i].key; i++)
		fact_add_text(out, config[i].key, "%s", config[i].value);
	fact_add_text(out, "libbpf,runtime", "%u.%u", libbpf_major_version(),
		      libbpf_minor_version());
}
