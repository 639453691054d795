/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdwfl checks where a name begins; what follows the last byte of a table that
 * has no NUL there is the heap.  It reads tables through libelf, which keeps one
 * copy of each section: the name points into that copy.  Where the last NUL is says
 * for all names of a table whether they end.
 */
#include "user/debuginfo/strtab.h"

#include <gelf.h>
#include <string.h>

#include "user/elf/section.h"

#define TABLES_MAX (1u << 30) /* bytes of a file */
#define STRAYS_MAX 64 /* then a name in no table known is not looked for */

static bool is_inside(const struct strtab *s, const char *name)
{
	return s->table && name >= s->table && name < s->table + s->len;
}

/* The strings of a table of symbols, and their header. */
static Elf_Scn *linked(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh)
{
	if (!gelf_getshdr(scn, sh) ||
	    (sh->sh_type != SHT_SYMTAB && sh->sh_type != SHT_DYNSYM))
		return NULL;
	scn = elf_getscn(elf, sh->sh_link);
	return scn && gelf_getshdr(scn, sh) && sh->sh_type == SHT_STRTAB ? scn
									 : NULL;
}

static bool find(struct strtab *s, Elf *elf, const char *name)
{
	u64 room = TABLES_MAX;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Scn *strings = linked(elf, scn, &sh);
		const Elf_Data *d;

		if (!strings || !section_take(strings, &sh, &room))
			continue;
		d = elf_getdata(strings, NULL);
		if (!d || !d->d_buf)
			continue;
		s->table = d->d_buf;
		s->len = d->d_size;
		if (!is_inside(s, name))
			continue;
		s->last = memrchr(s->table, '\0', s->len);
		return true;
	}
	s->table = NULL;
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
	return s->last && name <= s->last;
}
