/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Hostile records of the ring buffer, with whatever names a target has, to the
 * outputs: each line of which must be one, with nothing that a terminal obeys.
 *
 * The input is records, each behind its length (2 bytes).
 */
#include <string.h>

#include <jpbpf/frame.h>
#include <jpbpf/sample.h>

#include "tests/fuzz/fuzz.h"
#include "user/lib/mem.h"
#include "user/profile/stacks.h"
#include "user/output/format.h"
#include "user/processes/deferred.h"
#include "user/processes/process.h"
#include "user/files/modules.h"
#include "user/intake/record.h"
#include "user/profile/recorder.h"

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
	const struct stack_key key = { .comm = "kept", .status = status };
	struct recorder *r = ctx;

	(void)head;
	stacks_add(r->stacks, &key, word, words, &(struct profile_sum){ 1, 1 });
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

static void write_out(struct recorder *r, const struct format *f)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	recorder_name(r);
	FUZZ_ASSERT(out && !f->write(r->profile, out));
	fclose(out);
	if (!f->is_binary)
		check_text(text, len);
	free(text);
}

static void run(const u8 *data, size_t size, struct recorder_config *config,
		struct modules *ms, const struct format *f)
{
	struct ends e = { .tracker.bytes = 0 };

	recorder_init(&e.recorder, config);
	recorder_add_event(&e.recorder, 0, "cpu-clock", "nanoseconds",
			   10101010);
	for (size_t at = 0; at < size;)
		at += take(&e, data + at, size - at);
	walk_deferred(&e, ms);
	write_out(&e.recorder, f);
	recorder_release(&e.recorder);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct modules_config registry = { .proc = "/nonexistent",
						 .max = 8 };
	struct modules *ms = modules_new(&registry);
	struct recorder_config config = {
		.modules = ms,
		.max_bytes = 1 << 20,
	};

	for (const struct format *f = formats; f->name; f++) {
		run(data, size, &config, ms, f);
		config.view.internals = !config.view.internals;
		config.view.lines = true;
		config.view.walker_options = ~0u;
		/* Nothing has room. */
		config.max_bytes = 0;
	}
	modules_free(ms);
	return 0;
}
