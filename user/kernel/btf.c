/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A name is searched among the strings of the kernel's BTF.  That tells as much as its
 * types, which libbpf reads anyway, in a tenth of the time.
 */
#include "user/kernel/btf.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define STRINGS_MAX (64u << 20) /* bytes; Linux 6.18 has 2 MiB */

bool btf_names(const char *name)
{
	_cleanup_close_ int fd =
		open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *strings = NULL;
	char *at, *end;
	struct btf_header h;
	size_t got = 0, len = strlen(name) + 1;

	if (fd < 0 || pread(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    h.magic != BTF_MAGIC || h.str_len > STRINGS_MAX)
		return false;
	strings = xmalloc(h.str_len + 1);
	while (got < h.str_len) {
		ssize_t n = pread(fd, strings + got, h.str_len - got,
				  (off_t)h.hdr_len + h.str_off + got);

		if (n <= 0)
			return false;
		got += n;
	}
	end = strings + got;
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
