/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Version: TCL_PATCH_LEVEL is in every build as a string of its own, "8.6.13";
 * so is TCL_VERSION, "8.6", at least as the end of a longer string, which tells
 * it from another program's number of the same form.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <errno.h>
#include <string.h>

#include "user/lib/guard.h"

#define MAX_RODATA (64ull << 20)
#define MAX_TRIES  256 /* texts that look like a version */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "13" to 0x13; advances text; -1: no number of one or two digits. */
static int two_digits(const char **text)
{
	int value = 0, n = 0;

	for (; is_digit(**text); n++, ++*text) {
		if (n == 2)
			return -1;
		value = value << 4 | (**text - '0');
	}
	return n ? value : -1;
}

u32 tcl_version_number(const char *text)
{
	int major = two_digits(&text), minor, patch;
	char dot;

	if (major < 8 || major > 9 || *text++ != '.')
		return 0;
	minor = two_digits(&text);
	dot = *text;
	if (minor < 0 || (dot != '.' && dot != 'a' && dot != 'b'))
		return 0;
	text++;
	patch = two_digits(&text);
	if (patch < 0 || *text)
		return 0;
	return (u32)major << 16 | (u32)minor << 8 |
	       (dot == '.' ? (u32)patch : 0);
}

/* Whether "8.6" of "8.6.13" is the end of some string. */
static bool has_short_form(const char *text, size_t size, const char *level)
{
	char form[8];
	size_t len = strcspn(level + 2, ".ab") + 2;

	if (len + 1 > sizeof(form))
		return false;
	memcpy(form, level, len);
	form[len] = '\0';
	return memmem(text, size, form, len + 1);
}

int tcl_version_find(const struct module *m, u32 major, struct tcl_version *v)
{
	_cleanup_free_ char *text = NULL;
	size_t size, len, tries = 0;
	bool several = false;

	*v = (struct tcl_version){ 0 };
	if (module_section_copy(m, ".rodata", MAX_RODATA, &text, &size))
		size = 0;
	for (size_t at = 0; at < size; at += len + 1) {
		const char *level = text + at;

		len = strlen(level);
		if (len < 4 || len >= sizeof(v->text) ||
		    !tcl_version_number(level) ||
		    (major && (u32)(level[0] - '0') != major) ||
		    !strcmp(level, v->text))
			continue;
		/* Each is a search of all the text. */
		if (tries++ == MAX_TRIES)
			break;
		if (!has_short_form(text, size, level))
			continue;
		several |= v->number != 0;
		memcpy(v->text, level, len + 1);
		v->number = tcl_version_number(level);
	}
	if (!v->number)
		return -ENOENT;
	return several ? -EEXIST : 0;
}
