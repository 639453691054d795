/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Lists what the walker itself uses.  Only the list of interpreters goes further: the
 * proof stops at the first one, the facts contain all of them.
 *
 * Addresses are virtual addresses of the file, except those of interpreters.
 */
#include "walkers/tcl/text/tcl_text.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/fact.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/elf/pairs.h"
#include "user/target/thread.h"
#include "walkers/tcl/prove/tcl_attach.h"
#include "walkers/tcl/derive/tcl_found.h"

static void add_interps(const struct walker_site *site, struct fact *out,
			const struct tcl_interps *all)
{
	struct fact *list = fact_add_list(out, "interpreters");

	for (size_t i = 0; i < all->n; i++) {
		struct fact *one = fact_add_group(list, NULL);
		pid_t tid = thread_by_pthread(site->proc, site->pid,
					      all->interp[i].thread);

		fact_add_text(one, "address", "0x%llx", all->interp[i].address);
		if (tid > 0)
			fact_add_number(one, "thread", (u64)tid);
	}
	fact_add_truth(out, "interpreters_complete", !all->short_);
}

static void add_layout(const struct walker_site *site, struct fact *out)
{
	const struct tcl_found *t = site->data;
	struct fact *layout = fact_add_group(out, "layout");
	struct tcl_attach a = { .found = t,
				.pid = site->pid,
				.bias = site->bias };
	const char *more = "; only a process can prove it";
	struct tcl_interps all = { 0 };
	_cleanup_buf_ struct buf why = { 0 };

	fact_add_text(layout, "versions", "%s", t->row->versions);
	fact_add_truth(layout, "known", !t->unknown);
	if (site->pid) {
		tcl_attach(&a, site->maps, &all, &why);
		more = "; no interpreter was found in the memory";
	}
	fact_add_truth(layout, "proven", all.n != 0);
	if (all.n)
		fact_add_text(layout, "proof",
			      "%zu live interpreter%s; agrees with the machine "
			      "code",
			      all.n, all.n == 1 ? "" : "s");
	else
		fact_add_text(layout, "proof", "%s%s",
			      why.len ? buf_text(&why)
				      : "agrees with the machine code",
			      why.len ? "" : more);
	if (site->pid)
		add_interps(site, out, &all);
	free(all.interp);
}

void tcl_facts(const struct walker_site *site, struct fact *out)
{
	const struct tcl_found *t = site->data;

	fact_add_text(out, "version", "%s", t->version.text);
	fact_add_text(out, "found_by", "Tcl's stub table at 0x%llx",
		      t->stubs.table);
	add_layout(site, out);
	fact_add_text(out, "bytecode_engine", "0x%llx-0x%llx",
		      t->file.tebc_start, t->file.tebc_end);
	if (t->file.dispatch)
		fact_add_text(out, "dispatch", "0x%llx", t->file.dispatch);
}

/*
 * The constant array cfg[] of generic/tclPkgConfig.c (core-8-6-13, core-9-0-1) holds
 * pairs of strings: the flags {"debug", "0"}, {"threaded", "1"}, ..., then the
 * directories {"libdir,runtime", "/usr/lib"}, ... Extensions register arrays of the
 * same form; Tk's has all flags but the last two.
 */
static const char *const flags[] = {
	"debug",     "threaded",      "profiled",      "64bit", "optimized",
	"mem_debug", "compile_debug", "compile_stats", NULL,
};

int tcl_config_read(struct pairs *p, const struct module *m)
{
	return pairs_read(p, m, flags);
}

void tcl_config_describe(const struct pairs *p, struct buf *out)
{
	const char *separator = " (";

	for (const char *const *flag = flags; *flag; flag++) {
		const char *value = pairs_find(p, *flag);

		/* 64bit tells an option of configure, not the pointer size. */
		if (!value || strcmp(value, "1") || !strcmp(*flag, "64bit"))
			continue;
		buf_adds(out, separator);
		buf_adds(out, *flag);
		separator = ", ";
	}
	if (separator[0] == ',')
		buf_addc(out, ')');
}

static void add_package(void *all, const char *package, const struct pairs *p)
{
	struct fact *out = fact_add_group(all, package);

	for (size_t i = 0; i < p->n; i++)
		fact_add_text(out, p->pair[i].key, "%s", p->pair[i].value);
}

/* The keys of several packages are told apart: "tk::fontsystem". */
static void add_keys(struct fact *out, const struct fact *package, bool several)
{
	for (const struct fact *f = package->first; f; f = f->next) {
		_cleanup_free_ char *key =
			several ? xasprintf("%s::%s", package->key, f->key)
				: xstrdup(f->key);

		fact_add_text(out, key, "%s", f->text);
	}
}

void tcl_facts_config(const struct walker_site *site, struct fact *out)
{
	struct fact *all = fact_new();
	struct pairs p;

	if (!tcl_config_read(&p, site->m))
		add_package(all, "tcl", &p);
	else
		tcl_registered(site->m, add_package, all);
	for (const struct fact *f = all->first; f; f = f->next)
		add_keys(out, f, all->first != all->last);
	pairs_release(&p);
	fact_free(all);
}
