/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parses the command line by argp: the table of options, the help, the verb, and
 * conflicts between options. argument.c knows the form of each option's argument.
 *
 * argp never ends the program here: its errors and ours are returned. The command
 * after "--" is cut off first, because argp would take it for words like the verb.
 */
#include "user/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/walkers.h>

#include "user/cli/answer.h"
#include "user/cli/argument.h"
#include "user/cli/build.h"
#include "user/kernel/sources.h"
#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/format.h"

#define RATE_FILE "/proc/sys/kernel/perf_event_max_sample_rate"

static const char doc[] =
	"Profile Tcl and R programs down into their C code: interpreter and "
	"native frames in one stack, in their true order."
	"\v"
	"Without -p, -t or a command, every Tcl and R process on this host is "
	"profiled until ^C.  Of what a process forks, -p goes on with what "
	"executes no program, --children and a command with all.  "
	"Folded stacks go to standard output, everything "
	"else to standard error, also what a command writes when there is no "
	"-o.  A command that still runs at the end is asked to end (SIGTERM), "
	"and killed 2 s later.\n"
	"\n"
	"Examples:\n"
	"  jpbpf -d 10 -o all.folded             every Tcl and R process\n"
	"  jpbpf -p 812 -d 10 | flamegraph.pl > 812.svg\n"
	"  jpbpf -o run.folded -- Rscript model.R\n"
	"  sudo jpbpf check                      can this host profile?\n"
	"  jpbpf info 812                        which Tcl or R is in there?\n"
	"  jpbpf info /usr/lib/libtcl8.6.so get threaded";

