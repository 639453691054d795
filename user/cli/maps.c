/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which file an address of a process belongs to: module, offset, build-id, function, line.
 *
 * Files and names are those of a profile: each file that holds one of the addresses is
 * opened once and asked once for all of them, and code made at run time has the names that
 * its maker wrote down (perfmap.h).  Without addresses the mappings of code are told.
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
#include "user/files/modules.h"
#include "user/files/tables.h"
#include "user/kernel/privilege.h"
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

#define PROC "/proc"

struct place {
	u64 address;
	const struct map *map;	/* NULL: in no mapping */
	const struct module *m; /* NULL: in no code that can be read or named */
	struct frame raw;
};

struct lookup {
	pid_t pid;
	bool is_asked; /* addresses were given */
	struct maps maps;
	struct modules *modules;
	struct place *place;
	size_t places, place_capacity;
	struct symbolizer *symbolizer;
};

static const struct module *get_module(void *modules, u32 id)
{
	return modules_get(modules, id);
}

static const struct module *module_of(const struct lookup *l,
				      const struct map *map)
{
	const struct module *m = NULL;

	if (map->ino)
		m = modules_find(l->modules, l->pid, map, l->maps.time);
	else if (!strcmp(map->path, "[vdso]"))
		m = modules_vdso(l->modules, map);
	else if (map->executable && *map->path != '[')
		m = modules_code(l->modules, l->pid, map);
	return m && m->id != MODULES_NONE ? m : NULL;
}

static void add_place(struct lookup *l, u64 address)
{
	struct place p = { .address = address };
	u64 vaddr;

	p.map = maps_find(&l->maps, address);
	p.m = p.map ? module_of(l, p.map) : NULL;
	if (p.m && p.m->code)
		vaddr = p.map->start - p.m->code->base;
	else if (p.m && module_offset_to_vaddr(p.m, p.map->offset, &vaddr))
		p.m = NULL;
	if (p.m) {
		p.raw.module = p.m->id + 1;
		p.raw.address = vaddr + (address - p.map->start);
		symbolizer_expect(l->symbolizer,
				  frame_native(p.m->id, p.raw.address));
	}
	l->place = xgrow(l->place, l->places, &l->place_capacity,
			 sizeof(*l->place));
	l->place[l->places++] = p;
}

/* line: of standard input; 0: an argument.  0 or -EINVAL after log_err(). */
static int add_word(struct lookup *l, const char *word, size_t line)
{
	char *end;
	u64 address;

	errno = 0;
	address = strtoull(word, &end, 16);
	if (errno || end == word || *end || *word == '-') {
		_cleanup_free_ char *where =
			line ? xasprintf("standard input, line %zu: ", line)
			     : xstrdup("");

		log_err("%s'%s' is not an address; write it in hexadecimal: "
			"0x7f52a1c3d2b0",
			where, word);
		return -EINVAL;
	}
	add_place(l, address);
	return 0;
}

/* One address a line. */
static int add_input(struct lookup *l)
{
	_cleanup_free_ char *line = NULL;
	size_t size = 0, n = 0;
	int err = 0;

	while (!err && getline(&line, &size, stdin) > 0) {
		char *word = line + strspn(line, " \t\r\n");

		word[strcspn(word, "\r\n")] = '\0';
		n++;
		if (*word)
			err = add_word(l, word, n);
	}
	if (ferror(stdin)) {
		log_err("standard input cannot be read: %m; give it addresses, "
			"one a line");
		err = -EINVAL;
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
	if (!l->is_asked)
		fact_add_text(out, "end", "0x%llx", map->end);
	if (!map) {
		fact_add_text(out, "mapping", "none");
		return;
	}
	if (p->m && l->is_asked)
		add_code(l, p, out);
	fact_add_text(out, "module", "%s",
		      *map->path ? map->path : "anonymous");
	fact_add_text(out, "offset", "0x%llx",
		      p->address - map->start + map->offset);
	if (p->m)
		subject_build_id(p->m, out);
	else if (map->executable && map->ino)
		fact_add_text(out, "symbols", "none: no ELF file can be read");
}

/* Add the begin of each executable mapping. */
static void add_mappings(struct lookup *l)
{
	for (size_t i = 0; i < l->maps.n; i++)
		if (l->maps.map[i].executable)
			add_place(l, l->maps.map[i].start);
}

static int read_words(struct lookup *l, const struct options *o)
{
	int err = 0;

	if (!o->words)
		add_mappings(l);
	for (size_t i = 0; i < o->words && !err; i++)
		err = strcmp(o->word[i], "-") ? add_word(l, o->word[i], 0)
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

static int answer(struct lookup *l, const struct options *o)
{
	if (read_words(l, o))
		return STATUS_USAGE;
	if (!proc_ended(PROC, l->pid))
		return print(l, o);
	log_err("process %d ended before its files were read; name one that "
		"runs",
		l->pid);
	return STATUS_FAILED;
}

int maps_run(const struct options *o)
{
	struct lookup l = { .pid = o->run.pids ? o->run.pid[0] : 0,
			    .is_asked = o->words };
	struct modules_config files = { .proc = PROC,
					.tables = tables_new(NULL),
					.lines = true,
					.max = FRAME_MAX_FILES - 1 };
	struct symbolizer_config names = {
		.module = get_module,
		.view = { .internals = true, .lines = true, .inlines = true },
	};
	int status;

	names.ctx = l.modules = modules_new(&files);
	l.symbolizer = symbolizer_new(&names);
	privilege_keep(PRIVILEGE_READ);
	status = subject_maps(&l.pid, VERB_MAPS, &l.maps) ?: answer(&l, o);
	symbolizer_free(l.symbolizer);
	modules_free(l.modules);
	tables_free(files.tables);
	free(l.place);
	maps_release(&l.maps);
	return status;
}
