/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parses the command line by argp: the verb, then its options, and conflicts between
 * them.  argument.c has the table of options and knows the form of each one's argument;
 * verb.c has the texts of the help.
 *
 * argp never ends the program here: its errors and ours are returned. The command
 * after "--" is cut off first, because argp would take it for words like the verb.
 */
#include "user/cli/verb.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpbpf/walkers.h>

#include "user/cli/argument.h"
#include "user/cli/build.h"
#include "user/cli/calls.h"
#include "user/kernel/events.h"
#include "user/lib/buf.h"
#include "user/lib/log.h"
#include "user/output/format.h"

/* Percent of a CPU, besides what the probes themselves take. */
#define ERRORS_COST 1
#define RATE_FILE   "/proc/sys/kernel/perf_event_max_sample_rate"

static char *add_tables(int key, const char *text, void *input)
{
	const struct options *o = input;

	return key == ARGP_KEY_HELP_POST_DOC ? verb_tables(o->verb, text)
					     : (char *)text;
}

/* The words that are no options. */
static int parse_words(struct options *o, char **word, int n)
{
	enum verb verb = verb_find(word[0]);

	if (o->verb == VERB_TRACE) {
		for (int i = 0; i < n; i++)
			if (calls_choose(o, word[i]))
				return EINVAL;
		return 0;
	}
	if (o->verb > VERB_ERRORS && o->verb != VERB_CHECK) {
		o->word = word;
		o->words = n;
		return 0;
	}
	if (o->verb != VERB_RUN)
		log_err("'%s' is one word too many; "
			"a command to profile comes after --",
			word[0]);
	else if (verb)
		log_err("'%s' comes first: jpbpf %s ...", word[0], word[0]);
	else
		log_err("'%s' is none of the verbs record, dump, errors, trace, report, "
			"convert, diff, maps, check and info; a command to profile comes after --: "
			"jpbpf -- %s",
			word[0], word[0]);
	return EINVAL;
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

struct conflict {
	bool is;
	const char *message;
};

/* Tell the first that is there.  0 or -EINVAL. */
static int tell_conflict(const struct conflict *conflict, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!conflict[i].is)
			continue;
		log_err("%s", conflict[i].message);
		return -EINVAL;
	}
	return 0;
}

/* Each pair of settings that contradict each other. */
static int check_conflicts(const struct options *o)
{
	const struct session_config *run = &o->run;
	bool listed = run->pids || run->engine.tids;
	bool is_timed = sources_timed(run->engine.sources);
	const struct conflict conflict[] = {
		{ run->engine.user_only && run->engine.kernel_only,
		  "-U and -K exclude each other; for user and kernel frames "
		  "leave both out" },
		{ run->all && listed,
		  "-a means every process; leave it out to profile only those "
		  "of -p and -t" },
		{ run->children && !run->pids,
		  "--children goes with -p: -p 812 --children; what a command "
		  "starts is profiled anyhow" },
		{ run->command && listed,
		  "a command after -- cannot be joined with -p or -t; run "
		  "jpbpf once for each" },
		{ run->command && o->verb > VERB_RECORD &&
			  o->verb != VERB_ERRORS && o->verb != VERB_TRACE,
		  "only sampling takes a command; leave out what follows --" },
#define WALKER_CONFLICT(a, b, text)                           \
	{ run->view.walker_options >> a##_OPTION & 1 &&       \
		  run->view.walker_options >> b##_OPTION & 1, \
	  text },
#include "walkers/walkers.def"
		{ run->engine.frequency && !is_timed,
		  "-F goes with events that are sampled so many times a "
		  "second; with this -e each event is a sample" },
		{ !is_timed && run->format && !strcmp(run->format, "rprof"),
		  "-f rprof counts time, which this -e does not; choose "
		  "another format" },
		{ o->verb == VERB_RECORD && run->format,
		  "record writes a recording; read it in any format: jpbpf "
		  "convert run.jpb -f html" },
		{ o->verb == VERB_RECORD && !run->output &&
			  isatty(STDOUT_FILENO),
		  "a recording is not for a terminal; give a file: jpbpf record "
		  "-o run.jpb" },
		{ o->verb == VERB_DIFF && o->words != 2 && !o->print_rules,
		  "diff compares two recordings: jpbpf diff before.jpb "
		  "after.jpb" },
		{ (o->verb == VERB_REPORT || o->verb == VERB_CONVERT) &&
			  !o->words && !o->print_rules,
		  "no recording was given: jpbpf report run.jpb; one is made "
		  "by: jpbpf record -o run.jpb" },
		{ run->format && format_find(run->format)->is_binary &&
			  !run->output && isatty(STDOUT_FILENO),
		  "this format is not for a terminal; give a file with -o" },
		{ run->json && run->format,
		  "--json and -f are two formats; choose one" },
		{ (run->warnings || run->cxx || run->first) &&
			  !(run->engine.sources >> SOURCE_ERRORS & 1),
		  "--warnings, --cxx and --first are about errors: jpbpf errors, "
		  "or -e errors" },
		{ run->engine.sources >> SOURCE_CALLS & 1 && !run->calls.n,
		  "which functions? Give patterns: jpbpf trace -p 812 "
		  "'tcl:::app::*' 'r:stats::optim' 'c:libfoo.so:bar', or with "
		  "other events --trace PATTERN" },
		{ run->engine.sources >> SOURCE_ENTERS & 1 && !run->calls.n,
		  "enters are calls of chosen functions: --trace PATTERN" },
		{ o->verb == VERB_MAPS && run->pids != 1,
		  "maps looks at one process: jpbpf maps -p 812" },
		{ o->quiet && o->verbose,
		  "-q and -v exclude each other; choose one" },
	};

	return tell_conflict(conflict, sizeof(conflict) / sizeof(*conflict));
}

