/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdwfl checks where a name begins; what follows the last byte of a table that
 * has no NUL there is the heap.  It reads tables through libelf, which keeps one
 * copy of each section: the name points into that copy.
 */
#include "user/symbolize/strtab.h"

#include <gelf.h>
#include <string.h>

#define STRAYS_MAX 64 /* then a name in no table known is not looked for */

static bool is_inside(const struct strtab *s, const char *name)
{
	return s->table && name >= s->table && name < s->table + s->len;
}

static bool find(struct strtab *s, Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		const Elf_Data *d;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_STRTAB)
			continue;
		d = elf_getdata(scn, NULL);
		if (!d || !d->d_buf)
			continue;
		s->table = d->d_buf;
		s->len = d->d_size;
		if (is_inside(s, name))
			return true;
	}
	return false;
}

bool strtab_holds(struct strtab *s, Elf *elf, const char *name)
{
	if (!is_inside(s, name)) {
		if (s->strays > STRAYS_MAX)
			return false;
		if (!find(s, elf, name)) {
			s->strays++;
			return false;
		}
	}
	return memchr(name, '\0', s->table + s->len - name);
}
