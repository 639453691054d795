/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Shadow stacks on the user side.  A file has the library of jpbpf-interp.h in it if it has the
 * library's note, which says where the descriptor is.  The kernel side reads that.
 */
#include "walkers/shadow/shadow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/elf/note.h"
#include "user/lib/fact.h"
#include "user/lib/mem.h"
#include "walkers/walker.h"

extern const struct walker shadow_walker;

/* The content of the note. */
struct note {
	u32 version, spare;
	s64 distance;
};

/* data: vaddr of the descriptor */
static int probe(const struct module *m, void **data, struct buf *why)
{
	struct note note;
	u64 at, *descriptor;

	if (note_find(m, "jpbpf", 1, &note, sizeof(note), &at))
		return 0;
	if (note.version != 1) {
		buf_addf(why,
			 "its activations are told in version %u, which needs "
			 "a newer jpbpf",
			 note.version);
		return -ENOTSUP;
	}
	descriptor = xmalloc(sizeof(*descriptor));
	*descriptor = at + offsetof(struct note, distance) + (u64)note.distance;
	*data = descriptor;
	return 1;
}

static void describe(const void *data, struct buf *out)
{
	(void)data;
	buf_adds(out, "activations as told (jpbpf-interp.h)");
}

static void facts(const struct walker_site *site, struct fact *out)
{
	const u64 *descriptor = site->data;

	fact_add_text(out, "version", "1");
	fact_add_text(out, "found_by", "note");
	fact_add_text(out, "descriptor", "0x%llx", *descriptor);
}

/* What the file's own functions do is the program's. */
static bool internal(const void *data, u64 vaddr)
{
	(void)data, (void)vaddr;
	return false;
}

static int attach(pid_t pid, const struct module *m, u64 bias,
		  const struct maps *maps, void *data, void *value,
		  struct buf *why)
{
	struct shadow_process *p = value;
	u32 i = 0;

	(void)pid, (void)m, (void)maps;
	while (i < SHADOW_COPIES && p->descriptor[i])
		i++;
	if (i == SHADOW_COPIES) {
		buf_addf(why, "more than %u files have jpbpf-interp in them",
			 i);
		return -ENOSPC;
	}
	p->descriptor[i] = *(const u64 *)data + bias;
	return 1;
}

static const char *text_of(const struct walker_texts *texts, u64 id)
{
	return id ? texts->find(texts->ctx, id) : NULL;
}

static enum walker_says read_words(const u64 *word,
				   const struct walker_texts *texts,
				   struct walker_text *out)
{
	u32 sub = frame_sub(*word), extra = frame_extra(*word);
	const char *text = extra ? text_of(texts, word[1]) : NULL;

	switch (sub) {
	case SHADOW_LINE:
		buf_adds(&out->file, text ? text : "");
		out->line = text ? *word & FRAME_VALUE48_MASK : 0;
		return WALKER_PLACE;
	case SHADOW_COROUTINE:
		out->flags |= text ? FRAME_COROUTINE : FRAME_OURS;
		buf_adds(&out->name, text ? text : "<coroutine>");
		return WALKER_FRAME;
	case SHADOW_METHOD:
		if (extra > 1)
			out->space = text_of(texts, word[2]);
		break;
	}
	if (!text)
		out->flags |= FRAME_OURS;
	buf_adds(&out->name, text ? text : "[script frame]");
	return WALKER_FRAME;
}

const struct walker shadow_walker = {
	.name = "shadow",
	.title = "Script",
	.file = {
		.probe = probe,
		.forget = free,
		.describe = describe,
		.facts = facts,
		.internal = internal,
	},
	.process = {
		.attach = attach,
		.adds = true,
		.map = "shadow_processes",
		.value_size = sizeof(struct shadow_process),
		.not_ready = SHADOW_NOT_READY,
		.unplaced = SHADOW_UNPLACED,
		.elsewhere = SHADOW_UNPLACED,
	},
	.read = read_words,
};
