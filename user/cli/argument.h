/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The arguments of options: from the text after an option to struct options. */
#ifndef JPBPF_USER_CLI_ARGUMENT_H
#define JPBPF_USER_CLI_ARGUMENT_H

#include "user/cli/options.h"

/* Keys of options without a letter. They are not printable, so argp shows none. A
 * plain flag's key holds the offset of its bool in struct options. */
#define ARGUMENT_FLAG(name) (1024 + (int)offsetof(struct options, name))
#define ARGUMENT_WALKER	    512 /* and the number of a walker's option */
enum argument_key {
	ARGUMENT_USAGE = 1,
	ARGUMENT_MAX_TABLES,
	ARGUMENT_MAX_PROCESSES,
	ARGUMENT_MAX_FILES,
	ARGUMENT_MAX_PROFILE,
	ARGUMENT_COMM,
	ARGUMENT_UID
};

#define ARGUMENT_FREQUENCY_DEFAULT 99  /* Hz */
#define ARGUMENT_TABLES_DEFAULT	   256 /* MiB */
#define ARGUMENT_PROCESSES_DEFAULT 16384
#define ARGUMENT_FILES_DEFAULT	   16384
#define ARGUMENT_PROFILE_DEFAULT   256 /* MiB */

/* Stores one option; value is NULL for a flag, and must outlive o. 0; -ENOENT: no
 * such key; -EINVAL after a message with the remedy. */
int argument_parse(struct options *o, int key, const char *value);
/* Checks that this kernel permits o->frequency. rate_file is the sysctl's file
 * below /proc/sys. 0, or -EINVAL after a message. */
int argument_check_frequency(const struct options *o, const char *rate_file);

#endif
