/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Commands of which the first argument tells more than the name alone: `string
 * map`, `.w configure`.
 */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_SUBCOMMANDS_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_SUBCOMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

/* Where a command comes from. */
enum tcl_origin { TCL_ORIGIN_TCL, TCL_ORIGIN_TK, TCL_ORIGIN_TCL9 };

struct tcl_subcommand {
	const char *name; /* in the global namespace; ".": all that begin so */
	enum tcl_origin origin;
};

/* All of them; n gets the number. */
const struct tcl_subcommand *tcl_subcommands_table(size_t *n);
/* Their text ids, as struct walker's global_keys. */
size_t tcl_subcommands_keys(u64 *key, size_t max);
/* The ensemble whose subcommands are the commands of this namespace, as it is
 * written in a script: "string" for "::tcl::string"; NULL: none. */
const char *tcl_subcommands_ensemble(const char *ns, const char *name);
/* Can text be a subcommand?  The first argument may also be a window, a number
 * or an option. */
bool tcl_subcommands_is(const char *text);

#endif
