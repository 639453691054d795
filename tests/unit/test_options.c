/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The command line as a whole: what each option sets, and which exit status a
 * refusal gives.  The messages are in tests/golden/usage_errors.sh.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <jpbpf/walkers.h>

#include "user/cli/argument.h"
#include "user/cli/options.h"
#include "user/kernel/events.h"

#define WORDS 32

/* Parse a line of words; the words live as long as the test. */
static int parse(struct options *o, const char *line)
{
	static char text[512];
	static char *argv[WORDS];
	char *rest = text, *word;
	int argc = 0;

	snprintf(text, sizeof(text), "jpbpf %s", line);
	memset(argv, 0, sizeof(argv));
	while ((word = strsep(&rest, " ")) && argc < WORDS - 1)
		if (*word)
			argv[argc++] = word;
	return options_parse(o, argc, argv);
}

/* The same, with what it prints thrown away. */
static int parse_silently(const char *line)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct options o;
	int status;

	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	status = parse(&o, line);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(null);
	return status;
}

static void has_defaults(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, ""), 0);
	assert_int_equal(o.verb, VERB_RUN);
	assert_int_equal(o.run.pids, 0);
	assert_int_equal(o.run.engine.tids, 0);
	assert_int_equal(o.run.engine.cpus, 0);
	assert_false(o.run.all || o.run.children);
	assert_true(!o.run.only.comm && !o.run.only.uids && !o.run.only.cgroup);
	assert_int_equal(o.run.engine.frequency, 99);
	assert_true(o.run.duration == 0);
	assert_null(o.run.output);
	assert_string_equal(o.run.format, "folded");
	assert_int_equal(o.run.engine.sources, 1 << SOURCE_CPU_CLOCK);
	assert_false(o.run.engine.user_only || o.run.engine.kernel_only ||
		     o.run.view.internals);
	assert_false(o.run.view.lines || o.run.view.inlines ||
		     o.run.view.walker_options || o.run.engine.helper_reads ||
		     o.force || o.run.stats || o.quiet || o.verbose);
	assert_null(o.run.command);
	options_release(&o);
}

static void takes_short_options(void **state)
{
	struct options o;
	char line[128];

	(void)state;
	snprintf(line, sizeof(line),
		 "-p %d,1 -p 1 -F 50 -d 0.5 -o x -f folded -e cycles -C 0 -U",
		 getpid());
	assert_int_equal(parse(&o, line), 0);
	assert_int_equal(o.run.pids, getpid() == 1 ? 1 : 2);
	assert_int_equal(o.run.pid[0], 1);
	assert_int_equal(o.run.pid[o.run.pids - 1], getpid());
	assert_int_equal(o.run.engine.frequency, 50);
	assert_true(o.run.duration == 500000000);
	assert_string_equal(o.run.output, "x");
	assert_int_equal(o.run.engine.sources, 1 << SOURCE_CYCLES);
	assert_int_equal(o.run.engine.cpus, 1);
	assert_int_equal(o.run.engine.cpu[0], 0);
	assert_true(o.run.engine.user_only);
	options_release(&o);
	assert_null(o.run.pid);

	assert_int_equal(parse(&o, "-aKv -o -"), 0);
	assert_true(o.run.all && o.run.engine.kernel_only && o.verbose);
	assert_null(o.run.output);
	options_release(&o);
}

static void takes_long_options(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(
		parse(&o,
		      "--tid=1 --frequency=7 --duration 3 "
		      "--output=y --format=folded --cpu=0 "
		      "--event=cpu-clock --kernel --internals "
		      "--lines --inlines --lexical --expr --helper-reads --force "
		      "--stats --quiet"),
		0);
	assert_int_equal(o.run.engine.tids, 1);
	assert_int_equal(o.run.engine.tid[0], 1);
	assert_int_equal(o.run.engine.frequency, 7);
	assert_true(o.run.duration == 3000000000);
	assert_string_equal(o.run.output, "y");
	assert_true(o.run.engine.kernel_only && o.run.view.internals &&
		    o.run.stats && o.quiet);
	assert_true(o.run.view.lines);
	assert_true(o.run.view.inlines);
	assert_int_equal(o.run.view.walker_options,
			 1u << R_LEXICAL_OPTION | 1u << R_EXPR_OPTION);
	assert_true(o.run.engine.helper_reads);
	assert_true(o.force);
	options_release(&o);
	assert_int_equal(parse(&o, "--promises"), 0);
	assert_int_equal(o.run.view.walker_options, 1u << R_PROMISES_OPTION);
	options_release(&o);
}

static void takes_a_choice(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "-p 1 --children --comm ^R$ --comm ^tcl "
				   "--uid 7,root --uid 4294967294"),
			 0);
	assert_true(o.run.children);
	assert_int_equal(regexec(o.run.only.comm, "tclsh8.6", 0, NULL, 0), 0);
	assert_int_equal(regexec(o.run.only.comm, "R", 0, NULL, 0),
			 REG_NOMATCH);
	assert_int_equal(o.run.only.uids, 3);
	assert_int_equal(o.run.only.uid[0], 7);
	assert_int_equal(o.run.only.uid[1], 0);
	assert_int_equal(o.run.only.uid[2], 4294967294u);
	assert_null(o.run.only.cgroup);
	options_release(&o);
	assert_null(o.run.only.comm);
	assert_null(o.run.only.uid);
}

