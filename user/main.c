/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From the command line to an exit status. */
#include <fcntl.h>
#include <unistd.h>

#include "user/cli/check.h"
#include "user/cli/info.h"
#include "user/cli/options.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/session/session.h"

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
	if (o.verb == VERB_CHECK) {
		status = check_report(o.force);
	} else if (o.verb == VERB_INFO) {
		status = info_run(&o);
	} else {
		status = check_quietly(o.force);
		if (status == STATUS_DONE)
			status = session_run(&o.run);
	}
	options_release(&o);
	return status;
}
