/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A name is searched among the strings of the kernel's BTF.  That tells as much as its
 * types, which libbpf reads anyway, in a tenth of the time.
 */
#include "user/kernel/btf.h"

#include <linux/btf.h>
#include <stdio.h>
#include <string.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define STRINGS_MAX (64u << 20) /* bytes; Linux 6.18 has 2 MiB */

bool btf_names(const char *name)
{
	_cleanup_fclose_ FILE *f = fopen("/sys/kernel/btf/vmlinux", "re");
	_cleanup_free_ char *strings = NULL;
	size_t len = strlen(name) + 1;
	char *at, *end;
	struct btf_header h;

	if (!f || fread(&h, sizeof(h), 1, f) != 1 || h.magic != BTF_MAGIC ||
	    h.str_len > STRINGS_MAX ||
	    fseek(f, (long)h.hdr_len + h.str_off, SEEK_SET))
		return false;
	strings = xmalloc(h.str_len + 1);
	end = strings + fread(strings, 1, h.str_len, f);
	for (at = strings; (at = memmem(at, end - at, name, len)); at++)
		if (at > strings && !at[-1])
			return true;
	return false;
}

const char *btf_without_areas(void)
{
	return btf_names("btf_trace_vm_unmapped_area")
		       ? NULL
		       : "this kernel has no tracepoint vm_unmapped_area";
}
