/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The folder is named after the first byte, the file after the others. */
#include "user/debuginfo/buildid.h"

#include <string.h>

#include <elfutils/libdwelf.h>
#include <libelf.h>

#include <jpbpf/types.h>

#include "user/lib/buf.h"
#include "user/elf/section.h"

char *buildid_path(const void *id, size_t len)
{
	const u8 *bytes = id;
	struct buf path = { 0 };

	buf_addf(&path, BUILDID_FOLDER "/.build-id/%02x/", bytes[0]);
	for (size_t i = 1; i < len; i++)
		buf_addf(&path, "%02x", bytes[i]);
	buf_adds(&path, ".debug");
	return path.data;
}

bool buildid_is(int fd, const void *id, size_t len)
{
	Elf *elf = section_few(fd) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	const void *found = NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &found) : -1;
	bool is = n > 0 && (size_t)n == len && !memcmp(found, id, len);

	elf_end(elf);
	return is;
}
