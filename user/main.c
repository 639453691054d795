/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* From the command line to an exit status. */
#include "user/cli/check.h"
#include "user/cli/options.h"
#include "user/lib/log.h"
#include "user/session/session.h"

int main(int argc, char **argv)
{
	struct options o;
	int status = options_parse(&o, argc, argv);

	if (status)
		return status - 1;
	if (o.quiet || o.verbose)
		log_set_level(o.quiet ? LOG_QUIET : LOG_VERBOSE);
	if (o.verb == VERB_CHECK) {
		status = check_report();
	} else {
		status = check_quietly();
		if (status == STATUS_DONE)
			status = session_run(&o);
	}
	options_release(&o);
	return status;
}
