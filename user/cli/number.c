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

/* Reads a decimal number in [min, max] at *text and moves *text to its end. */
static bool take(const char **text, long min, long max, long *out)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*out = strtol(*text, &end, 10);
	*text = end;
	return !errno && *out >= min && *out <= max;
}

int number_parse(const char *text, long min, long max, long *out)
{
	long value;

	if (!take(&text, min, max, &value) || *text)
		return -EINVAL;
	*out = value;
	return 0;
}

int number_parse_unit(const char *text, const char *units, unsigned base,
		      u64 *out)
{
	const char *unit;
	long n;

	if (!take(&text, 1, UINT_MAX, &n) || !*text || text[1])
		return -EINVAL;
	unit = strchr(units, *text);
	if (!unit)
		return -EINVAL;
	for (*out = n; unit > units; unit--)
		*out *= base;
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
	if (*end || end == text || !(value > 0) || value > max)
		return -EINVAL;
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

int number_parse_list(const char *text, int min, int max, bool ranges,
		      int **list, size_t *n)
{
	long first, last;

	for (;; text++) {
		if (!take(&text, min, max, &first))
			return -EINVAL;
		last = first;
		if (ranges && *text == '-') {
			text++;
			if (!take(&text, first, max, &last))
				return -EINVAL;
		}
		for (; first <= last; first++)
			insert(list, n, first);
		if (*text != ',')
			return *text ? -EINVAL : 0;
	}
}
