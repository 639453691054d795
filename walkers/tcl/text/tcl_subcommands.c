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
#include "walkers/tcl/text/tcl_subcommands.h"

#include <string.h>

#include <jpbpf/text.h>

/* From generic/tclBasic.c, builtInCmds, at core-8-6-13 and core-9-0-4 and the error
 * messages of each command; generic/tkWindow.c, commands, at core-8-6-13. */
static const struct tcl_subcommand table[] = {
	{ "after", TCL_ORIGIN_TCL },	 { "array", TCL_ORIGIN_TCL },
	{ "binary", TCL_ORIGIN_TCL },	 { "chan", TCL_ORIGIN_TCL },
	{ "clock", TCL_ORIGIN_TCL },	 { "dict", TCL_ORIGIN_TCL },
	{ "encoding", TCL_ORIGIN_TCL },	 { "file", TCL_ORIGIN_TCL },
	{ "info", TCL_ORIGIN_TCL },	 { "interp", TCL_ORIGIN_TCL },
	{ "namespace", TCL_ORIGIN_TCL }, { "package", TCL_ORIGIN_TCL },
	{ "string", TCL_ORIGIN_TCL },	 { "trace", TCL_ORIGIN_TCL },
	{ "update", TCL_ORIGIN_TCL },	 { "zlib", TCL_ORIGIN_TCL },

	{ "timer", TCL_ORIGIN_TCL9 },	 { "unicode", TCL_ORIGIN_TCL9 },
	{ "zipfs", TCL_ORIGIN_TCL9 },

	{ ".", TCL_ORIGIN_TK },		 { "clipboard", TCL_ORIGIN_TK },
	{ "event", TCL_ORIGIN_TK },	 { "font", TCL_ORIGIN_TK },
	{ "grab", TCL_ORIGIN_TK },	 { "grid", TCL_ORIGIN_TK },
	{ "image", TCL_ORIGIN_TK },	 { "option", TCL_ORIGIN_TK },
	{ "pack", TCL_ORIGIN_TK },	 { "place", TCL_ORIGIN_TK },
	{ "selection", TCL_ORIGIN_TK },	 { "tk", TCL_ORIGIN_TK },
	{ "tkwait", TCL_ORIGIN_TK },	 { "winfo", TCL_ORIGIN_TK },
	{ "wm", TCL_ORIGIN_TK },
};

static const struct {
	const char *ns, *ensemble;
} ensembles[] = {
	{ "::oo::InfoClass", "info class" },
	{ "::oo::InfoObject", "info object" },
	{ "::tcl::array", "array" },
	{ "::tcl::binary", "binary" },
	{ "::tcl::binary::decode", "binary decode" },
	{ "::tcl::binary::encode", "binary encode" },
	{ "::tcl::chan", "chan" },
	{ "::tcl::clock", "clock" },
	{ "::tcl::dict", "dict" },
	{ "::tcl::encoding", "encoding" },
	{ "::tcl::file", "file" },
	{ "::tcl::info", "info" },
	{ "::tcl::namespace", "namespace" },
	{ "::tcl::prefix", "tcl::prefix" },
	{ "::tcl::process", "tcl::process" },
	{ "::tcl::string", "string" },
	{ "::tcl::timer", "timer" },
	{ "::tcl::unicode", "unicode" },
	{ "::tcl::zipfs", "zipfs" },
	{ "::tcl::zlib", "zlib" },
};

const struct tcl_subcommand *tcl_subcommands_table(size_t *n)
{
	*n = sizeof(table) / sizeof(table[0]);
	return table;
}

size_t tcl_subcommands_keys(u64 *key, size_t max)
{
	size_t n = sizeof(table) / sizeof(table[0]);

	if (n > max)
		n = max;
	for (size_t i = 0; i < n; i++) {
		u64 words[TEXT_WORDS] = { 0 };
		size_t len = strlen(table[i].name);

		memcpy(words, table[i].name, len);
		key[i] = text_id(words, len);
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
	for (size_t i = 0; i < sizeof(ensembles) / sizeof(ensembles[0]); i++) {
		if (!strcmp(ensembles[i].ns, ns))
			return ensembles[i].ensemble;
	}
	return NULL;
}

bool tcl_subcommands_is(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char others[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_";

	return *text && strchr(letters, *text) && !text[strspn(text, others)];
}