/* A thread on a CPU is sampled at a tick of the clock, so a high frequency finds it
 * soon. */
static void dump_settings(struct options *o)
{
	struct session_config *run = &o->run;

	run->dump = run->engine.threads = run->engine.user_only = true;
	run->engine.frequency = 499;
	run->engine.max_cost = 100;
	if (run->format)
		return;
	run->view.lines = run->view.inlines = run->view.branches = true;
#define WALKER_OPTION(id, name, effect, help) \
	if ((effect) == WALKER_WRITES)        \
		run->view.walker_options |= 1u << id##_OPTION;
#include "walkers/walkers.def"
}

/* A person at a terminal gets a report, a program folded stacks. */
static int choose_format(struct options *o)
{
	const struct format *f;
	bool people = o->verb == VERB_RUN || o->verb == VERB_TRACE
			      ? !o->run.output && isatty(STDOUT_FILENO)
			      : o->verb == VERB_REPORT || o->verb == VERB_DIFF;

	if (o->verb == VERB_DUMP)
		dump_settings(o);
	else if (!o->run.format && o->verb == VERB_ERRORS)
		o->run.format = "errors";
	else if (!o->run.format && (o->verb != VERB_TRACE || o->run.stacks))
		o->run.format = people ? "report" : "folded";
	o->run.record = o->verb == VERB_RECORD;
	o->run.version = build_version;
	o->load.view = o->run.view;
	if (!o->run.format)
		return 0;
	f = format_find(o->run.format);
	/* Rules of the user add to the built-in ones, which would hide what --internals
	 * asks for. */
	if (!o->no_rules && ((f->for_people && !o->run.view.internals) ||
			     rules_count(o->run.rules) || o->print_rules))
		rules_builtin(o->run.rules);
	if (o->verb != VERB_RUN || !f->one_event ||
	    __builtin_popcount(o->run.engine.sources) == 1)
		return 0;
	log_err("-f %s holds one event; give one with -e, another format "
		"(-f pprof), or keep all: jpbpf record -o run.jpb",
		f->name);
	return -EINVAL;
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

/* The verb is the first word; it becomes the name of the program in argp's messages. */
static enum verb take_verb(int *argc, char ***argv)
{
	static char name[32];
	enum verb verb = *argc > 1 ? verb_find((*argv)[1]) : VERB_RUN;

	if (verb) {
		(*argc)--;
		(*argv)++;
	}
	snprintf(name, sizeof(name), "%s%s%s", program_invocation_short_name,
		 verb ? " " : "", verb ? verbs[verb].name : "");
	(*argv)[0] = name;
	return verb;
}

/* What recordings say of the options: the command behind "--" is left out. */
static char *join(int argc, char **argv)
{
	struct buf text = { 0 };

	for (int i = 1; i < argc; i++)
		buf_addf(&text, "%s%s", i > 1 ? " " : "", argv[i]);
	buf_addc(&text, '\0');
	return text.data;
}

int options_parse(struct options *o, int argc, char **argv)
{
	enum verb verb = take_verb(&argc, &argv);
	const struct argp argp = {
		.options = argument_options(verb),
		.parser = parse,
		.args_doc = verbs[verb].args,
		.doc = verbs[verb].doc,
		.help_filter = add_tables,
	};
	int err;

	*o = (struct options){ .verb = verb,
			       .report.least = 0.5,
			       .run.rules = rules_new() };
	err = split_command(o, &argc, argv);
	o->run.told = join(argc, argv);
	if (!err)
		err = argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP,
				 NULL, o);
	if (!o->run.engine.sources)
		o->run.engine.sources =
			1u << (verb == VERB_ERRORS  ? SOURCE_ERRORS
			       : verb == VERB_TRACE ? SOURCE_CALLS
						    : SOURCE_CPU_CLOCK);
	if (o->run.calls.n)
		o->run.engine.sources |= 1u << SOURCE_CALLS;
	if (o->run.stacks)
		o->run.engine.sources |= 1u << SOURCE_ENTERS;
	err = err ?: check_conflicts(o) ?: calls_check(o) ?: argument_check_frequency(o, RATE_FILE);
	if (verb == VERB_ERRORS && !o->run.engine.max_cost)
		o->run.engine.max_cost = ERRORS_COST;
	/* A stack for each call. */
	if (verb == VERB_TRACE)
		o->run.engine.max_cost = 100;
	argument_set_defaults(o);
	err = err ?: choose_format(o);
	if (!err)
		return 0;
	options_release(o);
	return (err == ECANCELED ? answer_end() : STATUS_USAGE) + 1;
}

static void release_regex(regex_t *regex)
{
	if (regex)
		regfree(regex);
	free(regex);
}

void options_release(struct options *o)
{
	free(o->load.pid);
	free(o->run.told);
	free(o->run.pid);
	free(o->run.only.uid);
	free(o->run.only.cgroup);
	free(o->run.engine.tid);
	free(o->run.engine.cpu);
	release_regex(o->run.only.comm);
	release_regex(o->load.comm);
	patterns_release(&o->run.calls);
	rules_free(o->run.rules);
	*o = (struct options){ 0 };
}
