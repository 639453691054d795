/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which file an address of a process belongs to: module, offset, build-id, function, line.
 *
 * Each file that holds one of the addresses is opened once, and asked once for all of
 * them.  Code made at run time has the names that its maker wrote down (perfmap.h).
 * Without addresses the mappings of code themselves are told.
 */
#include "user/cli/verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpbpf/frame.h>

#include "user/cli/subject.h"
#include "user/elf/code.h"
#include "user/elf/module.h"
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
#include "user/target/root.h"

#define PROC "/proc"

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
	struct roots *roots;
	const struct root *root;  /* the process's; NULL: ours */
	bool has_ended;		  /* meanwhile */
	const struct map *denied; /* one whose file may not be read */
	struct place *place;
	size_t places, place_capacity;
	struct symbolizer *symbolizer;
};

static const struct module *get_module(void *ctx, u32 id)
{
	const struct lookup *l = ctx;

	return id < l->modules ? l->module[id] : NULL;
}

/* Code made at run time. */
static bool is_made(const struct map *map)
{
	return !map->ino && map->executable && *map->path != '[';
}

/* Whether the module of this mapping holds the address of that one. */
static bool is_of(const struct module *m, const struct map *of,
		  const struct map *map, u64 address)
{
	if (m->code)
		return is_made(map) &&
		       m->code->base == (address & ~FRAME_ADDR_MASK);
	return of->ino == map->ino && of->dev == map->dev &&
	       (map->ino || of == map);
}

/* 0 or -errno: the mapping holds no code that can be read or named. */
static int open_module(struct lookup *l, struct module *m,
		       const struct map *map, u64 address)
{
	struct module_key key;
	int err;

	if (map->ino) {
		int fd = proc_open_map(PROC, l->pid, map);

		return fd < 0 ? fd : module_open(m, fd, map->path);
	}
	if (!strcmp(map->path, "[vdso]"))
		return vdso_open(m);
	if (!is_made(map))
		return -ENOENT;
	err = code_key(PROC, l->pid, address, &key);
	if (!err)
		code_open(m, PROC, l->pid, &key, "");
	return err;
}

/* The id of the mapping's module + 1; 0: it is none that can be read. */
static u32 module_of(struct lookup *l, const struct map *map, u64 address)
{
	struct module *m;
	int err;

	for (u32 i = 0; i < l->modules; i++)
		if (is_of(l->module[i], l->of[i], map, address))
			return i + 1;
	if (l->modules == FRAME_MAX_FILES)
		return 0;
	m = xcalloc(1, sizeof(*m));
	err = open_module(l, m, map, address);
	if (err) {
		l->has_ended |= err == -ESRCH;
		if (err == -EACCES || err == -EPERM)
			l->denied = map;
		free(m);
		return 0;
	}
	m->root = map->ino || m->code ? l->root : NULL;
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
	const struct module *m;
	u64 vaddr;

	p.map = maps_find(&l->maps, address);
	p.raw.module = p.map ? module_of(l, p.map, address) : 0;
	m = p.raw.module ? l->module[p.raw.module - 1] : NULL;
	if (m && m->code)
		vaddr = p.map->start - m->code->base;
	else if (m && module_offset_to_vaddr(m, p.map->offset, &vaddr))
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
	roots_drop(l->roots, l->root);
	roots_free(l->roots);
	maps_release(&l->maps);
}

static int answer(struct lookup *l, const struct options *o)
{
	if (read_words(l, o))
		return STATUS_USAGE;
	if (l->has_ended) {
		log_err("process %d ended before its files were read; name one "
			"that runs",
			l->pid);
		return STATUS_FAILED;
	}
	if (l->denied)
		log_warn("%s may not be read; as root it may: sudo jpbpf maps "
			 "-p %d",
			 l->denied->path, l->pid);
	return print(l, o);
}

int maps_run(const struct options *o)
{
	struct lookup l = { .pid = o->run.pids ? o->run.pid[0] : 0,
			    .is_asked = o->words,
			    .roots = roots_new() };
	const struct symbolizer_config config = {
		.module = get_module,
		.ctx = &l,
		.view = { .internals = true, .lines = true, .inlines = true },
	};
	int status;

	privilege_keep(PRIVILEGE_READ);
	status = subject_maps(&l.pid, VERB_MAPS, &l.maps);
	if (!status) {
		l.root = roots_hold(l.roots, PROC, l.pid);
		l.symbolizer = symbolizer_new(&config);
		status = answer(&l, o);
	}
	release(&l);
	return status;
}