static const struct argp_option table[] = {
	{ .doc = "Whom to profile:", .group = 1 },
	{ "pid", 'p', "LIST", 0, "These processes only: 812,813", 1 },
	{ "tid", 't', "LIST", 0, "These threads only", 1 },
	{ "all", 'a', NULL, 0, "Every process, not only Tcl and R", 1 },
	{ "children", ARGUMENT_FLAG(run.children), NULL, 0,
	  "With -p: all that they start, too", 1 },
	{ "comm", ARGUMENT_COMM, "REGEX", 0,
	  "Only with such a command name: '^R$'", 1 },
	{ "uid", ARGUMENT_UID, "LIST", 0, "Only of these users: 1000,lab", 1 },
	{ "cgroup", 'G', "PATH", 0, "Only in this cgroup (v2) or below", 1 },
	{ "cpu", 'C', "LIST", 0, "On these CPUs only: 0,2-3", 1 },

	{ .doc = "What to sample:", .group = 2 },
	{ "frequency", 'F', "HZ", 0, "Samples a second and CPU (99)", 2 },
	{ "duration", 'd', "SECONDS", 0, "Stop after so long; 0.5 works", 2 },
	{ "event", 'e', "EVENT", 0,
	  "What a sample is of, see below (cpu-clock)", 2 },
	{ "user", 'U', NULL, 0, "User frames only", 2 },
	{ "kernel", 'K', NULL, 0, "Kernel frames only, or [user mode]", 2 },
	{ "helper-reads", ARGUMENT_FLAG(run.helper_reads), NULL, 0,
	  "Read memory by the kernel's helper only: slower", 2 },
	{ "max-tables", ARGUMENT_MAX_TABLES, "MB", 0,
	  "Memory for unwind tables, at most (256)", 2 },
	{ "max-processes", ARGUMENT_MAX_PROCESSES, "N", 0,
	  "Processes at a time, at most (16384)", 2 },
	{ "max-files", ARGUMENT_MAX_FILES, "N", 0,
	  "Files with code at a time, at most (16384)", 2 },
	{ "max-profile", ARGUMENT_MAX_PROFILE, "MB", 0,
	  "Memory for stacks and names, at most (256)", 2 },
	{ "force", ARGUMENT_FLAG(force), NULL, 0,
	  "Even on a kernel that sampling may freeze", 2 },

	{ .doc = "What to write:", .group = 3 },
	{ "output", 'o', "FILE", 0, "Write there, not to standard output", 3 },
	{ "format", 'f', "NAME", 0, "Output format, see below (folded)", 3 },
	{ "internals", ARGUMENT_FLAG(run.internals), NULL, 0,
	  "Show the interpreters' own C functions too", 3 },
	{ "lines", ARGUMENT_FLAG(run.lines), NULL, 0,
	  "Put source lines behind names: f (a.tcl:12)", 3 },
	{ "inlines", ARGUMENT_FLAG(run.inlines), NULL, 0,
	  "Show functions that the compiler inlined: f_[i]", 3 },
	{ "addresses", ARGUMENT_FLAG(run.addresses), NULL, 0,
	  "Where there is no name: the instruction's address, not its "
	  "function's",
	  3 },
#define WALKER_OPTION(id, name, effect, help) \
	{ name, ARGUMENT_WALKER + id##_OPTION, NULL, 0, help, 3 },
#include "walkers/walkers.def"
	{ "stats", ARGUMENT_FLAG(run.stats), NULL, 0,
	  "Print every counter at the end", 3 },
	{ "json", ARGUMENT_FLAG(json), NULL, 0, "With info: as one JSON object",
	  3 },
	{ "quiet", 'q', NULL, 0, "Print errors, warnings and --stats only", 3 },
	{ "verbose", 'v', NULL, 0, "Print what is being done", 3 },

	/* argp moves help and version to group -1, the last. */
	{ "help", 'h', NULL, 0, "Print this help", -1 },
	{ "usage", ARGUMENT_USAGE, NULL, 0, "Print a short help", -1 },
	{ "version", 'V', NULL, 0, "Print the version", -1 },
	{ 0 }
};

static const struct {
	const char *name;
	enum verb verb;
} verbs[] = {
	{ "record", VERB_RECORD },
	{ "check", VERB_CHECK },
	{ "info", VERB_INFO },
};

/* Adds the tables of what is available to the help, between doc and exit statuses. */
static char *add_tables(int key, const char *text, void *input)
{
	struct buf b = { 0 };

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	buf_addf(&b, "%s\n\nFormats:\n", text);
	for (const struct format *f = formats; f->name; f++)
		buf_addf(&b, "  %-11s %s\n", f->name, f->help);
	buf_adds(&b, "\nEvents:\n");
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		buf_addf(&b, "  %-17s %s\n", sources[i].name, sources[i].help);
	buf_adds(&b, "\nExit status: 0 done, 1 failed, 2 wrong usage, "
		     "3 not permitted or not supported here; else the "
		     "command's: 128 and the signal that ended it, 127 when it "
		     "is not found, 126 when it cannot be run.");
	return b.data;
}

static int parse_verb(struct options *o, const char *word)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, word))
			continue;
		o->verb = verbs[i].verb;
		return 0;
	}
	log_err("'%s' is none of the verbs record, check and info; "
		"a command to profile comes after --: jpbpf -- %s",
		word, word);
	return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	int err;

	if (key == ARGP_KEY_ARG && state->arg_num == 0)
		return parse_verb(o, arg);
	if (key == ARGP_KEY_ARG && o->verb == VERB_INFO) {
		o->word = xgrow(o->word, o->words, &o->word_capacity,
				sizeof(*o->word));
		o->word[o->words++] = arg;
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		log_err("'%s' is one word too many; "
			"a command to profile comes after --",
			arg);
		return EINVAL;
	}
	if (key == 'V')
		printf("jpbpf %s\n", build_version);
	if (key == 'h')
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	if (key == ARGUMENT_USAGE)
		argp_state_help(state, stdout, ARGP_HELP_USAGE);
	if (key == 'V' || key == 'h' || key == ARGUMENT_USAGE)
		return ECANCELED;
	err = argument_parse(o, key, arg);
	return err == -ENOENT ? ARGP_ERR_UNKNOWN : -err;
}

