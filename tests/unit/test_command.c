/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A command finds its signals, limits and descriptors as jpbpf found them, its output
 * does not get between the stacks, and it runs only when it is let run. */
#include "user/session/command.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/session/descriptors.h"
#include "user/session/signals.h"

#define FEW 256 /* open files */

/* What a command, and who starts it, has written. */
struct written {
	char out[8192], err[8192];
};

static void read_back(int fd, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

static int scratch_file(void)
{
	char path[] = "/tmp/test_command.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

struct run {
	const char *script; /* of sh; NULL: a program that there is not */
	bool to_stderr, is_started, is_waited_for;
};

static int exit_status; /* of the last run */

/* Runs it with other files as standard output and error. What command_start() says. */
static bool run(const struct run *r, struct written *w)
{
	const char *shell[] = { "sh", "-c", r->script, NULL };
	const char *nothing[] = { "/nonexistent/program", NULL };
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int new_out = scratch_file(), new_err = scratch_file();
	bool result = false;
	char **argv = (char **)(r->script ? shell : nothing);
	struct command c = COMMAND_NONE;

	fflush(stdout);
	dup2(new_out, STDOUT_FILENO);
	dup2(new_err, STDERR_FILENO);
	if (command_prepare(&c, argv, r->to_stderr))
		abort();
	if (r->is_started)
		result = command_start(&c, argv[0]);
	while (r->is_waited_for && !command_ended(&c))
		usleep(1000);
	command_release(&c);
	exit_status = command_status(&c);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	read_back(new_out, w->out, sizeof(w->out));
	read_back(new_err, w->err, sizeof(w->err));
	assert_int_equal(c.pid, 0);
	return result;
}

static void goes_to(const char *script, bool to_stderr, const char *out,
		    const char *err)
{
	const struct run r = { script, to_stderr, true, true };
	struct written w;

	assert_true(run(&r, &w));
	assert_string_equal(w.out, out);
	assert_string_equal(w.err, err);
}

static void test_output(void **state)
{
	(void)state;
	goes_to("echo out; echo err >&2", false, "out\n", "err\n");
	goes_to("echo out; echo err >&2", true, "", "out\nerr\n");
}

/* The set of signals that are ignored, in a command. */
static u64 ignored(void)
{
	const struct run r = { "cat /proc/self/status", false, true, true };
	struct written w;
	const char *at;

	assert_true(run(&r, &w));
	at = strstr(w.out, "SigIgn:");
	assert_non_null(at);
	return strtoull(at + strlen("SigIgn:"), NULL, 16);
}

static bool is_ignored(int number)
{
	struct sigaction now;

	sigaction(number, NULL, &now);
	return now.sa_handler == SIG_IGN;
}

static void test_signals(void **state)
{
	static const int number[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE,
				      SIGXFSZ };
	u64 all = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++) {
		all |= 1ull << (number[i] - 1);
		signal(number[i], SIG_DFL);
	}
	assert_int_equal(signals_catch(), 0);
	assert_false(is_ignored(SIGHUP));
	assert_true(is_ignored(SIGPIPE));
	assert_int_equal(ignored() & all, 0);

	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		signal(number[i], SIG_IGN);
	assert_int_equal(signals_catch(), 0);
	/* As nohup has it; but kill -INT ends what runs in the background. */
	assert_true(is_ignored(SIGHUP));
	assert_false(is_ignored(SIGINT));
	assert_false(is_ignored(SIGTERM));
	assert_int_equal(ignored() & all, all);
	signals_restore();
	assert_true(is_ignored(SIGINT));
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		signal(number[i], SIG_DFL);
	assert_int_equal(signals_catch(), 0);
}

static void test_open_files(void **state)
{
	struct rlimit before, now;
	char expected[64];

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	now = (struct rlimit){ FEW, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
	snprintf(expected, sizeof(expected), "%d\n%llu\n", FEW,
		 (unsigned long long)before.rlim_max);
	goes_to("ulimit -Sn; ulimit -Hn", false, expected, "");
	assert_true(descriptors_raise(100) <= 100);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_true(now.rlim_cur > FEW);
	goes_to("ulimit -Sn; ulimit -Hn", false, expected, "");
	descriptors_restore();
	getrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(now.rlim_cur, FEW);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* With less than is wanted a part is for targets' files, and it is told how many. */
static void test_few_files(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		const struct rlimit few = { 3000, 3000 };
		u32 files;

		setrlimit(RLIMIT_NOFILE, &few);
		files = descriptors_raise(10000);
		/* A process that may raise it has them all. */
		_exit(files == 2250 || files == 10000 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(descriptors_wanted(10000) > 10000);
}

static void test_not_let_run(void **state)
{
	const struct run r = { "echo ran >&2", false, false, false };
	struct written w;

	(void)state;
	assert_false(run(&r, &w));
	assert_string_equal(w.err, "");
}

static void test_outlives(void **state)
{
	const struct run r = { "exec sleep 1000", false, true, false };
	struct written w;

	(void)state;
	assert_true(run(&r, &w));
	assert_string_equal(w.err, "jpbpf: the command still runs: asked to "
				   "end (SIGTERM)\n");
	assert_int_equal(exit_status, 0);
}

static void test_no_program(void **state)
{
	const struct run r = { NULL, false, true, false };
	struct written w;

	(void)state;
	assert_false(run(&r, &w));
	assert_non_null(strstr(w.err, "cannot run '/nonexistent/program': No "
				      "such file or directory ("));
	assert_int_equal(exit_status, 127);
}

/* How a command has ended is how jpbpf does, and one line says it when that is no
 * success. */
static void test_exit_status(void **state)
{
	static const struct {
		const char *script;
		int status;
		const char *err;
	} row[] = {
		{ "exit 0", 0, "" },
		{ "exit 3", 3,
		  "jpbpf: warning: the command failed: exit status 3\n" },
		{ "exit 255", 255,
		  "jpbpf: warning: the command failed: exit status 255\n" },
		{ "kill -SEGV $$", 139,
		  "jpbpf: warning: the command was ended by SIGSEGV\n" },
		{ "kill -TERM $$", 143,
		  "jpbpf: warning: the command was ended by SIGTERM\n" },
		{ "kill -40 $$", 168,
		  "jpbpf: warning: the command was ended by SIGRT\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct run r = { row[i].script, false, true, true };
		struct written w;

		print_message("# %s\n", row[i].script);
		assert_true(run(&r, &w));
		assert_int_equal(exit_status, row[i].status);
		assert_string_equal(w.err, row[i].err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_open_files),
		cmocka_unit_test(test_few_files),
		cmocka_unit_test(test_not_let_run),
		cmocka_unit_test(test_outlives),
		cmocka_unit_test(test_no_program),
		cmocka_unit_test(test_exit_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
