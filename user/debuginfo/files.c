/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The module's ELF handle is ours: libdwfl would map the file, and a target that
 * cuts its own file short would then end the profiler with SIGBUS.
 *
 * How much would be read of what the target can have written is counted first
 * (bearable.h).  Without section headers libdwfl follows the program's; what it then
 * finds is not used (strtab.c), but a file can make it read, word by word, all of
 * itself.  So the handle that it gets says that there is nothing to follow.
 */
#include "user/debuginfo/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/debuginfo/bearable.h"
#include "user/debuginfo/debuglink.h"
#include "user/debuginfo/debugroot.h"
#include "user/elf/module.h"

#define NOTES_MAX (1u << 20) /* bytes */

static void hide_headers(Elf *elf)
{
	u64 notes = NOTES_MAX;
	GElf_Phdr ph;
	size_t n = 0;

	if (!elf || elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && gelf_getphdr(elf, i, &ph); i++) {
		if (ph.p_type == PT_NOTE && ph.p_filesz <= notes)
			notes -= ph.p_filesz;
		else if (ph.p_type == PT_NOTE || ph.p_type == PT_DYNAMIC) {
			ph.p_type = PT_NULL;
			gelf_update_phdr(elf, i, &ph);
		}
	}
}

static Elf *open_elf(const struct module *m, int *fd)
{
	Elf *elf;

	*fd = -1;
	/* libelf would change the image itself, which is small. */
	if (m->image)
		return elf_memory(m->image, m->key.size);
	*fd = dup(m->fd);
	elf = *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ, NULL);
	hide_headers(elf);
	return elf;
}

/* libdwfl takes the handle and the descriptor over. */
static int find_elf(Dwfl_Module *mod, void **userdata, const char *name,
		    Dwarf_Addr base, char **file_name, Elf **elf)
{
	const struct module *m = *userdata;
	int fd;

	(void)mod, (void)name, (void)base;
	*elf = open_elf(m, &fd);
	*file_name = xstrdup(m->path ? m->path : "");
	return fd;
}

static int open_in_root(const struct module *m, const char *debuglink, u32 crc,
			char **found)
{
	_cleanup_close_ int fd = debugroot_open(m, debuglink, crc, found);

	if (fd < 0 || bearable_file(fd))
		return steal_fd(&fd);
	free(*found);
	*found = NULL;
	return -1;
}

static int find_debug_file(Dwfl_Module *mod, void **userdata, const char *name,
			   Dwarf_Addr base, const char *file,
			   const char *debuglink, GElf_Word crc, char **found)
{
	const struct module *m = *userdata;
	int fd = -1;

	if (debuglink && strchr(debuglink, '/'))
		return -1;
	if (m->root)
		fd = open_in_root(m, debuglink, crc, found);
	else if (debuglink && m->path)
		fd = debuglink_open(m->path, debuglink, crc, found);
	if (fd >= 0)
		return fd;
	return dwfl_standard_find_debuginfo(mod, userdata, name, base, file,
					    debuglink, crc, found);
}

/* Only root writes there; beside the file debuglink.c looks, with more care. */
static char *debug_path = (char *)"/usr/lib/debug";

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debug_file,
	.debuginfo_path = &debug_path,
};

/* Where libdwfl will think that the file begins, and its end. */
static bool bounds(Elf *elf, u64 *start, u64 *end)
{
	bool found = false;
	GElf_Phdr ph;
	size_t n = 0;

	*start = *end = 0;
	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n && gelf_getphdr(elf, i, &ph); i++) {
		if (ph.p_type != PT_LOAD)
			continue;
		if (!found)
			*start = ph.p_vaddr & -ph.p_align;
		found = true;
		if (ph.p_vaddr + ph.p_memsz > *end)
			*end = ph.p_vaddr + ph.p_memsz;
	}
	return found && *end > *start;
}

Dwfl *files_open(const struct module *m, Dwfl_Module **mod)
{
	Elf *elf = module_handle(m);
	void **userdata;
	u64 start, end;
	Dwfl *dwfl;

	*mod = NULL;
	if (!elf || !bounds(elf, &start, &end) || !bearable_symbols(m))
		return NULL;
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return NULL;
	dwfl_report_begin(dwfl);
	*mod = dwfl_report_module(dwfl, m->name ? m->name : "", start, end);
	if (*mod) {
		dwfl_module_info(*mod, &userdata, NULL, NULL, NULL, NULL, NULL,
				 NULL);
		*userdata = (void *)m;
	}
	dwfl_report_end(dwfl, NULL, NULL);
	return dwfl;
}
