/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The ring buffer: keeps the last sample, the last notice and every text. */
#include "host.h"

#include <bpf/bpf_helpers.h>

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/lib/hash.h"
#include "user/lib/mem.h"

struct stored_text {
	u64 id;
	char text[TEXT_MAX];
	UT_hash_handle hh;
};

bool host_ring_full;
u64 host_ring_unread, host_ring_size;
static struct stored_text *stored;
static struct sample *sample, *kept;
static struct notice notice;
static u32 texts, largest;

const struct sample *host_record_sample(void)
{
	return sample;
}

const struct sample *host_record_deferred(void)
{
	return kept;
}

const struct notice *host_record_notice(void)
{
	return notice.type ? &notice : NULL;
}

const char *host_record_text(u64 id)
{
	struct stored_text *t;

	HASH_FIND(hh, stored, &id, sizeof(id), t);
	return t ? t->text : NULL;
}

u32 host_record_texts(void)
{
	return texts;
}

u32 host_record_largest(void)
{
	return largest;
}

void host_records_forget(void)
{
	free(sample);
	free(kept);
	sample = NULL;
	kept = NULL;
	notice.type = 0;
	texts = 0;
	largest = 0;
}

void host_records_release(void)
{
	struct stored_text *t, *next;

	HASH_ITER (hh, stored, t, next) {
		HASH_DEL(stored, t);
		free(t);
	}
	host_records_forget();
}

/* A record whose length is wrong, or a text that is not what its id says, is a
 * bug in the programs: nothing sensible can be tested after it. */
static void store_text(const struct text *record, u64 size)
{
	struct stored_text *t;

	if (record->len >= TEXT_MAX ||
	    size != offsetof(struct text, text) + record->len + 1 ||
	    record->text[record->len])
		errx(1, "a malformed record was sent");
	texts++;
	HASH_FIND(hh, stored, &record->id, sizeof(record->id), t);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		t->id = record->id;
		memcpy(t->text, record->text, record->len + 1);
		HASH_ADD(hh, stored, id, sizeof(t->id), t);
	} else if (memcmp(t->text, record->text, record->len + 1)) {
		errx(1, "a malformed record was sent");
	}
}

static void store_sample(const struct sample *record, u64 size)
{
	if (size != sizeof(*record) + record->words * 8ull)
		errx(1, "a malformed record was sent");
	free(sample);
	sample = xmalloc(size);
	memcpy(sample, record, size);
}

static void store_kept(const struct sample *record, u64 size)
{
	const struct deferred *k =
		(const struct deferred *)&record->word[record->words];

	if (size < sizeof(*record) + record->words * 8ull + sizeof(*k) ||
	    size != sizeof(*record) + record->words * 8ull + sizeof(*k) +
			    (u64)deferred_pages(k->pages, DEFERRED_MASKS * 64) *
				    DEFERRED_PAGE)
		errx(1, "a malformed record was sent");
	free(kept);
	kept = xmalloc(size);
	memcpy(kept, record, size);
}

long host_ring_output(const void *map, const void *data, __u64 size,
		      __u64 flags)
{
	u32 type;

	(void)map;
	if (flags & ~(u64)(BPF_RB_NO_WAKEUP | BPF_RB_FORCE_WAKEUP))
		return -EINVAL;
	if (host_ring_full)
		return -EAGAIN;
	if (size > largest)
		largest = size;
	memcpy(&type, data, sizeof(type));
	if (type == RECORD_TEXT)
		store_text(data, size);
	else if (type == RECORD_SAMPLE)
		store_sample(data, size);
	else if (type == RECORD_DEFERRED)
		store_kept(data, size);
	else if (type == RECORD_NOTICE && size == sizeof(notice))
		memcpy(&notice, data, size);
	else
		errx(1, "a malformed record was sent");
	return 0;
}

__u64 host_ring_query(const void *map, __u64 flags)
{
	(void)map;
	return flags == BPF_RB_RING_SIZE ? host_ring_size : host_ring_unread;
}
