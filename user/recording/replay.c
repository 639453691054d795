/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Reads block by block; replay_record.c takes the records.
 *
 * A recording can be of anybody: the memory that it takes is a small multiple of its
 * size, and a stack has at most REPLAY_DEPTH_MAX frames.
 */
#include "user/recording/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/recording/replay_record.h"

static u32 get_u32(const u8 *from)
{
	return from[0] | from[1] << 8 | from[2] << 16 | (u32)from[3] << 24;
}

/* Read so many bytes, or what there is. */
static size_t get(struct replay *r, void *to, size_t len)
{
	int n = gzread(r->file, to, len);

	return n < 0 ? 0 : n;
}

static void find_lost(struct replay *r, void *room, size_t begun)
{
	size_t n;

	r->end = REPLAY_BROKEN;
	r->lost = begun;
	while ((n = get(r, room, RECORDING_BLOCK_MAX)))
		r->lost += n;
}

int replay_run(struct replay *r, const struct replay_sink *sink)
{
	u8 *room = xmalloc(RECORDING_BLOCK_MAX), head[8];
	size_t n, len;

	r->end = REPLAY_CUT;
	while ((n = get(r, head, sizeof(head))) == sizeof(head)) {
		len = get_u32(head);
		n += len > RECORDING_BLOCK_MAX ? 0 : get(r, room, len);
		if (n < sizeof(head) + len && len <= RECORDING_BLOCK_MAX)
			break;
		if (len > RECORDING_BLOCK_MAX ||
		    crc32(0, room, len) != get_u32(head + 4) ||
		    !replay_block(r, sink, room, len)) {
			find_lost(r, room, n);
			break;
		}
		r->read += n;
		n = 0;
	}
	if (r->end != REPLAY_BROKEN)
		r->lost = n;
	if (r->end == REPLAY_CUT && !n && r->has_summary)
		r->end = REPLAY_WHOLE;
	free(room);
	if (sink->forget)
		sink->forget(sink->ctx);
	return 0;
}

static int check_head(struct replay *r)
{
	u8 head[RECORDING_MAGIC_LEN + 4];
	size_t n = get(r, head, sizeof(head));
	u32 major = head[RECORDING_MAGIC_LEN] | head[RECORDING_MAGIC_LEN + 1]
							<< 8;

	if (n < sizeof(head) ||
	    memcmp(head, RECORDING_MAGIC, RECORDING_MAGIC_LEN)) {
		log_err("%s is no recording (jpbpf record -o FILE writes one)",
			r->path);
		return -EINVAL;
	}
	if (major > RECORDING_MAJOR) {
		log_err("%s was written by a newer jpbpf (version %u of the "
			"format, this one reads %u): read it with that one",
			r->path, major, RECORDING_MAJOR);
		return -EINVAL;
	}
	r->read = n;
	return 0;
}

int replay_open(struct replay *r, const char *path)
{
	int err;

	*r = (struct replay){ .path = path };
	errno = 0;
	r->file = strcmp(path, "-") ? gzopen(path, "rbe") : gzdopen(0, "rb");
	if (!r->file) {
		err = errno ? -errno : -ENOMEM;
		log_err("cannot read %s: %m", path);
		return err;
	}
	err = check_head(r);
	if (err)
		replay_close(r);
	return err;
}

void replay_tell(const struct replay *r)
{
	if (r->end == REPLAY_CUT)
		log_warn("%s ends in the middle: it was cut off, or is still "
			 "being written; %llu samples were read",
			 r->path, r->samples);
	else if (r->end == REPLAY_BROKEN)
		log_warn("%s is damaged after %llu bytes: %llu samples before "
			 "that were read, %llu bytes were not",
			 r->path, r->read, r->samples, r->lost);
}

void replay_close(struct replay *r)
{
	if (r->file)
		gzclose(r->file);
	for (int i = 0; i < 4; i++)
		free(r->head[i]);
	buf_release(&r->texts);
	free(r->walker);
	free(r->text.at);
	free(r->module.at);
	free(r->function.at);
	free(r->frame.at);
	free(r->stack.at);
	free(r->depth.at);
	free(r->task.at);
	free(r->event.at);
	free(r->address.at);
	free(r->inlined.at);
	*r = (struct replay){ 0 };
}

const char *replay_text(const struct replay *r, u32 id)
{
	return id ? r->texts.data + r->text.at[id - 1] : "";
}
