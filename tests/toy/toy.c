/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Toy on the user side: a file is Toy's if it exports the variable toy_top. */
#include "tests/toy/toy.h"

#include <errno.h>
#include <stdlib.h>

#include <jpbpf/frame.h>
#include <jpbpf/status.h>

#include "user/elf/module.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/target/memory.h"
#include "walkers/walker.h"

extern const struct walker toy_walker;

/* What is known of one file. */
struct toy_file {
	u64 top;		    /* vaddr of toy_top */
	struct module_function run; /* toy_run() */
};

static int probe(const struct module *m, void **data, struct buf *why)
{
	struct toy_file *f;
	u64 top, run;

	if (module_dynsym(m, "toy_top", &top, NULL))
		return 0;
	f = xcalloc(1, sizeof(*f));
	f->top = top;
	if (module_dynsym(m, "toy_run", &run, NULL) ||
	    module_function_at(m, run, &f->run)) {
		buf_adds(why, "it has no function toy_run");
		free(f);
		return -ENOTSUP;
	}
	*data = f;
	return 1;
}

static void describe(const void *data, struct buf *out)
{
	(void)data;
	buf_adds(out, "Toy 1");
}

static bool internal(const void *data, u64 vaddr)
{
	const struct toy_file *f = data;

	return vaddr >= f->run.start && vaddr < f->run.end;
}

/* Every frame of toy_run() has a record. */
static u64 hidden(const void *data, u64 vaddr)
{
	if (!internal(data, vaddr))
		return 0;
	return frame_walker(WALKER_TOY, 0, TOY_UNNAMED, 0);
}

static int attach(pid_t pid, const struct module *m, u64 bias,
		  const struct maps *maps, void *data, void *value,
		  struct buf *why)
{
	struct toy_process *p = value;
	u64 record;

	(void)m, (void)maps;
	p->top = ((const struct toy_file *)data)->top + bias;
	if (!memory_read_u64(pid, p->top, &record))
		return 1;
	buf_adds(why, "the variable toy_top cannot be read");
	return -EFAULT;
}

static enum walker_says read_words(const u64 *word,
				   const struct walker_texts *texts,
				   struct walker_text *out)
{
	const char *text = NULL;

	if (frame_sub(*word) == TOY_FUNCTION && frame_extra(*word))
		text = texts->find(texts->ctx, word[1]);
	buf_adds(&out->name, text ? text : "[toy frame]");
	return WALKER_FRAME;
}

const struct walker toy_walker = {
	.name = "toy",
	.title = "Toy",
	.file = {
		.probe = probe,
		.forget = free,
		.describe = describe,
		.internal = internal,
		.hidden = hidden,
	},
	.process = {
		.attach = attach,
		.map = "toy_processes",
		.value_size = sizeof(struct toy_process),
		.not_ready = TOY_NOT_READY,
		.unplaced = TOY_UNPLACED,
		.elsewhere = TOY_ELSEWHERE,
	},
	.read = read_words,
};
