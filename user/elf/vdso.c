/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The vDSO is the same in all 64-bit processes. A process can write to its own
 * copy, and what is learnt is used for all processes, so jpbpf reads its own copy. */
#include "user/elf/vdso.h"

#include <errno.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "user/target/maps.h"
#include "user/elf/module.h"
#include "user/target/proc.h"

#define MAX_SIZE 65536 /* bytes */

int vdso_open(struct module *m, const char *proc)
{
	const struct map *own;
	struct maps maps;
	int err = proc_maps(proc, getpid(), &maps);

	if (err)
		return err;
	own = maps_find(&maps, getauxval(AT_SYSINFO_EHDR));
	err = -ENOENT;
	if (own && own->end - own->start <= MAX_SIZE)
		err = module_open_image(m, (const void *)(uintptr_t)own->start,
					own->end - own->start, "[vdso]");
	maps_release(&maps);
	return err;
}
