/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The options and their arguments: from the text after an option to struct options. */
#ifndef JPBPF_USER_CLI_ARGUMENT_H
#define JPBPF_USER_CLI_ARGUMENT_H

#include "user/cli/options.h"

struct argp_option;

/* Keys of the options that only print something. */
enum { ARGUMENT_HELP = 'h', ARGUMENT_VERSION = 'V', ARGUMENT_USAGE = 1 };

/* The options of a verb, as argp wants them. */
const struct argp_option *argument_options(enum verb verb);
/* Sets the numbers that no option has set. */
void argument_set_defaults(struct options *o);
/* Stores one option; value is NULL for a flag, and must outlive o. 0; -ENOENT: no
 * such key; -EINVAL after a message with the remedy. */
int argument_parse(struct options *o, int key, const char *value);
/* Checks that this kernel permits o->frequency. rate_file is the sysctl's file
 * below /proc/sys. 0, or -EINVAL after a message. */
int argument_check_frequency(const struct options *o, const char *rate_file);

#endif
