/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which file an address of a process belongs to: module, offset, build-id, function, line.
 *
 * Each file that holds one of the addresses is opened once, and asked once for all of
 * them.  Without addresses the mappings of code themselves are told.
 */
#include "user/cli/verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpbpf/frame.h>

#include "user/cli/subject.h"
#include "user/elf/module.h"
#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/guard.h"
#include "user/lib/intern.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/facts.h"
#include "user/symbolize/addresses.h"
#include "user/symbolize/symbolize.h"
#include "user/target/proc.h"

struct place {
	u64 address;
	const struct map *map; /* NULL: in no mapping */
	struct frame raw;      /* module 0: in no file */
};

struct lookup {
	pid_t pid;
	bool is_asked; /* addresses were given */
	struct maps maps;
	struct module **module; /* by id */
	const struct map **of;	/* the first mapping of each */
	size_t modules, module_capacity, of_capacity;
	struct place *place;
	size_t places, place_capacity;
	struct symbolizer *symbolizer;
};

static const struct module *get_module(void *ctx, u32 id)
{
	const struct lookup *l = ctx;

	return id < l->modules ? l->module[id] : NULL;
}

/* The id of the mapping's module + 1; 0: it is none that can be read. */
static u32 module_of(struct lookup *l, const struct map *map)
{
	struct module *m;
	int fd;

	for (u32 i = 0; i < l->modules; i++)
		if (l->of[i]->ino == map->ino && l->of[i]->dev == map->dev)
			return i + 1;
	fd = map->ino && l->modules < FRAME_MAX_FILES
		     ? proc_open_map("/proc", l->pid, map)
		     : -1;
	m = xcalloc(1, sizeof(*m));
	if (fd < 0 || module_open(m, fd, map->path)) {
		free(m);
		return 0;
	}
	m->id = l->modules;
	l->of = xgrow(l->of, l->modules, &l->of_capacity, sizeof(*l->of));
	l->of[l->modules] = map;
	l->module = xgrow(l->module, l->modules, &l->module_capacity,
			  sizeof(*l->module));
	l->module[l->modules++] = m;
	return m->id + 1;
}

static void add_place(struct lookup *l, u64 address)
{
	struct place p = { .address = address };
	u64 vaddr;

	p.map = maps_find(&l->maps, address);
	p.raw.module = p.map ? module_of(l, p.map) : 0;
	if (p.raw.module && module_offset_to_vaddr(l->module[p.raw.module - 1],
						   p.map->offset, &vaddr))
		p.raw.module = 0;
	if (p.raw.module) {
		p.raw.address = vaddr + (address - p.map->start);
		symbolizer_expect(l->symbolizer, frame_native(p.raw.module - 1,
							      p.raw.address));
	}
	l->place = xgrow(l->place, l->places, &l->place_capacity,
			 sizeof(*l->place));
	l->place[l->places++] = p;
}

/* 0 or -EINVAL after log_err(). */
static int add_word(struct lookup *l, const char *word)
{
	char *end;
	u64 address;

	errno = 0;
	address = strtoull(word, &end, 16);
	if (errno || end == word || *end || *word == '-') {
		log_err("'%s' is not an address; write it in hexadecimal: "
			"0x7f52a1c3d2b0",
			word);
		return -EINVAL;
	}
	add_place(l, address);
	return 0;
}

/* One address a line. */
static int add_input(struct lookup *l)
{
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	int err = 0;

	while (!err && getline(&line, &size, stdin) > 0) {
		char *word = line + strspn(line, " \t\r\n");

		word[strcspn(word, " \t\r\n")] = '\0';
		if (*word)
			err = add_word(l, word);
	}
	return err;
}

static void add_function(const struct lookup *l, const struct frame *f,
			 struct fact *out)
{
	const struct intern *texts = symbolizer_texts(l->symbolizer);
	const char *name = intern_get(texts, f->name, NULL);
	const char *file = intern_get(texts, f->file, NULL);

	if (*name && !(f->flags & FRAME_ADDRESS))
		fact_add_text(out, "function", "%s", name);
	if (*file)
		fact_add_text(out, "file", "%s", file);
	if (f->line)
		fact_add_number(out, "line", f->line);
}

/* What the file says: functions and lines, the innermost function last. */
static void add_code(const struct lookup *l, const struct place *p,
		     struct fact *out)
{
	const struct address *a = symbolizer_find(l->symbolizer, &p->raw);
	struct fact *list;

	if (!a)
		return;
	add_function(l, &a->frame.frame, out);
	if (a->start)
		fact_add_number(out, "function_offset",
				p->raw.address - a->start);
	list = a->inlines ? fact_add_list(out, "inlined") : NULL;
	for (size_t i = a->inlines; i > 0; i--)
		add_function(l, &a->inlined[i - 1].frame,
			     fact_add_group(list, NULL));
}

static void add_answer(const struct lookup *l, const struct place *p,
		       struct fact *out)
{
	const struct map *map = p->map;

	fact_add_text(out, "address", "0x%llx", p->address);
	if (!map) {
		fact_add_text(out, "mapping", "none");
		return;
	}
	if (p->raw.module && l->is_asked)
		add_code(l, p, out);
	fact_add_text(out, "module", "%s",
		      *map->path ? map->path : "anonymous");
	fact_add_text(out, "offset", "0x%llx",
		      p->address - map->start + map->offset);
	if (p->raw.module)
		subject_build_id(l->module[p->raw.module - 1], out);
}

/* Begins of all executable mappings. */
static int add_mappings(struct lookup *l)
{
	for (size_t i = 0; i < l->maps.n; i++)
		if (l->maps.map[i].executable)
			add_place(l, l->maps.map[i].start);
	return 0;
}

static int read_words(struct lookup *l, const struct options *o)
{
	int err = o->words ? 0 : add_mappings(l);

	for (size_t i = 0; i < o->words && !err; i++)
		err = strcmp(o->word[i], "-") ? add_word(l, o->word[i])
					      : add_input(l);
	return err;
}

static int print(const struct lookup *l, const struct options *o)
{
	struct fact *all = fact_new();
	struct fact *list = fact_add_list(all, "addresses");
	_cleanup_buf_ struct buf text = { 0 };

	for (size_t i = 0; i < l->places; i++)
		add_answer(l, &l->place[i], fact_add_group(list, NULL));
	if (o->run.json)
		facts_json(&text, all);
	else
		facts_text(&text, all);
	fwrite(buf_text(&text), 1, text.len, stdout);
	fact_free(all);
	return answer_end();
}

static void release(struct lookup *l)
{
	symbolizer_free(l->symbolizer);
	for (size_t i = 0; i < l->modules; i++) {
		module_close(l->module[i]);
		free(l->module[i]);
	}
	free(l->module);
	free(l->of);
	free(l->place);
	maps_release(&l->maps);
}

int maps_run(const struct options *o)
{
	struct lookup l = { .pid = o->run.pids ? o->run.pid[0] : 0,
			    .is_asked = o->words };
	const struct symbolizer_config config = {
		.module = get_module,
		.ctx = &l,
		.view = { .internals = true, .lines = true, .inlines = true },
	};
	int err = proc_maps("/proc", l.pid, &l.maps), status;

	if (err) {
		errno = -err;
		log_err("the mappings of process %d cannot be read: %m (see ps; "
			"be root)",
			l.pid);
		return STATUS_FAILED;
	}
	l.symbolizer = symbolizer_new(&config);
	status = read_words(&l, o) ? STATUS_USAGE : print(&l, o);
	release(&l);
	return status;
}
