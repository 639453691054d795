/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is told of Tcl for people to read. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_TEXT_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

#include "walkers/walker.h"

struct pairs;

/* tcl_facts.c */

/* The operations facts and config of struct walker_file_ops. */
void tcl_facts(const struct walker_site *site, struct fact *out);
void tcl_facts_config(const struct walker_site *site, struct fact *out);
/* Reads how Tcl was configured (TIP 59) without running any of its code: the keys and
 * values, in the order of `::tcl::pkgconfig list`.  0, or -ENOENT: the file has no such
 * table.  The caller calls pairs_release() in either case. */
int tcl_config_read(struct pairs *p, const struct module *m);
/* Appends the build options that are on, " (threaded, optimized)", or nothing. */
void tcl_config_describe(const struct pairs *p, struct buf *out);

/* tcl_name.c: the operation read of struct walker. */
enum walker_says tcl_name(const u64 *word, const struct walker_texts *texts,
			  struct walker_text *out);

/* tcl_subcommands.c: commands whose first argument says more than their name alone:
 * `string map`, `.w configure`. */

/* Names of commands in the global namespace; "." stands for every name that begins so.
 * NULL ends them. */
extern const char *const tcl_subcommand_names[];

/* The text ids of these names, at most max.  Returns their number. */
size_t tcl_subcommands_keys(u64 *key, size_t max);
/* The ensemble of the subcommand name in the namespace ns, as scripts write the
 * ensemble: "string" for "::tcl::string".  NULL if there is none. */
const char *tcl_subcommands_ensemble(const char *ns, const char *name);
/* Whether text can be a subcommand.  The first argument may also be a window, a number
 * or an option. */
bool tcl_subcommands_is(const char *text);

#endif
