/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdwfl takes symbols by the type of a section, MiniDebugInfo and links by name;
 * libdw takes everything by name.  Both read whole sections, unpacked, so what they
 * can read is counted before, and together: a file can have thousands of sections
 * that are all the same bytes.
 */
#include "user/debuginfo/bearable.h"

#include <errno.h>
#include <string.h>

#include <gelf.h>

#include "user/lib/guard.h"
#include "user/debuginfo/minidebug.h"
#include "user/elf/module.h"
#include "user/elf/section.h"

#define SYMBOLS_MAX (1u << 30) /* bytes */
#define LINKS_MAX   (1u << 20)
#define PACKED_MAX  (8u << 20) /* .gnu_debugdata */
#define DWARF_MAX   (2ull << 30)
/* Of .debug_line: what libdw makes of it is up to 50 times as large. */
#define TABLE_MAX (64u << 20)

/* What is left for each kind of section. */
struct room {
	u64 symbols, links, dwarf;
	bool no_packed; /* libdwfl takes the first, and none within it */
};

/* Takes what one section needs. false: there is no room for it. */
typedef bool take_section(Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
			  struct room *room);

static bool is_within(Elf *elf, struct room *room, take_section *take)
{
	Elf_Scn *scn = NULL;
	size_t names = 0;
	GElf_Shdr sh;

	if (section_names(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh)
					   ? elf_strptr(elf, names, sh.sh_name)
					   : NULL;

		if (!name || !take(scn, &sh, name, room))
			return false;
	}
	return true;
}

static take_section take_symbols;

static bool packed_bearable(Elf_Scn *scn, const struct room *room)
{
	struct room inner = *room;
	_cleanup_free_ void *bytes = NULL;
	Elf_Data *data = elf_rawdata(scn, NULL);
	bool bearable = true;
	size_t len;
	Elf *elf;
	int err;

	if (!data || !data->d_buf)
		return true;
	err = minidebug_unpack(data->d_buf, data->d_size, &bytes, &len);
	/* What is broken libdwfl cannot unpack either. */
	if (err)
		return err != -EFBIG;
	elf = elf_memory(bytes, len);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		bearable = is_within(elf, &inner, take_symbols);
	elf_end(elf);
	return bearable;
}

static bool take_symbols(Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
			 struct room *room)
{
	u64 packed = PACKED_MAX;

	switch (sh->sh_type) {
	case SHT_STRTAB:
		if (!strncmp(name, ".zdebug", 7))
			return false;
		return section_take(scn, sh, &room->symbols);
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_SYMTAB_SHNDX:
	case SHT_NOTE:
		return section_take(scn, sh, &room->symbols);
	}
	if (!strcmp(name, ".gnu_debuglink") ||
	    !strcmp(name, ".gnu_debugaltlink"))
		return section_take(scn, sh, &room->links);
	if (strcmp(name, ".gnu_debugdata") || room->no_packed)
		return true;
	room->no_packed = true;
	return section_take(scn, sh, &packed) && packed_bearable(scn, room);
}

/* .zdebug_line: "ZLIB" and the size, big endian, before what is packed; sh_size
 * says nothing.  No compiler has written it for ten years. */
static bool take_dwarf(Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
		       struct room *room)
{
	u64 table = TABLE_MAX;

	if (strstr(name, ".zdebug"))
		return false;
	/* Also ".gnu.debuglto_.debug_line" and ".debug_line.dwo". */
	name = strstr(name, ".debug");
	if (!name)
		return true;
	if (!strncmp(name, ".debug_line", 11) && name[11] != '_' &&
	    !section_take(scn, sh, &table))
		return false;
	return section_take(scn, sh, &room->dwarf);
}

static bool dwarf(Elf *elf)
{
	struct room room = { .dwarf = DWARF_MAX };

	return is_within(elf, &room, take_dwarf);
}

static bool symbols(Elf *elf)
{
	struct room room = { .symbols = SYMBOLS_MAX, .links = LINKS_MAX };

	return is_within(elf, &room, take_symbols);
}

/* With a handle of its own, because packed sections have to be read. */
static bool check(const struct module *m, bool (*bearable)(Elf *elf))
{
	Elf *elf = module_elf(m);
	bool is = elf && bearable(elf);

	elf_end(elf);
	return is;
}

bool bearable_symbols(const struct module *m)
{
	return check(m, symbols);
}

bool bearable_dwarf(const struct module *m)
{
	return check(m, dwarf);
}

bool bearable_file(int fd)
{
	Elf *elf = section_few(fd) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	bool is =
		elf && elf_kind(elf) == ELF_K_ELF && symbols(elf) && dwarf(elf);

	elf_end(elf);
	return is;
}
