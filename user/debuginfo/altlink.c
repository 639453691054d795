/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdw opens any path that the link says when the first attribute asks for it, and
 * would wait for ever at a pipe.  So that file is looked for here, where only root
 * writes or in the root of the module, and must have the build-id that the link says.
 *
 * When there is none, libdw gets one that holds nothing: names that are there are
 * then not known, all else is.  The other file can have a link, too, and gets the same.
 */
#include "user/debuginfo/altlink.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/debuginfo/bearable.h"
#include "user/debuginfo/buildid.h"
#include "user/debuginfo/debugroot.h"
#include "user/elf/module.h"
#include "user/target/regular.h"

#define ID_MIN 3 /* bytes, as libdw has it */
#define ID_MAX 64

/* The smallest file that libdw takes. */
struct nothing {
	Elf64_Ehdr ehdr;
	Elf64_Shdr section[3];
	u32 info;
	char names[24];
};

struct altlink {
	struct nothing bytes;
	Elf *empty_elf, *elf; /* elf NULL: not found */
	Dwarf *empty, *dwarf;
	int fd;
};

static const struct nothing nothing = {
	.ehdr = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct nothing, section),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	},
	.section = {
		[1] = { .sh_name = 1,
			.sh_type = SHT_PROGBITS,
			.sh_offset = offsetof(struct nothing, info),
			.sh_size = sizeof(u32),
			.sh_addralign = 1 },
		[2] = { .sh_name = 13,
			.sh_type = SHT_STRTAB,
			.sh_offset = offsetof(struct nothing, names),
			.sh_size = 24,
			.sh_addralign = 1 },
	},
	.names = "\0.debug_info\0.shstrtab",
};

static int open_host(const char *path, const void *id, size_t len)
{
	_cleanup_free_ char *by_id = buildid_path(id, len);
	_cleanup_close_ int fd = regular_open(by_id, NULL);

	/* Debian has it by name only. */
	if (fd < 0 &&
	    !strncmp(path, BUILDID_FOLDER "/", strlen(BUILDID_FOLDER "/")) &&
	    !strstr(path, "/../"))
		fd = regular_open(path, NULL);
	return fd >= 0 && buildid_is(fd, id, len) ? steal_fd(&fd) : -ENOENT;
}

static int open_alt(const struct module *m, const char *path, const void *id,
		    size_t len)
{
	_cleanup_close_ int fd = -1;

	if (m->root)
		fd = debugroot_open_id(m, path, id, len);
	if (fd >= 0 && bearable_file(fd))
		return steal_fd(&fd);
	return open_host(path, id, len);
}

/* fd stays open for as long as libdw reads of it. */
static void take_alt(struct altlink *a, int fd)
{
	if (fd < 0)
		return;
	a->fd = fd;
	a->elf = elf_begin(fd, ELF_C_READ, NULL);
	a->dwarf = a->elf ? dwarf_begin_elf(a->elf, DWARF_C_READ, NULL) : NULL;
	if (a->dwarf)
		dwarf_setalt(a->dwarf, a->empty);
}

int altlink_set(Dwarf *dwarf, const struct module *m, struct altlink **out)
{
	const char *path = NULL;
	const void *id = NULL;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(dwarf, &path, &id);
	struct altlink *a;

	*out = NULL;
	if (!len)
		return 0;
	a = xcalloc(1, sizeof(*a));
	a->fd = -1;
	a->bytes = nothing;
	a->empty_elf = elf_memory((char *)&a->bytes, sizeof(a->bytes));
	if (a->empty_elf)
		a->empty = dwarf_begin_elf(a->empty_elf, DWARF_C_READ, NULL);
	if (!a->empty) {
		altlink_free(a);
		return -ENOEXEC;
	}
	if (len >= ID_MIN && len <= ID_MAX)
		take_alt(a, open_alt(m, path, id, len));
	dwarf_setalt(dwarf, a->dwarf ? a->dwarf : a->empty);
	*out = a;
	return 0;
}

void altlink_free(struct altlink *a)
{
	if (!a)
		return;
	if (a->dwarf)
		dwarf_end(a->dwarf);
	if (a->empty)
		dwarf_end(a->empty);
	elf_end(a->elf);
	elf_end(a->empty_elf);
	if (a->fd >= 0)
		close(a->fd);
	free(a);
}
