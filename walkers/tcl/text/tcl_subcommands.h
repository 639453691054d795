/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Commands whose first argument says more than their name alone: `string map`, `.w
 * configure`.
 */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_SUBCOMMANDS_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_SUBCOMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

/* The program or version that a command comes with. */
enum tcl_origin { TCL_ORIGIN_TCL, TCL_ORIGIN_TK, TCL_ORIGIN_TCL9 };

struct tcl_subcommand {
	/* In the global namespace; ".": every name that begins so. */
	const char *name;
	enum tcl_origin origin;
};

/* The first table, of *n entries. */
const struct tcl_subcommand *tcl_subcommands_table(size_t *n);
/* The text ids of the table's names, at most max.  Returns their number. */
size_t tcl_subcommands_keys(u64 *key, size_t max);
/* The ensemble of the subcommand name in the namespace ns, as scripts write the
 * ensemble: "string" for "::tcl::string".  NULL if there is none. */
const char *tcl_subcommands_ensemble(const char *ns, const char *name);
/* Whether text can be a subcommand.  The first argument may also be a window, a number
 * or an option. */
bool tcl_subcommands_is(const char *text);

#endif
