/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A process whose shadow stacks are lies: the kernel side, as ordinary C, walks this process
 * after its descriptor, its stack and its frames were written over.
 *
 * The input is a list of changes: which part, where in it, how many bytes, and these.
 */
#include <string.h>

#include <jpbpf-interp.h>

#include "bpf/walk.bpf.h"
#include "tests/fuzz/fuzz.h"
#include "tests/host/host.h"
#include "tests/host/self.h"
#include "walkers/walker.h"

#define FRAMES 4

static struct jpi_method methods[FRAMES];
extern struct jpi_process jpi_process;

static const struct part {
	void *at;
	size_t size;
} * parts(void)
{
	static struct part all[5];
	struct jpi_stack *s = jpi_thread.stack;

	all[0] = (struct part){ &jpi_process, sizeof(jpi_process) };
	all[1] = (struct part){ &jpi_thread, sizeof(jpi_thread) };
	all[2] = (struct part){ s, sizeof(*s) };
	all[3] = (struct part){ jpi_frames(s),
				FRAMES * sizeof(struct jpi_frame) };
	all[4] = (struct part){ methods, sizeof(methods) };
	return all;
}

static void change(const struct part *part, const u8 *data, size_t size)
{
	while (size > 3) {
		const struct part *p = &part[data[0] % 5];
		size_t at = data[1] * 4u % p->size, n = data[2] % 9;

		data += 3;
		size -= 3;
		n = n < size ? n : size;
		n = n < p->size - at ? n : p->size - at;
		memcpy((u8 *)p->at + at, data, n);
		data += n;
		size -= n;
	}
}

/* Every word belongs to a frame. */
static void check(const struct sample *s)
{
	u32 i = 0;

	FUZZ_ASSERT(s->words && s->words <= WALK_WORDS);
	FUZZ_ASSERT(host_loop_turns <= WALK_MAX_STEPS);
	while (i < s->words)
		i += 1 + frame_extra(s->word[i]);
	FUZZ_ASSERT(i == s->words);
}

static void begin(void)
{
	static const struct jpi_line lines[] = { { 0, 1 }, { 9, 2 } };

	for (int i = 0; i < FRAMES; i++) {
		methods[i] =
			(struct jpi_method)JPI_METHOD("name", "scope", "file");
		methods[i].line = lines;
		methods[i].lines = 2;
		jpi_enter(&methods[i], i);
	}
	__asm__("mov %%fs:0, %0" : "=r"(host_task_current.thread.fsbase));
	self_open(walkers[WALKER_SHADOW], WALKER_SHADOW);
	self_want(SELF_LINES, true);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static bool begun;
	u8 was[5][FRAMES * sizeof(struct jpi_method)];
	struct part part[5];
	struct perf_regs regs;
	struct sample *s;

	if (!begun)
		begin();
	begun = true;
	memcpy(part, parts(), sizeof(part));
	for (int i = 0; i < 5; i++)
		memcpy(was[i], part[i].at, part[i].size);
	change(part, data, size);
	host_here(&regs);
	s = self_sample(&regs);
	for (int i = 0; i < 5; i++)
		memcpy(part[i].at, was[i], part[i].size);
	check(s);
	free(s);
	return 0;
}
