/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* stdio tells of a full disk when it empties its buffer, and at exit nobody. */
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
