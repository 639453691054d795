/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Takes the records of the kernel side and makes the profile of them.
 *
 * Each distinct raw stack is named once: at the end, when sampling no longer competes
 * with naming, or earlier when the raw stacks take a part of max_bytes.  Stacks that
 * differ only in addresses become one by naming, so a repetitive program needs no more
 * memory the longer it is profiled.
 */
#include "user/profile/recorder.h"

#include <malloc.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/profile/naming.h"
#include "user/profile/profile.h"
#include "user/profile/stacks.h"
#include "user/profile/tape.h"
#include "user/profile/texts.h"
#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/files/modules.h"
#include "user/files/tables.h"

/* Of max_bytes: raw stacks, before they are named; and texts of scripts. */
#define RAW_PART    16
#define SCRIPT_PART 8
/* The most kernel words that a sample has. */
#define REPLACED_KERNEL_WORDS 127u

void recorder_init(struct recorder *r, const struct recorder_config *config)
{
	*r = (struct recorder){
		.config = *config,
		.stacks = intern_new(),
		.profile = profile_new(),
		.texts = intern_new(),
	};
}

void recorder_add_event(struct recorder *r, u32 source, const char *name,
			const char *unit, u64 interval)
{
	r->event[source] = profile_add_event(r->profile, name, unit, interval);
}

void recorder_release(struct recorder *r)
{
	intern_free(r->stacks);
	profile_free(r->profile);
	intern_free(r->texts);
	*r = (struct recorder){ 0 };
}

static void add(struct recorder *r, const struct sample *s, u32 status,
		const u64 *word, u32 words)
{
	struct stack_key key = { .status = status };

	if (!heap_fits(HEAP_STACKS, 0)) {
		recorder_count(r, LOST_NO_MEMORY);
		if (status < WALK_STATUS_COUNT)
			r->status[status]--;
		return;
	}
	memcpy(key.comm, s->comm, strnlen(s->comm, COMM_LEN - 1));
	if (s->source < SOURCE_COUNT) {
		key.event = r->event[s->source];
		r->of[s->source]++;
	}
	if (r->config.by & PROFILE_BY_PID)
		key.pid = s->pid;
	if (r->config.by & PROFILE_BY_TID)
		key.tid = s->tid;
	if (!r->first_sample || s->time < r->first_sample)
		r->first_sample = s->time;
	r->samples++;
	r->weight += s->weight;
	r->record_bytes += sizeof(*s) + words * sizeof(u64);
	if (!r->tape && !r->tape_is_full)
		stacks_add(r->stacks, &key, word, words,
			   &(struct profile_sum){ s->weight, s->value });
	else if (!r->tape_is_full)
		tape_take(r->tape, s, word, words);
	if (r->config.tables)
		tables_use(r->config.tables, word, words, s->time);
	if (intern_bytes(r->stacks) > r->config.max_bytes / RAW_PART)
		recorder_name(r);
}

void recorder_take_replaced(struct recorder *r, const struct sample *s)
{
	u64 word[REPLACED_KERNEL_WORDS + 1];
	u32 words = s->kernel_words;

	if (words > REPLACED_KERNEL_WORDS)
		words = 0;
	memcpy(word, s->word, words * sizeof(*word));
	word[words++] = frame_value58(FRAME_STATUS, CUT_REPLACED);
	recorder_count(r, CUT_REPLACED);
	/* The kernel side has counted the sample under its own status. */
	if (s->status < WALK_STATUS_COUNT)
		r->status[s->status]--;
	add(r, s, CUT_REPLACED, word, words);
}

void recorder_take(struct recorder *r, const struct sample *s)
{
	add(r, s, s->status, s->word, s->words);
}

void recorder_take_late(void *recorder, const struct sample *head, u32 status,
			const u64 *word, u32 words)
{
	struct recorder *r = recorder;

	recorder_count(r, status);
	r->kept++;
	add(r, head, status, word, words);
}

void recorder_count(void *recorder, u32 status)
{
	struct recorder *r = recorder;

	if (status < WALK_STATUS_COUNT)
		r->status[status]++;
}

void recorder_take_text(void *recorder, const struct text *t)
{
	struct recorder *r = recorder;

	/* Texts may take half of max_bytes. */
	if (intern_bytes(r->texts) < r->config.max_bytes / 2)
		texts_add(r->texts, t->id, t->text, t->len);
	else if (!texts_find(r->texts, t->id))
		r->status[HOST_TEXTS]++;
}

bool recorder_keep(void *recorder, u64 id, const char *text, size_t len)
{
	struct recorder *r = recorder;

	if (texts_find(r->texts, id))
		return true;
	if (intern_bytes(r->texts) >= r->config.max_bytes / 2 ||
	    r->scripts_bytes + len > r->config.max_bytes / SCRIPT_PART) {
		r->status[HOST_SCRIPTS]++;
		return false;
	}
	texts_add(r->texts, id, text, len);
	r->scripts_bytes += len;
	return true;
}

void recorder_name(void *recorder)
{
	struct recorder *r = recorder;

	if (r->tape)
		tape_name(r->tape);
	if (!intern_count(r->stacks))
		return;
	naming_add(r);
	intern_free(r->stacks);
	r->stacks = intern_new();
	/* The allocator does not give large free blocks between small used ones
	 * back. */
	malloc_trim(0);
}

size_t recorder_bytes(const struct recorder *r)
{
	return intern_bytes(r->stacks) + profile_bytes(r->profile) +
	       intern_bytes(r->texts);
}
