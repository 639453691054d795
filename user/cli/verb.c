/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* argp wraps these texts; a line that begins with a blank stays as it is. */
#include "user/cli/verb.h"

#include <string.h>

#include "user/kernel/events.h"
#include "user/lib/buf.h"
#include "user/output/format.h"

const struct verb_help verbs[VERBS] = {
	[VERB_RUN] = {
		.args = "[-- COMMAND...]\n"
			"record|dump|errors|trace|report|convert|diff|maps|check|info ...",
		.doc = "Profile Tcl and R programs down into their C code: "
		       "interpreter and native frames in one stack, in their "
		       "true order."
		       "\v"
		       "Without -p, -t or a command, every Tcl and R process on "
		       "this host is profiled until ^C.  Of what a process "
		       "forks, -p goes on with what executes no program, "
		       "--children and a command with all.  On a terminal a "
		       "report comes at the end; into a pipe or a file go "
		       "folded stacks.  Everything else goes to standard "
		       "error, also what a command writes when there is no -o.  "
		       "A command that still runs at the end is asked to end "
		       "(SIGTERM), and killed 2 s later.\n"
		       "\n"
		       "Verbs, each with its own --help:\n"
		       "  record      sample into a file, to be read as often as wanted\n"
		       "  dump        the stack of every thread, now\n"
		       "  errors      who raises errors?\n"
		       "  trace       each call of chosen functions, exactly\n"
		       "  report      read it: trees, lists, callers, source lines\n"
		       "  convert     write it in a format of other tools\n"
		       "  diff        compare two of them\n"
		       "  maps        where do addresses belong?\n"
		       "  check       can this host profile?\n"
		       "  info        what is in a process or file?\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf -p 812 -d 10                    look at a process\n"
		       "  jpbpf -d 10 -o all.folded             every Tcl and R process\n"
		       "  jpbpf -p 812 -d 10 -f html -o 812.html\n"
		       "  jpbpf -o run.folded -- Rscript model.R\n"
		       "  jpbpf record -o run.jpb -p 812        keep it\n"
		       "  sudo jpbpf check                      can this host profile?",
		.formats = true,
		.events = true,
		.statuses = true,
	},
	[VERB_RECORD] = {
		.name = "record",
		.args = "-o FILE [-- COMMAND...]",
		.doc = "Sample into a recording.  It is read by report, convert "
		       "and diff, on any host and without root."
		       "\v"
		       "The file grows while samples are taken and can be read at "
		       "any time.  How stacks are shown is chosen at reading; "
		       "lines, inlined functions and expressions are recorded if "
		       "they are asked for here.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf record -o run.jpb -p 812 -d 60 --lines\n"
		       "  jpbpf record -o run.jpb --rotate 1h --keep 24\n"
		       "  jpbpf record -o run.jpb --control ctl -- wish main.tcl\n"
		       "  echo mark loading > ctl\n"
		       "  jpbpf report run.jpb --phase loading",
		.events = true,
		.statuses = true,
	},
	[VERB_DUMP] = {
		.name = "dump",
		.args = "",
		.doc = "Show the stack of every thread now, also of those that "
		       "sleep or are stopped.  Nothing is stopped for it."
		       "\v"
		       "Without -p or -t it shows every Tcl and R process of this "
		       "host.  The innermost frame comes first.  Threads that do "
		       "the same in the same place are one entry.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf dump -p 812\n"
		       "  jpbpf dump -p 812 --json\n"
		       "  jpbpf dump -a -f folded               one line for each stack",
		.formats = true,
		.statuses = true,
	},
	[VERB_ERRORS] = {
		.name = "errors",
		.args = "[-- COMMAND...]",
		.doc = "Show who raises errors, whether they are handled or not: "
		       "the joint stack at that moment, and the message."
		       "\v"
		       "Each error counts once, where it is raised first.  Equal "
		       "stacks with equal messages are one entry; numbers in "
		       "messages are N.  Probes (uprobes) change some instructions of "
		       "the processes meanwhile.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf errors -p 812\n"
		       "  jpbpf errors -p 812 --warnings --cxx --first 100\n"
		       "  jpbpf errors -p 812 -d 60 -f html -o errors.html\n"
		       "  jpbpf record -e errors,cpu-clock -p 812 -o run.jpb",
		.formats = true,
		.statuses = true,
	},
	[VERB_TRACE] = {
		.name = "trace",
		.args = "PATTERN... [-- COMMAND...]",
		.doc = "Count each call of chosen functions exactly: how often, how "
		       "long, and how it ended."
		       "\v"
		       "A pattern is tcl:NAME, r:NAME or c:FILE:NAME, with * and ? "
		       "in names as profiles show them; ^ means what begins so.  "
		       "Probes (uprobes) change some instructions of the processes "
		       "meanwhile, and each call of any function of the language "
		       "takes some microseconds longer.\n"
		       "\n"
		       "Without -f: a table; -f json: the same as JSON; any other "
		       "format: stacks of the chosen functions by their own time.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf trace -p 812 'tcl:::app::*' --not 'tcl:*log*'\n"
		       "  jpbpf trace -p 812 -d 10 'r:^fit' --as db='r:DBI::*'\n"
		       "  jpbpf trace -f html -o calls.html 'c:libfoo.so:*' -- ./main",
		.formats = true,
		.statuses = true,
	},
	[VERB_REPORT] = {
		.name = "report",
		.args = "FILE...",
		.doc = "Show what recordings hold: the tree of calls, or what is "
		       "chosen.  Several files are one profile."
		       "\v"
		       "In is what a function did itself, Under that and all "
		       "beneath it.\n"
		       "\n"
		       "Lists: function, space (package or namespace), line, "
		       "module, process, thread, event.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf report run.jpb\n"
		       "  jpbpf report run.jpb --flat function --least 2\n"
		       "  jpbpf report run.jpb --calls lsort\n"
		       "  jpbpf report run.jpb --source main.tcl",
	},
	[VERB_CONVERT] = {
		.name = "convert",
		.args = "FILE...",
		.doc = "Write recordings in a format of other tools.  Several files "
		       "are one profile."
		       "\v"
		       "Examples:\n"
		       "  jpbpf convert run.jpb -f html -o run.html\n"
		       "  jpbpf convert run.jpb -f pprof -o run.pb.gz\n"
		       "  jpbpf convert a.jpb b.jpb --since 60 | flamegraph.pl > ab.svg",
		.formats = true,
	},
	[VERB_DIFF] = {
		.name = "diff",
		.args = "A B",
		.doc = "Compare two recordings: what became more and less from A to "
		       "B."
		       "\v"
		       "B's numbers are brought to A's total.  What chance may have "
		       "made is grey and has a ~.  Formats: report, folded (the "
		       "two counts of difffolded.pl) and html.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf diff before.jpb after.jpb\n"
		       "  jpbpf diff before.jpb after.jpb -f html -o diff.html",
	},
	[VERB_MAPS] = {
		.name = "maps",
		.args = "[ADDRESS...|-]",
		.doc = "Say which module, function and line an address of a process "
		       "belongs to.  Without addresses: what code it maps."
		       "\v"
		       "Addresses are hexadecimal; - reads them from standard input, "
		       "one a line.\n"
		       "\n"
		       "Examples:\n"
		       "  jpbpf maps -p 812\n"
		       "  jpbpf maps -p 812 0x7f52a1c3d2b0\n"
		       "  jpbpf maps -p 812 --json - <addresses",
	},
	[VERB_CHECK] = {
		.name = "check",
		.args = "",
		.doc = "Say what this host lacks for profiling, and the remedy for "
		       "each.",
		.statuses = true,
	},
	[VERB_INFO] = {
		.name = "info",
		.args = "PID|FILE|self [list | get KEY...]",
		.doc = "Say which Tcl or R is in a process or file, and how it was "
		       "built."
		       "\v"
		       "Examples:\n"
		       "  jpbpf info 812                        which Tcl or R is in there?\n"
		       "  jpbpf info /usr/lib/libtcl8.6.so get threaded",
	},
};

enum verb verb_find(const char *name)
{
	int verb = VERBS - 1;

	while (verb > VERB_RUN && strcmp(verbs[verb].name, name) != 0)
		verb--;
	return verb;
}

char *verb_tables(enum verb verb, const char *text)
{
	const struct verb_help *v = &verbs[verb];
	struct buf b = { 0 };

	buf_adds(&b, text ? text : "");
	if (v->formats)
		buf_adds(&b, "\n\nFormats:\n");
	for (const struct format *f = formats; v->formats && f->name; f++)
		buf_addf(&b, "  %-11s %s\n", f->name, f->help);
	if (v->events)
		buf_addf(&b, "%s\nEvents:\n", v->formats ? "" : "\n");
	for (size_t i = 0; v->events && i < SOURCE_COUNT; i++)
		buf_addf(&b, "  %-17s %s\n", sources[i].name, sources[i].help);
	if (v->statuses)
		buf_adds(&b,
			 "\nExit status: 0 done, 1 failed, 2 wrong usage, "
			 "3 not permitted or not supported here; else the "
			 "command's: 128 and the signal that ended it, 127 "
			 "when it is not found, 126 when it cannot be run.");
	return b.data;
}