/* The order of events is that of the table, however often and where each is given. */
static void takes_events(void **state)
{
	const u32 both = 1u << SOURCE_CPU_CLOCK | 1u << SOURCE_PAGE_FAULTS;
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "record -o x -F 7 -e page-faults -e "
				   "cpu-clock,page-faults"),
			 0);
	assert_int_equal(o.run.engine.sources, both);
	assert_int_equal(o.run.engine.frequency, 7);
	assert_int_equal(sources_timed(both), 1u << SOURCE_CPU_CLOCK);
	options_release(&o);
	assert_int_equal(parse(&o, "-f pprof -o x -e cpu-clock,page-faults"),
			 0);
	assert_int_equal(o.run.engine.sources, both);
	options_release(&o);
}

static void takes_verb_and_command(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(&o, "check"), 0);
	assert_int_equal(o.verb, VERB_CHECK);
	options_release(&o);

	assert_int_equal(parse(&o, "info 812 --json get a b"), 0);
	assert_int_equal(o.verb, VERB_INFO);
	assert_true(o.run.json);
	assert_int_equal(o.words, 4);
	assert_string_equal(o.word[0], "812");
	assert_string_equal(o.word[3], "b");
	options_release(&o);

	assert_int_equal(parse(&o, "record -o x -F 9 -- ls -l -F check --"), 0);
	assert_int_equal(o.verb, VERB_RECORD);
	assert_int_equal(o.run.engine.frequency, 9);
	assert_string_equal(o.run.command[0], "ls");
	assert_string_equal(o.run.command[2], "-F");
	assert_string_equal(o.run.command[4], "--");
	assert_null(o.run.command[5]);
	options_release(&o);

	assert_int_equal(parse(&o, "-- check"), 0);
	assert_int_equal(o.verb, VERB_RUN);
	assert_string_equal(o.run.command[0], "check");
	options_release(&o);
}

static void answers_and_refuses(void **state)
{
	static const struct {
		const char *line;
		int status;
	} row[] = {
		{ "--help", STATUS_DONE },
		{ "-h -p x", STATUS_DONE },
		{ "--usage", STATUS_DONE },
		{ "--version", STATUS_DONE },
		{ "-V", STATUS_DONE },
		{ "--frob", STATUS_USAGE },
		{ "-F", STATUS_USAGE },
		{ "-p 1 -p x", STATUS_USAGE },
		{ "-t 0", STATUS_USAGE },
		{ "-C 99999", STATUS_USAGE },
		{ "-f nonsense", STATUS_USAGE },
		{ "-U -K", STATUS_USAGE },
		{ "-e", STATUS_USAGE },
		{ "-e cycles,", STATUS_USAGE },
		{ "-e cpu-clock,walltime", STATUS_USAGE },
		{ "-e page-faults,cpu-migrations -F 99", STATUS_USAGE },
		{ "-e cycles,page-faults", STATUS_USAGE }, /* folded */
		{ "-e cycles -e page-faults -f rprof", STATUS_USAGE },
		{ "-e page-faults -f rprof", STATUS_USAGE },
		{ "-a -t 1", STATUS_USAGE },
		{ "--children", STATUS_USAGE },
		{ "-t 1 --children", STATUS_USAGE },
		{ "--children -- ls", STATUS_USAGE },
		{ "--comm (", STATUS_USAGE },
		{ "--comm ^R$ --comm [", STATUS_USAGE },
		{ "--uid no/such/user", STATUS_USAGE },
		{ "--uid 1,", STATUS_USAGE },
		{ "--uid -1", STATUS_USAGE },
		{ "--uid 4294967295", STATUS_USAGE },
		{ "-G /", STATUS_USAGE },
		{ "-G /no/such/cgroup", STATUS_USAGE },
		{ "-G /proc/self/comm", STATUS_USAGE },
		{ "record record", STATUS_USAGE },
		{ "ls", STATUS_USAGE },
		{ "--", STATUS_USAGE },
		{ "-t 1 -- ls", STATUS_USAGE },
		{ "check -- ls", STATUS_USAGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %s\n", row[i].line);
		assert_int_equal(parse_silently(row[i].line),
				 row[i].status + 1);
	}
}

static void keeps_to_the_kernels_rate(void **state)
{
	char path[] = "/tmp/test_options.XXXXXX";
	int fd = mkstemp(path);
	struct options o = { .run.engine.frequency = 1000 };

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "1000\n", 5), 5);
	close(fd);
	assert_int_equal(argument_check_frequency(&o, path), 0);
	o.run.engine.frequency = 1001;
	assert_int_not_equal(argument_check_frequency(&o, path), 0);
	unlink(path);
	assert_int_equal(argument_check_frequency(&o, path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_defaults),
		cmocka_unit_test(takes_short_options),
		cmocka_unit_test(takes_long_options),
		cmocka_unit_test(takes_a_choice),
		cmocka_unit_test(takes_events),
		cmocka_unit_test(takes_verb_and_command),
		cmocka_unit_test(answers_and_refuses),
		cmocka_unit_test(keeps_to_the_kernels_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
