/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* stdio reports a full disk only when it empties its buffer, and nobody checks the
 * flush at exit. So standard output is flushed and checked here. */
#include "user/cli/answer.h"

#include <stdio.h>

#include "user/cli/options.h"
#include "user/lib/log.h"

int answer_end(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return STATUS_DONE;
	log_err("cannot write to standard output: %m");
	return STATUS_FAILED;
}
