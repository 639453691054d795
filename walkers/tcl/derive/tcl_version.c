/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Version: TCL_PATCH_LEVEL is in every build as a string of its own, "8.6.13";
 * so is TCL_VERSION, "8.6", at least as the end of a longer string, which tells
 * it from another program's number of the same form.
 */
#include "walkers/tcl/derive/tcl_version.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/elf/module.h"

#define MAX_RODATA (64ull << 20)
#define MAX_FOUND  16
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

struct rodata {
	char *text; /* len bytes and a NUL */
	size_t len;
};

/* "8.6" of "8.6.13", as the end of some string? */
static bool has_short_form(const struct rodata *r, const char *level)
{
	char form[8];
	size_t len = strcspn(level + 2, ".ab") + 2;

	if (len + 1 > sizeof(form))
		return false;
	memcpy(form, level, len);
	form[len] = '\0';
	return memmem(r->text, r->len, form, len + 1);
}

static bool known(const char (*found)[16], size_t n, const char *level)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(found[i], level))
			return true;
	return false;
}

static size_t find_levels(const struct rodata *r, u32 major, char (*found)[16])
{
	size_t n = 0, tries = 0, len;

	for (size_t at = 0; at < r->len && n < MAX_FOUND; at += len + 1) {
		const char *level = r->text + at;

		len = strlen(level);
		if (len < 4 || len >= sizeof(found[0]) ||
		    !tcl_version_number(level) ||
		    (major && (u32)(level[0] - '0') != major) ||
		    known((const char(*)[16])found, n, level))
			continue;
		/* Each is a search of all the text. */
		if (tries++ == MAX_TRIES)
			break;
		if (!has_short_form(r, level))
			continue;
		memcpy(found[n++], level, len + 1);
	}
	return n;
}

static int read_rodata(const struct module *m, struct rodata *r)
{
	u64 vaddr, size;

	if (module_section(m, ".rodata", &vaddr, &size) || size > MAX_RODATA)
		return -ENOENT;
	r->text = xmalloc(size + 1);
	r->len = size;
	r->text[size] = '\0';
	return module_read(m, vaddr, r->text, size);
}

int tcl_version_find(const struct module *m, u32 major, struct tcl_version *v)
{
	char found[MAX_FOUND][16];
	struct rodata r = { 0 };
	size_t n = 0;

	*v = (struct tcl_version){ 0 };
	if (!read_rodata(m, &r))
		n = find_levels(&r, major, found);
	free(r.text);
	if (n != 1)
		return n ? -EEXIST : -ENOENT;
	memcpy(v->text, found[0], sizeof(v->text));
	v->number = tcl_version_number(v->text);
	return 0;
}
