/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libdwfl unpacks all that there is, and half a megabyte can hold gigabytes.  What
 * the file states of its size stands at its end and can be untrue, so the one way to
 * know is to unpack it.
 */
#include "user/debuginfo/minidebug.h"

#include <errno.h>
#include <stdlib.h>

#include <lzma.h>

#include "user/lib/mem.h"

#define UNPACKED_FIRST (256u << 10)
#define UNPACKED_MAX   (64u << 20)
/* What xz -9 needs, and a little more. */
#define MEMORY_MAX (80u << 20)

static int unpack(lzma_stream *z, char **out)
{
	size_t size = UNPACKED_FIRST;
	lzma_ret ret;

	for (;; size *= 2) {
		*out = xreallocarray(*out, size, 1);
		z->next_out = (void *)(*out + z->total_out);
		z->avail_out = size - z->total_out;
		ret = lzma_code(z, LZMA_RUN);
		if (ret != LZMA_OK || z->avail_out)
			break;
		if (size >= UNPACKED_MAX)
			return -EFBIG;
	}
	if (ret == LZMA_MEMLIMIT_ERROR)
		return -EFBIG;
	return ret == LZMA_STREAM_END ? 0 : -EBADMSG;
}

int minidebug_unpack(const void *packed, size_t packed_len, void **out,
		     size_t *len)
{
	lzma_stream z = LZMA_STREAM_INIT;
	char *bytes = NULL;
	int err = -EBADMSG;

	z.next_in = packed;
	z.avail_in = packed_len;
	if (lzma_auto_decoder(&z, MEMORY_MAX, 0) == LZMA_OK)
		err = unpack(&z, &bytes);
	*len = z.total_out;
	lzma_end(&z);
	if (err || !*len) {
		free(bytes);
		return err ? err : -EBADMSG;
	}
	*out = bytes;
	return 0;
}
