/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* libdwfl takes descriptors over. */
#include "user/debuginfo/handle.h"

#include <errno.h>
#include <unistd.h>

#include "user/lib/mem.h"
#include "user/debuginfo/files.h"

static int find_debug(Dwfl_Module *mod, void **userdata, const char *name,
		      Dwarf_Addr base, const char *file, const char *debuglink,
		      GElf_Word crc, char **found)
{
	const struct files *f = *userdata;

	(void)mod, (void)name, (void)base, (void)file, (void)debuglink,
		(void)crc;
	/* None is no error. */
	errno = 0;
	if (f->debug < 0)
		return -1;
	*found = xstrdup("");
	return dup(f->debug);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debug,
};

Dwfl_Module *handle_open(const struct files *f)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *mod =
		dwfl ? dwfl_report_elf(dwfl, "", "", dup(f->file), 0, true)
		     : NULL;
	void **userdata;

	if (mod && dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL,
				    NULL, NULL))
		*userdata = (void *)f;
	dwfl_report_end(dwfl, NULL, NULL);
	return mod;
}
