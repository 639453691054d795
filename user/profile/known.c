/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A recording says what it knows of a frame in several records, which are put together
 * when the frame is asked for the first time. */
#include "user/profile/known.h"

#include <stdlib.h>

#include <jpbpf/frame.h>

#include "user/lib/intern.h"
#include "user/lib/mem.h"
#include "user/recording/replay.h"
#include "walkers/walker.h"

/* The id in k->texts of a text of the recording. */
static u32 text(struct known *k, u32 id)
{
	return intern_text(k->texts, replay_text(k->replay, id));
}

/* Name, build-id and path, each ended by a NUL (struct frame). */
static u32 module_text(struct known *k, u32 id)
{
	const struct replay *r = k->replay;
	const struct recording_module *m = id ? &r->module.at[id - 1] : NULL;

	if (!m)
		return 0;
	buf_reset(&k->scratch);
	buf_adds(&k->scratch, replay_text(r, m->name));
	buf_addc(&k->scratch, '\0');
	buf_adds(&k->scratch, replay_text(r, m->build_id));
	buf_addc(&k->scratch, '\0');
	buf_adds(&k->scratch, replay_text(r, m->path));
	return intern_id(k->texts,
			 &(struct intern_key){ k->scratch.data, k->scratch.len,
					       NULL, 0 },
			 true);
}

static u32 address_text(struct known *k, u64 address)
{
	buf_reset(&k->scratch);
	buf_addf(&k->scratch, "0x%llx", address);
	return intern_text(k->texts, buf_text(&k->scratch));
}

static void set_function(struct known *k, const struct recording_function *f,
			 struct address *a)
{
	const char *names = replay_text(k->replay, f->script);
	struct fold_frame *out = &a->frame;

	out->frame.address = f->start;
	out->start = f->start && f->module
			     ? frame_native(f->module - 1, f->start)
			     : 0;
	out->flags = (f->role & RECORDING_MAIN ? FOLD_MAIN : 0) |
		     (f->role & RECORDING_START_UP ? FOLD_START_UP : 0) |
		     (f->role & RECORDING_LIBC ? FOLD_BARE_LIBC : 0);
	if (f->name) {
		out->frame.name = text(k, f->name);
		out->frame.flags = 0;
	} else if (f->start && !k->options->addresses) {
		out->frame.name = address_text(k, f->start);
	}
	if (!f->walker)
		return;
	out->frame.walker = f->walker - 1;
	out->walker = walkers[f->walker - 1];
	out->title = intern_text(k->texts, out->walker->title);
	if (!*names)
		return;
	out->script = intern_get(k->texts, text(k, f->script), NULL);
	out->label = addresses_label(k->texts, names);
}

static void set_inlined(struct known *k, const struct recording_address *from,
			struct address *a)
{
	a->inlined = xcalloc(from->inlines, sizeof(*a->inlined));
	a->inlines = from->inlines;
	for (size_t i = 0; i < from->inlines; i++) {
		const struct recording_inlined *in =
			&k->replay->inlined.at[from->first + i];
		struct fold_frame *f = &a->inlined[i];

		*f = a->frame;
		f->walker = NULL;
		f->flags &= FOLD_START_UP;
		f->frame.type = FRAME_IS_INLINED;
		f->frame.flags = 0;
		f->frame.name = text(k, in->name);
		if (k->options->lines) {
			f->frame.file = text(k, in->file);
			f->frame.line = in->line;
		}
	}
}

/* What the recording says of a native or kernel frame. */
static void set_address(struct known *k, u32 frame, const struct frame *raw,
			struct address *a)
{
	const struct replay *r = k->replay;
	const struct recording_address *from = &r->address.at[frame - 1];

	a->frame.frame = (struct frame){ .type = raw->type };
	if (raw->type == FRAME_IS_C && raw->module) {
		a->frame.frame.module = module_text(k, raw->module);
		a->frame.frame.name = address_text(k, raw->address);
		a->frame.frame.flags = FRAME_ADDRESS;
	}
	if (!from->function)
		return;
	if (from->code) {
		a->frame.frame.type = FRAME_IS_JIT;
		a->frame.frame.name = 0;
		a->frame.frame.flags = 0;
	}
	set_function(k, &r->function.at[from->function - 1], a);
	if (k->options->lines) {
		a->frame.frame.file = text(k, from->file);
		a->frame.frame.line = from->line;
	}
	set_inlined(k, from, a);
}

static void set_frame(struct known *k, u32 frame, struct known_frame *f)
{
	u32 *const ids[] = { &f->raw.space, &f->raw.name, &f->raw.file,
			     &f->raw.expression, &f->raw.called };

	f->is = true;
	f->raw = k->replay->frame.at[frame - 1];
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		*ids[i] = text(k, *ids[i]);
	if (f->raw.type != FRAME_IS_SCRIPT && f->raw.type != FRAME_IS_MARKER)
		set_address(k, frame, &f->raw, &f->address);
}

const struct known_frame *known_get(struct known *k, u32 frame)
{
	struct known_frame *f;

	if (!k->at) {
		k->n = k->replay->frame.n;
		k->at = xcalloc(k->n, sizeof(*k->at));
	}
	f = &k->at[frame - 1];
	if (!f->is)
		set_frame(k, frame, f);
	return f;
}

void known_forget(struct known *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->at[i].address.inlined);
	free(k->at);
	buf_release(&k->scratch);
	k->at = NULL;
	k->n = 0;
}
