/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Writes a profile that was made up, in any format:
 *
 *   make_profile FORMAT [WORD | KEY=VALUE]... > file
 *
 * Without more words it is small and rich: each kind of frame, hostile names, two events,
 * several threads, times, marks and losses.  Formats of one event get the first.
 *
 *   empty             no samples
 *   untimed           no sample[], no start and no end
 *   stacks=N          N distinct stacks instead, of names drawn from 5,000
 *   depth=20-60       how deep they are
 *   seed=N            of what is drawn
 *   deep=N            one stack of N frames besides
 *   changed           some functions are gone, new, faster
 *
 * FORMAT html-diff compares the profile with what "changed" makes of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/walkers.h>

#include "user/flame/page.h"
#include "user/lib/mem.h"
#include "user/output/format.h"
#include "user/profile/profile.h"

#define MS   1000000ull
#define TICK (10 * MS) /* that a sample of cpu-clock stands for */
#define TCL  WALKER_TCL
#define R    WALKER_R

#define LIBTCL \
	"libtcl8.6.so\0aa01bb02cc03dd04\0/usr/lib/x86_64-linux-gnu/libtcl8.6.so"
#define LIBR  "libR.so\0b1b2b3b4b5b6b7b8\0/usr/lib/R/lib/libR.so"
#define LIBC  "libc.so.6\0c0ffee00c0ffee00\0/usr/lib/x86_64-linux-gnu/libc.so.6"
#define MODEL "model.so\0d00dfeedd00dfeed\0/home/ann/model.so"
#define VMOD  "[kernel.kallsyms]\0\0"

/* Which frame a letter stands for in a stack. */
static const struct {
	char letter;
	u8 type, walker;
	u16 flags;
	const char *module, *space, *name, *file, *expression;
	u32 line;
	u64 address;
} frames[] = {
	{ 'a', FRAME_IS_C, .module = LIBTCL, .name = "Tcl_MainEx",
	  .address = 0x1a000 },
	{ 'b', FRAME_IS_C, .module = LIBR, .name = "Rf_mainloop",
	  .address = 0x2b000 },
	{ 'c', FRAME_IS_C, .module = LIBC, .name = "__libc_start_main",
	  .file = "../csu/libc-start.c", .line = 381, .address = 0x3c000 },
	{ 'd', FRAME_IS_C, .module = LIBC, .flags = FRAME_ADDRESS,
	  .name = "0x8a1b2", .address = 0x8a1b2 },
	{ 'e', FRAME_IS_C, .module = MODEL,
	  .name = "fit::Model<std::vector<double> >::solve(int, char const*)",
	  .file = "/home/ann/model.cpp", .line = 120, .address = 0x4d00 },
	{ 'f', FRAME_IS_INLINED, .module = MODEL, .name = "fit::dot<double>",
	  .file = "/home/ann/model.h", .line = 33 },
	{ 'g', FRAME_IS_JIT, .name = "LazyCompile:~render" },
	{ 'h', FRAME_IS_KERNEL, .module = VMOD, .name = "do_syscall_64" },
	{ 'i', FRAME_IS_KERNEL, .module = VMOD, .name = "vfs_read" },
	{ 'j', FRAME_IS_INTERPRETER, TCL, .name = "Tcl" },
	{ 'k', FRAME_IS_SCRIPT, TCL, FRAME_QUALIFIED, .space = "::app",
	  .name = "run", .file = "/home/ann/main.tcl", .line = 12 },
	{ 'l', FRAME_IS_SCRIPT, TCL, .name = "draw",
	  .file = "/home/ann/main.tcl", .line = 40 },
	{ 'm', FRAME_IS_SCRIPT, TCL, .name = "draw",
	  .file = "/home/ann/main.tcl", .line = 44 },
	{ 'n', FRAME_IS_SCRIPT, TCL, FRAME_COROUTINE, .name = "reader" },
	{ 'o', FRAME_IS_SCRIPT, R, .space = "stats", .name = "optim" },
	{ 'p', FRAME_IS_SCRIPT, R, FRAME_UNEXPORTED, .space = "stats",
	  .name = "fn1", .file = "model.R", .line = 9 },
	{ 'q', FRAME_IS_SCRIPT, R, FRAME_ANONYMOUS, .name = "model.R:12" },
	{ 'r', FRAME_IS_SCRIPT, R, .name = "fib", .line = 3 },
	{ 's', FRAME_IS_SCRIPT, R, FRAME_PROMISE, .name = "data" },
	{ 't', FRAME_IS_SCRIPT, R, FRAME_OURS, .name = "<GC>" },
	{ 'u', FRAME_IS_SCRIPT, R, .name = "sum", .expression = "sum(x[1:n])" },
	{ 'v', FRAME_IS_MARKER, .flags = FRAME_CUT, .name = "stack too deep" },
	{ 'w', FRAME_IS_MARKER, .flags = FRAME_MISSING, .name = "no symbols" },
	{ 'x', .type = FRAME_IS_C },
	/* Hostile. */
	{ '1', FRAME_IS_SCRIPT, TCL, .name = "<b>bold</b>" },
	{ '2', FRAME_IS_SCRIPT, TCL,
	  .name = "</script><script>alert(1)</script>" },
	{ '3', FRAME_IS_SCRIPT, TCL,
	  .name = "say \"hi\" 'there' `x` ${y} \\n" },
	{ '4', FRAME_IS_SCRIPT, TCL, .name = "two\nlines\ttab\033[31mred" },
	{ '5', FRAME_IS_SCRIPT, TCL, .name = "bad\xff\xfe\xc3(utf8" },
	{ '6', FRAME_IS_SCRIPT, TCL, .name = "(proc:3)",
	  .file = "/tmp/<i>&amp;.tcl", .line = 3 },
	{ '7', FRAME_IS_SCRIPT, R, .name = "" },
	{ '8', FRAME_IS_SCRIPT, R, .name = "größe;日本 語" },
	{ '9', FRAME_IS_SCRIPT, R, .space = "a<b>", .name = "`[<-`",
	  .file = "say \"x\".R", .line = 1 },
};

