/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* libdwfl asks for descriptors by callbacks, and takes them over. */
#include "user/debuginfo/handle.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "user/lib/mem.h"
#include "user/debuginfo/files.h"

struct handle {
	const struct module *module;
	const struct files *files;
};

static int find_elf(Dwfl_Module *mod, void **userdata, const char *name,
		    Dwarf_Addr base, char **file, Elf **elf)
{
	const struct module *m = ((struct handle *)*userdata)->module;

	(void)mod, (void)name, (void)base;
	*file = xstrdup("");
	if (!m->image)
		return dup(m->fd);
	*elf = module_elf(m);
	return -1;
}

static int find_debug(Dwfl_Module *mod, void **userdata, const char *name,
		      Dwarf_Addr base, const char *file, const char *debuglink,
		      GElf_Word crc, char **found)
{
	const struct handle *h = *userdata;

	(void)mod, (void)name, (void)base, (void)file, (void)debuglink,
		(void)crc;
	/* None is no error. */
	errno = 0;
	if (h->files->debug < 0)
		return -1;
	*found = xstrdup("");
	return dup(h->files->debug);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debug,
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

Dwfl_Module *handle_open(const struct module *m, const struct files *f)
{
	struct handle *h = xcalloc(1, sizeof(*h));
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Elf *elf = module_handle(m);
	Dwfl_Module *mod = NULL;
	void **userdata;
	u64 start, end;

	*h = (struct handle){ m, f };
	if (!dwfl || !elf || !bounds(elf, &start, &end))
		return NULL;
	mod = dwfl_report_module(dwfl, "", start, end);
	if (mod && dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL,
				    NULL, NULL))
		*userdata = h;
	dwfl_report_end(dwfl, NULL, NULL);
	return mod;
}