static const struct argp argp = {
	.options = table,
	.parser = parse,
	.args_doc = "[record] [-- COMMAND...]\ncheck\n"
		    "info PID|FILE|self [list | get KEY...]",
	.doc = doc,
	.help_filter = add_tables,
};

/* Each pair of settings that contradict each other. */
static int check_conflicts(const struct options *o)
{
	bool listed = o->run.pids || o->run.tids;
	const struct {
		bool is;
		const char *message;
	} conflict[] = {
		{ o->run.user_only && o->run.kernel_only,
		  "-U and -K exclude each other; for user and kernel frames "
		  "leave both out" },
		{ o->run.all && listed,
		  "-a means every process; leave it out to profile only those "
		  "of -p and -t" },
		{ o->run.children && !o->run.pids,
		  "--children goes with -p: -p 812 --children; what a command "
		  "starts is profiled anyhow" },
		{ o->run.command && listed,
		  "a command after -- cannot be joined with -p or -t; run "
		  "jpbpf once for each" },
		{ o->run.command && o->verb == VERB_CHECK,
		  "check takes no command; leave out what follows --" },
		{ o->run.command && o->verb == VERB_INFO,
		  "info takes no command; start it, then give info its "
		  "process id" },
		{ o->json && o->verb != VERB_INFO,
		  "--json goes with info; a profile's form is chosen with -f" },
#define WALKER_CONFLICT(a, b, text)                        \
	{ o->run.walker_options >> a##_OPTION & 1 &&       \
		  o->run.walker_options >> b##_OPTION & 1, \
	  text },
#include "walkers/walkers.def"
		{ o->run.frequency && o->run.source->each,
		  "-F goes with events that are sampled so many times a "
		  "second; with this -e each event is a sample" },
		{ o->run.source->each && !strcmp(o->run.format, "rprof"),
		  "-f rprof counts time, which this -e does not; choose "
		  "another format" },
		{ o->quiet && o->verbose,
		  "-q and -v exclude each other; choose one" },
	};

	for (size_t i = 0; i < sizeof(conflict) / sizeof(*conflict); i++) {
		if (!conflict[i].is)
			continue;
		log_err("%s", conflict[i].message);
		return -EINVAL;
	}
	return 0;
}

/* Cuts the command after "--" off argv and lowers argc to the rest. */
static int split_command(struct options *o, int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (!argv[i + 1]) {
			log_err("no command after --; "
				"write it there: jpbpf -- Rscript model.R");
			return -EINVAL;
		}
		o->run.command = argv + i + 1;
		*argc = i;
		break;
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP;
	int err;

	*o = (struct options){
		.run = { .max_tables = ARGUMENT_TABLES_DEFAULT,
			 .max_processes = ARGUMENT_PROCESSES_DEFAULT,
			 .max_files = ARGUMENT_FILES_DEFAULT,
			 .max_profile = ARGUMENT_PROFILE_DEFAULT,
			 .format = "folded",
			 .source = sources },
	};
	argv[0] = program_invocation_short_name; /* for getopt's messages */
	err = split_command(o, &argc, argv);
	if (!err)
		err = argp_parse(&argp, argc, argv, flags, NULL, o);
	if (!err)
		err = check_conflicts(o) ||
		      argument_check_frequency(o, RATE_FILE);
	if (!o->run.frequency)
		o->run.frequency = ARGUMENT_FREQUENCY_DEFAULT;
	if (err)
		err = (err == ECANCELED ? answer_end() : STATUS_USAGE) + 1;
	if (err)
		options_release(o);
	return err;
}

void options_release(struct options *o)
{
	if (o->run.only.comm)
		regfree(o->run.only.comm);
	free(o->run.only.comm);
	free(o->run.only.uid);
	free(o->run.only.cgroup);
	free(o->run.pid);
	free(o->run.tid);
	free(o->run.cpu);
	free(o->word);
	*o = (struct options){ 0 };
}
