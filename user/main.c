/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From the command line to an exit status. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "user/cli/verb.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"

/*
 * A standard descriptor that was closed would be given to the next file opened,
 * and messages would go into the result.  Standard output is held by one that
 * cannot be written to: a result without a place to go is an error.
 */
static void hold_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			 fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd)
			_exit(STATUS_FAILED);
}

static int run(const struct options *o)
{
	int status;

	if (o->print_rules)
		return rules_print(o->run.rules, stdout) ? STATUS_FAILED
							 : answer_end();
	switch (o->verb) {
	case VERB_REPORT:
	case VERB_CONVERT:
	case VERB_DIFF:
		return reading_run(o);
	case VERB_MAPS:
		return maps_run(o);
	case VERB_CHECK:
		return check_report(o->force);
	case VERB_INFO:
		return info_run(o);
	default:
		status = check_quietly(o->force);
		return status == STATUS_DONE ? session_run(&o->run) : status;
	}
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	hold_descriptors();
	if (!heap_has_reserve()) {
		log_err("no memory (see ulimit -v)");
		return STATUS_FAILED;
	}
	status = options_parse(&o, argc, argv);
	if (status)
		return status - 1;
	if (o.quiet || o.verbose)
		log_set_level(o.quiet ? LOG_QUIET : LOG_VERBOSE);
	status = run(&o);
	options_release(&o);
	return status;
}