static const struct profile_task_text {
	const char *comm, *program;
	u32 pid, tid;
} tasks[] = {
	{ "wish", "wish main.tcl", 100, 100 },
	{ "worker", "wish main.tcl", 100, 101 },
	{ "R", "/usr/lib/R/bin/exec/R --file=model.R", 200, 200 },
	{ "sh </script>", "sh -c \"x\"", 300, 300 },
};

/* Stacks: task, event, samples, and when they were taken (ms). */
static const struct row {
	u32 task, event, weight, from, to;
	const char *letters;
} rows[] = {
	{ 0, 0, 40, 0, 400, "cajkl" },	    { 0, 0, 30, 100, 900, "cajkm" },
	{ 0, 0, 10, 500, 900, "cajklg" },   { 0, 0, 6, 0, 900, "cajklhi" },
	{ 1, 0, 20, 200, 800, "cajkl" },    { 1, 0, 8, 200, 800, "cajn" },
	{ 2, 0, 24, 0, 1000, "cbopef" },    { 2, 0, 16, 0, 1000, "cbope" },
	{ 2, 0, 12, 600, 1000, "cbqrrrr" }, { 2, 0, 8, 600, 1000, "cbqrrr" },
	{ 2, 0, 5, 600, 1000, "cbqsut" },   { 2, 0, 3, 0, 1000, "cbd" },
	{ 2, 0, 2, 0, 1000, "vrrr" },	    { 2, 0, 2, 0, 1000, "wx" },
	{ 3, 0, 9, 300, 600, "c123456" },   { 3, 0, 5, 300, 600, "c789" },
	{ 0, 1, 50, 0, 300, "cajklhi" },    { 2, 1, 150, 0, 1000, "cbopef" },
};

