/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Hostile records of the ring buffer, with whatever names a target has, to the
 * outputs: each line of which must be one, with nothing that a terminal obeys.
 *
 * The input is records, each behind its length (2 bytes).
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jpbpf/frame.h>
#include <jpbpf/sample.h>

#include "tests/fuzz/fuzz.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/processes/deferred.h"
#include "user/processes/process.h"
#include "user/files/modules.h"
#include "user/intake/record.h"
#include "user/profile/load.h"
#include "user/profile/profile.h"
#include "user/profile/recorder.h"
#include "user/profile/tape.h"

#define MAX_RECORD 16384

/* The kernel's own symbols take long to read and are not in question. */
static void without_kernel(u64 *word, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (frame_kind(word[i]) == FRAME_KERNEL)
			word[i] &= FRAME_VALUE58_MASK;
}

/* Both ends of the records: what had to wait is walked when there is nothing more to wait
 * for. */
struct ends {
	struct recorder recorder;
	struct tracker tracker;
	struct process process;
};

static void take_sample(void *ctx, const struct sample *s)
{
	recorder_take(&((struct ends *)ctx)->recorder, s);
}

static void take_deferred(void *ctx, struct sample *s, size_t len)
{
	struct ends *e = ctx;

	deferred_add(&e->tracker, &e->process, s, len);
}

static void take_text(void *ctx, const struct text *t)
{
	recorder_take_text(&((struct ends *)ctx)->recorder, t);
}

static void take_notice(void *ctx, const struct notice *n)
{
	(void)ctx;
	(void)n;
}

static void take_walked(void *ctx, const struct sample *head, u32 status,
			const u64 *word, u32 words)
{
	recorder_take_late(ctx, head, status, word, words);
}

static void count_status(void *ctx, u32 status)
{
	(void)ctx;
	FUZZ_ASSERT(status < WALK_STATUS_COUNT);
}

static void walk_deferred(struct ends *e, struct modules *ms)
{
	e->tracker.config.modules = ms;
	e->tracker.config.sink =
		(struct deferred_sink){ take_walked, count_status,
					&e->recorder };
	e->process.ended = true;
	deferred_walk(&e->tracker, &e->process);
	FUZZ_ASSERT(!e->process.deferred.n);
	deferred_release(&e->tracker, &e->process);
}

static size_t take(struct ends *e, const u8 *data, size_t size)
{
	const struct record_sink sink = { .sample = take_sample,
					  .deferred = take_deferred,
					  .text = take_text,
					  .notice = take_notice,
					  .ctx = e,
					  .processes = e,
					  .texts = e };
	static u64 record[MAX_RECORD / 8];
	u16 len;

	if (size < sizeof(len))
		return size;
	memcpy(&len, data, sizeof(len));
	len %= MAX_RECORD;
	if (len > size - sizeof(len))
		len = size - sizeof(len);
	memset(record, 0, sizeof(record));
	memcpy(record, data + sizeof(len), len);
	if (len > sizeof(struct sample) && ((u32)record[0] == RECORD_SAMPLE ||
					    (u32)record[0] == RECORD_DEFERRED))
		without_kernel(record + sizeof(struct sample) / 8,
			       (len - sizeof(struct sample)) / 8);
	if (record_type(record, len) != RECORD_MAPPED)
		record_give(memcpy(xmalloc(len), record, len), len, &sink);
	return sizeof(len) + len;
}

static void check_text(const char *text, size_t len)
{
	FUZZ_ASSERT(!len || text[len - 1] == '\n');
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		/* perf's frames are indented. */
		FUZZ_ASSERT(c == '\n' || (c >= 0x20 && c != 0x7f) ||
			    (c == '\t' && i && text[i - 1] == '\n'));
		/* C1 in UTF-8: some terminals take 0x9b for ESC [. */
		FUZZ_ASSERT(c != 0xc2 || (u8)text[i + 1] >= 0xa0);
	}
}

/* What there is room for. */
struct room {
	size_t tape, profile; /* bytes */
};

static void new_tape(struct recorder *r, const struct modules *ms, int fd,
		     unsigned by, const struct room *room)
{
	const struct recording_head head = { "v", "h", "k", "o", 1, 2 };
	const struct tape_config config = {
		.modules = ms,
		.texts = r->texts,
		.view = { .internals = true, .lines = true },
		.by = by,
		.max_bytes = room->tape,
	};

	r->tape = tape_new(fd, &head, &config);
	tape_event(r->tape, 0, "cpu-clock", "nanoseconds", 10101010);
}

static struct profile *load(struct recorder *r, int fd,
			    const struct load_config *config,
			    const struct room *room)
{
	const struct recording_summary summary = { .end = 9 };
	struct profile *p = profile_new();
	char path[64];

	FUZZ_ASSERT(!tape_flush(r->tape, 9, true));
	FUZZ_ASSERT(!tape_end(r->tape, &summary));
	tape_free(r->tape);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	p->max_bytes = room->profile;
	FUZZ_ASSERT(!load_recording(p, path, config));
	return p;
}

static void write_out(struct profile *p, const struct format *f)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	FUZZ_ASSERT(out && !f->write(p, out));
	fclose(out);
	if (!f->is_binary)
		check_text(text, len);
	free(text);
}

static void run(const u8 *data, size_t size, struct modules *ms,
		const struct format *f, const struct view_options *view)
{
	const struct room plenty = { 1 << 20, 1 << 20 }, none = { 1, 1 };
	const struct room *room = f == formats ? &plenty : &none;
	const struct load_config config = { .view = *view, .by = f->by };
	struct recorder_config limits = { .max_bytes = room->profile };
	struct ends e = { .tracker.bytes = 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct profile *p;

	recorder_init(&e.recorder, &limits);
	new_tape(&e.recorder, ms, fd, f->by, room);
	for (size_t at = 0; at < size;)
		at += take(&e, data + at, size - at);
	walk_deferred(&e, ms);
	p = load(&e.recorder, fd, &config, room);
	write_out(p, f);
	profile_free(p);
	recorder_release(&e.recorder);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct modules_config registry = { .proc = "/nonexistent",
						 .max = 8 };
	struct modules *ms = modules_new(&registry);
	struct view_options view = { .internals = false };

	/* Only for the first is there room. */
	for (const struct format *f = formats; f->name; f++) {
		run(data, size, ms, f, &view);
		view.internals = !view.internals;
		view.lines = true;
		view.walker_options = ~0u;
	}
	modules_free(ms);
	return 0;
}
