/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A sample without room in memory is lost and counted.  Texts without room are counted;
 * the frames that have them show that. */
#include "user/profile/recorder.h"

#include <malloc.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/files/tables.h"
#include "user/lib/heap.h"
#include "user/lib/intern.h"
#include "user/profile/tape_part.h"
#include "user/profile/texts.h"

#define SCRIPT_PART 8 /* of max_bytes: texts of scripts */
/* The most kernel words that a sample has. */
#define REPLACED_KERNEL_WORDS 127u

void recorder_init(struct recorder *r, const struct recorder_config *config)
{
	*r = (struct recorder){ .config = *config, .texts = intern_new() };
}

void recorder_release(struct recorder *r)
{
	intern_free(r->texts);
	*r = (struct recorder){ 0 };
}

/* The sample has been counted under the status. */
static void lose(struct recorder *r, u32 status, u32 why)
{
	recorder_count(r, why);
	if (status < WALK_STATUS_COUNT)
		r->status[status]--;
}

static void add(struct recorder *r, const struct sample *s, u32 status,
		const u64 *word, u32 words)
{
	if (!heap_fits(HEAP_STACKS, 0)) {
		lose(r, status, LOST_NO_MEMORY);
		return;
	}
	if (r->tape_is_full) {
		/* Those of calls are made in user space, and count as none taken. */
		if (s->source != SOURCE_CALLS)
			lose(r, status, LOST_UNWRITTEN);
		return;
	}
	if (s->source < SOURCE_COUNT)
		r->of[s->source]++;
	if (!r->first_sample || s->time < r->first_sample)
		r->first_sample = s->time;
	r->samples++;
	r->weight += s->weight;
	r->record_bytes += sizeof(*s) + words * sizeof(u64);
	if (r->tape)
		tape_take(r->tape, s, word, words);
	if (r->tape && s->count)
		tape_take_count(r->tape, s, word, words);
	if (r->config.tables)
		tables_use(r->config.tables, word, words, s->time);
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

void recorder_end(struct recorder *r)
{
	size_t logs = r->tape && !r->tape_is_full ? r->tape->logs : 0;

	r->tape_is_full = true;
	for (size_t i = 0; i < logs; i++) {
		const struct logged *l = &r->tape->log[i];

		if (l->s.event >= SOURCE_COUNT)
			continue;
		r->of[l->s.event] -= l->samples;
		r->samples -= l->samples;
		r->weight -= l->s.weight;
		if (l->s.event != SOURCE_CALLS)
			r->status[LOST_UNWRITTEN] += l->samples;
	}
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

	if (!r->tape)
		return;
	tape_name(r->tape);
	/* The allocator does not give large free blocks between small used ones
	 * back. */
	malloc_trim(0);
}

size_t recorder_bytes(const struct recorder *r)
{
	return intern_bytes(r->texts) + (r->tape ? tape_bytes(r->tape) : 0);
}