struct spec {
	bool empty, untimed, changed;
	u32 stacks, least, most, seed, deep;
};

static u32 text(struct profile *p, const char *s)
{
	return s ? intern_text(p->texts, s) : 0;
}

/* "name\0build-id\0path" */
static u32 module(struct profile *p, const char *s)
{
	struct intern_key key = { s, 0, NULL, 0 };

	if (!s)
		return 0;
	for (int i = 0; i < 3; i++)
		key.head_len += strlen(s + key.head_len) + (i < 2);
	return intern_id(p->texts, &key, true);
}

static u32 frame(struct profile *p, char letter)
{
	struct frame f = { 0 };
	size_t i = 0;

	while (frames[i].letter != letter)
		i++;
	f = (struct frame){
		.type = frames[i].type,
		.walker = frames[i].walker,
		.flags = frames[i].flags,
		.module = module(p, frames[i].module),
		.space = text(p, frames[i].space),
		.name = text(p, frames[i].name),
		.file = text(p, frames[i].file),
		.expression = text(p, frames[i].expression),
		.line = frames[i].line,
		.address = frames[i].address,
	};
	return profile_add_frame(p, &f);
}

static u32 task(struct profile *p, u32 i)
{
	const struct profile_task t = {
		.comm = text(p, tasks[i].comm),
		.program = text(p, tasks[i].program),
		.pid = tasks[i].pid,
		.tid = tasks[i].tid,
	};

	return profile_add_task(p, &t);
}

/* A stack, and its samples one after the other. */
static void add(struct profile *p, const struct row *r, const u32 *id,
		u32 depth)
{
	const struct profile_key key = { task(p, r->task), r->event };
	u64 value = r->event ? 1 : TICK;
	u32 stack = profile_add(
		p, &key, id, depth,
		&(struct profile_sum){ r->weight, r->weight * value });

	for (u32 i = 0; p->end && i < r->weight; i++)
		profile_add_sample(
			p,
			&(struct profile_sample){
				.time = p->start +
					MS * (r->from + (u64)(r->to - r->from) *
								i / r->weight),
				.weight = 1,
				.value = value,
				.stack = stack,
				.cpu = (r->task + i / 8) % 4,
			});
}

static void add_rows(struct profile *p, const struct spec *s)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct row r = rows[i];
		u32 id[16], n = 0;

		if (r.event >= p->events)
			continue;
		/* One is gone, one takes longer, and a new one comes. */
		if (s->changed && strchr(r.letters, 'n'))
			continue;
		if (s->changed && strchr(r.letters, 'r'))
			r.weight *= 3;
		for (const char *c = r.letters; *c; c++)
			id[n++] = frame(p, *c);
		if (s->changed && strchr(r.letters, 'g'))
			id[n++] = frame(p, 'i');
		add(p, &r, id, n);
	}
}

static u32 draw(u32 *seed, u32 below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (u64)*seed * below >> 32;
}

/* There are few outer functions and many inner ones. */
static u32 drawn_frame(struct profile *p, u32 *seed, u32 depth)
{
	u32 n = draw(seed, depth < 10 ? 3 << depth : 5000);
	char *name = xasprintf("function_%u", n);
	struct frame f = {
		.type = n % 3 ? FRAME_IS_SCRIPT : FRAME_IS_C,
		.walker = n % 3 == 2 ? R : TCL,
		.name = intern_text(p->texts, name),
		.module = n % 3 ? 0 : module(p, n % 2 ? LIBC : MODEL),
	};

	free(name);
	return profile_add_frame(p, &f);
}

