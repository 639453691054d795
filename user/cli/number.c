/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * strtol() and strtod() accept much that nobody means (blanks, signs, hex, "nan",
 * an empty text). So the first character is checked before the call, and the end of
 * the number after it.
 */
#include "user/cli/number.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"

/* Reads a decimal number at *text and moves *text to its end. */
static int take(const char **text, long min, long max, long *out)
{
	const char *digits = **text == '-' ? *text + 1 : *text;
	char *end;
	long value;

	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	value = strtol(*text, &end, 10);
	*text = end;
	if (errno || value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

int number_parse(const char *text, long min, long max, long *out)
{
	long value = 0;
	int err = take(&text, min, max, &value);

	if (err == -EINVAL || *text)
		return -EINVAL;
	if (!err)
		*out = value;
	return err;
}

int number_parse_unit(const char *text, const char *units, unsigned base,
		      u64 *out)
{
	const char *unit;
	u64 value;
	long n = 0;

	if (take(&text, 1, UINT_MAX, &n) || !*text || text[1])
		return -EINVAL;
	unit = strchr(units, *text);
	if (!unit)
		return -EINVAL;
	for (value = n; unit > units; unit--)
		value *= base;
	*out = value;
	return 0;
}

int number_parse_seconds(const char *text, double max, double *out)
{
	size_t plain = strspn(text, "0123456789.");
	double value;
	char *end;

	if (!plain || text[plain])
		return -EINVAL;
	value = strtod(text, &end);
	if (*end || end == text)
		return -EINVAL;
	if (!(value > 0) || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

static void insert(int **list, size_t *n, int number)
{
	size_t at = 0;

	while (at < *n && (*list)[at] < number)
		at++;
	if (at < *n && (*list)[at] == number)
		return;
	*list = xreallocarray(*list, *n + 1, sizeof(**list));
	memmove(*list + at + 1, *list + at, (*n - at) * sizeof(**list));
	(*list)[at] = number;
	++*n;
}

static int take_item(const char **text, int min, int max, bool ranges,
		     int **list, size_t *n)
{
	long first = 0, last;
	int err = take(text, min, max, &first);

	last = first;
	if (!err && ranges && **text == '-') {
		++*text;
		err = take(text, first, max, &last);
	}
	for (; !err && first <= last; first++)
		insert(list, n, first);
	return err;
}

int number_parse_list(const char *text, int min, int max, bool ranges,
		      int **list, size_t *n)
{
	int err = take_item(&text, min, max, ranges, list, n);

	while (!err && *text)
		err = *text++ == ','
			      ? take_item(&text, min, max, ranges, list, n)
			      : -EINVAL;
	if (err)
		*n = 0;
	return err;
}
