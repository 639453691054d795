/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Every build has TCL_PATCH_LEVEL as a string of its own, "8.6.13", and TCL_VERSION,
 * "8.6", at least as the end of a longer string.  Another program's version number of
 * the same form has no such second string.
 */
#include "walkers/tcl/derive/tcl_found.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "user/lib/guard.h"

#define MAX_RODATA (64ull << 20)
#define MAX_TRIES  256 /* texts that look like a version */

/* 13 to 0x13. */
static u32 two_digits(unsigned int n)
{
	return n / 10 << 4 | n % 10;
}

u32 tcl_version_number(const char *text)
{
	unsigned int major, minor, patch;
	int end = 0;
	char dot;

	if (text[strspn(text, "0123456789.ab")] ||
	    sscanf(text, "%1u.%2u%c%2u%n", &major, &minor, &dot, &patch,
		   &end) != 4 ||
	    text[end] || major < 8 || !strchr(".ab", dot))
		return 0;
	return major << 16 | two_digits(minor) << 8 |
	       (dot == '.' ? two_digits(patch) : 0);
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
		/* Each try searches all the text. */
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
