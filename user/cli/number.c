/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * strtol() and strtod() accept much that nobody means (blanks, signs, hex, "nan",
 * an empty text). So the first character is checked before the call, and the end of
 * the number after it.
 */
#include "user/cli/number.h"

#include <ctype.h>
#include <errno.h>
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

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void sort_unique(struct numbers *list)
{
	size_t kept = 0;

	qsort(list->number, list->n, sizeof(*list->number), compare);
	for (size_t i = 0; i < list->n; i++)
		if (!kept || list->number[i] != list->number[kept - 1])
			list->number[kept++] = list->number[i];
	list->n = kept;
}

static void append(struct numbers *list, long first, long last)
{
	list->number = xreallocarray(list->number, list->n + (last - first) + 1,
				     sizeof(*list->number));
	for (long i = first; i <= last; i++)
		list->number[list->n++] = i;
}

static int parse_items(const char *text, int min, int max, bool ranges,
		       struct numbers *list)
{
	while (true) {
		long first = 0, last;
		int err = take(&text, min, max, &first);

		last = first;
		if (!err && ranges && *text == '-') {
			text++;
			err = take(&text, first, max, &last);
		}
		if (err)
			return err;
		append(list, first, last);
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int number_parse_list(const char *text, int min, int max, bool ranges,
		      struct numbers *list)
{
	size_t before = list->n;
	int err = parse_items(text, min, max, ranges, list);

	if (err)
		list->n = before;
	else
		sort_unique(list);
	return err;
}
