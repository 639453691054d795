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

/* A key ends in the time that its value is of, where there are two of them. */
/* clang-format off */
const struct build_pair build_config[] = {
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
	for (const struct build_pair *p = build_config; p->key; p++)
		fact_add_text(out, p->key, "%s", p->value);
	fact_add_text(out, "libbpf,runtime", "%u.%u", libbpf_major_version(),
		      libbpf_minor_version());
}