static void add_drawn(struct profile *p, const struct spec *s)
{
	u32 *id = xcalloc(s->most + s->deep + 1, sizeof(*id)), seed = s->seed;
	struct row r = { .weight = 1, .to = 1000 };

	for (u32 i = 0; i < s->stacks; i++) {
		u32 depth = s->least + draw(&seed, s->most - s->least + 1);

		for (u32 k = 0; k < depth; k++)
			id[k] = drawn_frame(p, &seed, k);
		r.task = draw(&seed, 3);
		r.from = draw(&seed, 1000);
		r.weight = 1 + draw(&seed, 3);
		add(p, &r, id, depth);
	}
	for (u32 k = 0; k < s->deep; k++)
		id[k] = frame(p, k % 50 ? 'r' : 'q');
	r = (struct row){ .task = 2, .weight = 100, .to = 1000 };
	if (s->deep)
		add(p, &r, id, s->deep);
	free(id);
}

static int by_time(const void *a, const void *b)
{
	const struct profile_sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void add_note(struct profile *p, struct profile_notes *notes, u32 ms,
		     const char *what, u64 count)
{
	profile_add_note(notes, &(struct profile_note){ p->start + ms * MS,
							text(p, what), count });
}

static struct profile *make(const struct spec *s, bool one_event)
{
	struct profile *p = profile_new();

	profile_add_event(p, "cpu-clock", "nanoseconds", TICK);
	if (!one_event)
		profile_add_event(p, "page-faults", "faults", 0);
	p->host = text(p, "lab1");
	p->kernel = text(p, "6.1.0-18-amd64");
	p->options = text(p, "-F 100 -a --expr \"</script>\"");
	p->by = PROFILE_BY_PID | PROFILE_BY_TID |
		(s->untimed ? 0 : PROFILE_TIMES);
	if (!s->untimed) {
		p->start = 5000000 * MS;
		p->end = p->start + 1000 * MS;
		p->start_real = 1760000000000 * MS;
	}
	if (s->empty)
		return p;
	if (s->stacks || s->deep)
		add_drawn(p, s);
	else
		add_rows(p, s);
	if (p->samples)
		qsort(p->sample, p->samples, sizeof(*p->sample), by_time);
	add_note(p, &p->marks, 300, "phase <b>2</b>", 1);
	add_note(p, &p->marks, 600, "fit", 1);
	add_note(p, &p->losses, 450, "ring buffer full", 17);
	return p;
}

static u32 number(const char *word, const char *key, u32 now)
{
	size_t len = strlen(key);

	return strncmp(word, key, len) ? now : strtoul(word + len, NULL, 10);
}

static struct spec read_spec(char **word)
{
	struct spec s = { .least = 20, .most = 60, .seed = 1 };

	for (; *word; word++) {
		s.empty |= !strcmp(*word, "empty");
		s.untimed |= !strcmp(*word, "untimed");
		s.changed |= !strcmp(*word, "changed");
		s.stacks = number(*word, "stacks=", s.stacks);
		s.seed = number(*word, "seed=", s.seed);
		s.deep = number(*word, "deep=", s.deep);
		s.least = number(*word, "depth=", s.least);
		if (!strncmp(*word, "depth=", 6))
			s.most = strchr(*word, '-')
					 ? strtoul(strchr(*word, '-') + 1, NULL,
						   10)
					 : s.least;
	}
	return s;
}

static int write_diff(struct spec *s)
{
	struct profile *a = make(s, false), *b;
	int err;

	s->changed = true;
	b = make(s, false);
	err = html_diff(a, b, stdout);
	profile_free(a);
	profile_free(b);
	return err;
}

static int write_format(const struct format *f, const struct spec *s)
{
	struct profile *p = make(s, f->one_event);
	int err = f->write(p, stdout);

	profile_free(p);
	return err;
}

int main(int argc, char **argv)
{
	const struct format *f = argc > 1 ? format_find(argv[1]) : NULL;
	bool diff = argc > 1 && !strcmp(argv[1], "html-diff");
	struct spec s;
	int err;

	if (!f && !diff) {
		fprintf(stderr,
			"usage: make_profile FORMAT [WORD]... > file\n");
		return 2;
	}
	s = read_spec(argv + 2);
	err = diff ? write_diff(&s) : write_format(f, &s);
	return err || fflush(stdout) ? 1 : 0;
}
