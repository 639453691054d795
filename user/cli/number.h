/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Numbers as people write them on a command line.
 *
 * Nothing is printed here; the caller knows the option. All functions return 0, or
 * -EINVAL: not a number of that form, or out of bounds. After an error a number is
 * unchanged, and of a list what came before is there.
 */
#ifndef JPBPF_USER_CLI_NUMBER_H
#define JPBPF_USER_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <jpbpf/types.h>

/* The whole text is one decimal number in [min, max]. */
int number_parse(const char *text, long min, long max, long *out);
/* Seconds, above 0, with or without a fraction. */
int number_parse_seconds(const char *text, double max, double *out);
/* A whole number above 0 and one of the units: the first stands for 1, each other for base
 * times the one before. */
int number_parse_unit(const char *text, const char *units, unsigned base,
		      u64 *out);
/* Parses "3,5" or, with ranges, "0,2-3", and adds the numbers to a list of n, which is
 * sorted and without duplicates. The caller frees it. */
int number_parse_list(const char *text, int min, int max, bool ranges,
		      int **list, size_t *n);

#endif
