/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The text that perf script writes: a paragraph a sample, innermost frame first,
 *
 *   comm pid/tid [cpu] seconds: period event:
 *                     1a000 name (module)
 *
 * Readers count paragraphs.  Scripts have their interpreter's name as module.
 *
 * Readers drop frames whose names begin with "(", which they take for processes: those
 * get their kind before them.  A command of one letter gets one more blank, without which
 * some readers would take the pid for a part of it.  Blanks and parentheses in modules
 * are escaped: the last pair of parentheses in a line is the module.
 */
#include "user/lib/buf.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

#define SPLITS ESCAPE_TEXT " ()"

static void put_module(const struct profile *p, const struct frame *f,
		       struct buf *out)
{
	if (f->type == FRAME_IS_KERNEL)
		buf_adds(out, "[kernel.kallsyms]");
	else if (f->type == FRAME_IS_SCRIPT)
		buf_adds(out, text_title(f->walker));
	else if (f->module)
		escape_text(text_module(p, f->module), SPLITS, out);
	else
		buf_adds(out, "[unknown]");
}

static void put_frame(const struct profile *p, u32 id, struct buf *out)
{
	const struct frame *f = profile_frame(p, id);
	_cleanup_buf_ struct buf name = { 0 };

	text_frame(p, f, TEXT_SPACE | TEXT_PLACE, &name);
	buf_addf(out, "\t%16llx ", f->address);
	if (*buf_text(&name) == '(')
		buf_addf(out, "%s ", text_kind_name(f));
	buf_addf(out, "%s (", buf_text(&name));
	put_module(p, f, out);
	buf_adds(out, ")\n");
}

static void put_sample(struct profile *p, const struct profile_sample *s,
		       struct buf *out)
{
	struct profile_stack stack = profile_stack(p, s->stack);
	const struct profile_task *t = profile_task(p, stack.key->task);
	u32 event = stack.key->event;
	size_t start = out->len;

	text_name(profile_text(p, t->comm), out);
	if (out->len == start + 1)
		buf_addc(out, ' ');
	buf_addf(out, " %u/%u [%03u] %llu.%09llu: %llu ", t->pid, t->tid,
		 s->cpu, s->time / 1000000000, s->time % 1000000000,
		 samples_value(p, s));
	escape_text(profile_text(p, p->event[event].name), SPLITS, out);
	buf_adds(out, ":\n");
	for (size_t i = stack.depth; i-- > 0;)
		put_frame(p, stack.frame[i], out);
	/* Readers drop samples without frames. */
	buf_adds(out, stack.depth ? "\n" : "\t0 [no frames] ([unknown])\n\n");
}

static void put_head(const struct profile *p, bool timed, struct buf *out)
{
	const u32 value[] = { p->host, p->kernel, p->options };
	static const char *const key[] = { "hostname", "os release",
					   "cmdline" };

	buf_adds(out, "# ========\n");
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++) {
		buf_addf(out, "# %s : ", key[i]);
		escape_text(profile_text(p, value[i]), ESCAPE_TEXT, out);
		buf_addc(out, '\n');
	}
	buf_addf(out, "# times : %s\n# ========\n#\n",
		 timed ? "CLOCK_MONOTONIC"
		       : "not known; each stack is one sample");
}

int perf_write(struct profile *p, FILE *file)
{
	struct output out = { .file = file };

	put_head(p, samples_fill(p), &out.text);
	for (size_t i = 0; i < p->samples; i++) {
		put_sample(p, &p->sample[i], &out.text);
		output_put(&out);
	}
	return output_end(&out);
}
