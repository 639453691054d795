/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Two tables, made from the interpreters' own lists.
 *
 * The first has the commands that branch on their first argument in their own C
 * function; the kernel side reads that argument.  An ensemble is different: each
 * subcommand is a command in a namespace of its own, which is run directly
 * (generic/tclEnsemble.c, TclMakeEnsemble and CompileToInvokedCommand, core-8-6-13).
 * The second table gives the ensemble of such a namespace.  Ensembles are in the first
 * table too, because most of them were plain commands in an earlier version, as zlib is
 * in 8.6.
 */
#include "walkers/tcl/text/tcl_text.h"

#include <ctype.h>
#include <string.h>

#include <jpbpf/text.h>

/* From generic/tclBasic.c, builtInCmds, at core-8-6-13 and core-9-0-4 and the error
 * messages of each command; generic/tkWindow.c, commands, at core-8-6-13. */
const char *const tcl_subcommand_names[] = {
	"after", "array", "binary", "chan", "clock", "dict", "encoding", "file",
	"info", "interp", "namespace", "package", "string", "trace", "update",
	"zlib",
	/* Of Tcl 9 only. */
	"timer", "unicode", "zipfs",
	/* Of Tk. */
	".", "clipboard", "event", "font", "grab", "grid", "image", "option",
	"pack", "place", "selection", "tk", "tkwait", "winfo", "wm", NULL
};

/* Ensembles whose names are not the rest of their namespace behind "::tcl::", or that are
 * no command of the first table. */
static const struct {
	const char *ns, *ensemble;
} ensembles[] = {
	{ "::oo::InfoClass", "info class" },
	{ "::oo::InfoObject", "info object" },
	{ "::tcl::binary::decode", "binary decode" },
	{ "::tcl::binary::encode", "binary encode" },
	{ "::tcl::prefix", "tcl::prefix" },
	{ "::tcl::process", "tcl::process" },
};

size_t tcl_subcommands_keys(u64 *key, size_t max)
{
	size_t n = 0;

	for (; n < max && tcl_subcommand_names[n]; n++) {
		u64 words[TEXT_WORDS] = { 0 };
		size_t len = strlen(tcl_subcommand_names[n]);

		memcpy(words, tcl_subcommand_names[n], len);
		key[n] = text_id(words, len);
	}
	return n;
}

/* Whether name has only small letters and digits.  Helpers of an ensemble are in the
 * same namespace as its subcommands, but nearly all have other characters in their
 * names: ::tcl::clock::ParseFormatArgs. */
static bool all_small(const char *name)
{
	static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789";

	return *name && !name[strspn(name, small)];
}

/* Whether the command is a helper with a small name: those of clock, which C code
 * calls or which are imported from msgcat (library/clock.tcl, core-8-6-13). */
static bool is_helper(const char *ns, const char *name)
{
	return !strcmp(ns, "::tcl::clock") &&
	       (!strcmp(name, "getenv") || !strncmp(name, "mc", 2));
}

const char *tcl_subcommands_ensemble(const char *ns, const char *name)
{
	if (!all_small(name) || is_helper(ns, name))
		return NULL;
	for (size_t i = 0; i < sizeof(ensembles) / sizeof(ensembles[0]); i++)
		if (!strcmp(ensembles[i].ns, ns))
			return ensembles[i].ensemble;
	for (size_t i = 0;
	     !strncmp(ns, "::tcl::", 7) && tcl_subcommand_names[i]; i++)
		if (!strcmp(tcl_subcommand_names[i], ns + 7))
			return ns + 7;
	return NULL;
}

bool tcl_subcommands_is(const char *text)
{
	static const char inside[] = "0123456789_"
				     "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return isalpha((unsigned char)*text) && !text[strspn(text, inside)];
}
