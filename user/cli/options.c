/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parses the command line by argp: the help, the verb, and conflicts between options.
 * argument.c has the table of options and knows the form of each one's argument.
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

#include "user/cli/argument.h"
#include "user/cli/build.h"
#include "user/kernel/events.h"
#include "user/lib/buf.h"
#include "user/lib/log.h"
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

/* The words that are no options: a verb and, of info only, what follows it. */
static int parse_words(struct options *o, char **word, int n)
{
	static const char *const verb[] = {
		[VERB_RECORD] = "record",
		[VERB_CHECK] = "check",
		[VERB_INFO] = "info",
	};

	while (o->verb <= VERB_INFO && strcmp(verb[o->verb], word[0]))
		o->verb++;
	if (o->verb > VERB_INFO) {
		log_err("'%s' is none of the verbs record, check and info; "
			"a command to profile comes after --: jpbpf -- %s",
			word[0], word[0]);
		return EINVAL;
	}
	if (o->verb == VERB_INFO) {
		o->word = word + 1;
		o->words = n - 1;
	} else if (n > 1) {
		log_err("'%s' is one word too many; "
			"a command to profile comes after --",
			word[1]);
		return EINVAL;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	int err;

	switch (key) {
	case ARGP_KEY_ARGS:
		return parse_words(o, state->argv + state->next,
				   state->argc - state->next);
	case ARGUMENT_VERSION:
		printf("jpbpf %s\n", build_version);
		return ECANCELED;
	case ARGUMENT_HELP:
	case ARGUMENT_USAGE:
		argp_state_help(state, stdout,
				key == ARGUMENT_HELP ? ARGP_HELP_STD_HELP
						     : ARGP_HELP_USAGE);
		return ECANCELED;
	}
	err = argument_parse(o, key, arg);
	return err == -ENOENT ? ARGP_ERR_UNKNOWN : -err;
}

/* Each pair of settings that contradict each other. */
static int check_conflicts(const struct options *o)
{
	bool listed = o->run.pids || o->run.engine.tids;
	const struct {
		bool is;
		const char *message;
	} conflict[] = {
		{ o->run.engine.user_only && o->run.engine.kernel_only,
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
#define WALKER_CONFLICT(a, b, text)                             \
	{ o->run.view.walker_options >> a##_OPTION & 1 &&       \
		  o->run.view.walker_options >> b##_OPTION & 1, \
	  text },
#include "walkers/walkers.def"
		{ o->run.engine.frequency && o->run.engine.source->each,
		  "-F goes with events that are sampled so many times a "
		  "second; with this -e each event is a sample" },
		{ o->run.engine.source->each && !strcmp(o->run.format, "rprof"),
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

/* stdio reports a full disk only when it empties its buffer, and nobody checks the
 * flush at exit. */
int answer_end(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_DONE;
	log_err("cannot write to standard output: %m");
	return STATUS_FAILED;
}

int options_parse(struct options *o, int argc, char **argv)
{
	const struct argp argp = {
		.options = argument_options(),
		.parser = parse,
		.args_doc = "[record] [-- COMMAND...]\ncheck\n"
			    "info PID|FILE|self [list | get KEY...]",
		.doc = doc,
		.help_filter = add_tables,
	};
	unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP;
	int err;

	*o = (struct options){ .run.format = "folded",
			       .run.engine.source = sources };
	argv[0] = program_invocation_short_name; /* for getopt's messages */
	err = split_command(o, &argc, argv);
	if (!err)
		err = argp_parse(&argp, argc, argv, flags, NULL, o);
	if (!err)
		err = check_conflicts(o) ||
		      argument_check_frequency(o, RATE_FILE);
	argument_set_defaults(o);
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
	free(o->run.engine.tid);
	free(o->run.engine.cpu);
	*o = (struct options){ 0 };
}
