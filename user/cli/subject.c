/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Every file that a process maps executable is shown to every walker, as in
 * profiling. So is a single file, with the libraries that it is linked with. What the
 * walkers say of a file is gathered before the next file is opened.
 *
 * A path can lead to anything; only a regular file is opened and read.
 */
#include "user/cli/subject.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/build.h"
#include "user/cli/options.h"
#include "user/elf/needed.h"
#include "user/elf/pairs.h"
#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/host.h"
#include "user/kernel/privilege.h"
#include "user/target/proc.h"
#include "user/target/regular.h"
#include "user/target/thread.h"
#include "walkers/walker.h"

#define PROC "/proc"

void subject_build_id(const struct module *m, struct fact *out)
{
	_cleanup_buf_ struct buf text = { 0 };

	buf_addhex(&text, m->build_id, m->build_id_len);
	if (text.len)
		fact_add_text(out, "build_id", "%s", buf_text(&text));
}

/* data: from probe(); NULL: it was refused, why says the reason. */
static void add_interpreter(struct subject *s, const struct walker *w,
			    const struct walker_site *site, const char *why)
{
	struct fact *out = fact_add_group(s->languages, NULL);

	fact_add_text(out, "language", "%s", w->title);
	fact_add_text(out, "file", "%s", site->m->path);
	subject_build_id(site->m, out);
	if (site->bias)
		fact_add_text(out, "loaded_at", "0x%llx", site->bias);
	if (!site->data)
		fact_add_text(out, "refused", "%s", why);
	else if (w->file.facts)
		w->file.facts(site, out);
	if (w->file.config)
		w->file.config(site, fact_add_group(out, "configuration"));
}

/* A file that registers a configuration with an interpreter that it does not contain. */
static void add_extension(struct subject *s, const struct walker *w,
			  const struct walker_site *site)
{
	struct fact *config = fact_new();
	struct fact *out;

	w->file.config(site, config);
	if (config->first) {
		out = fact_add_group(s->languages, NULL);
		fact_add_text(out, "extension_of", "%s", w->title);
		fact_add_text(out, "file", "%s", site->m->path);
		subject_build_id(site->m, out);
		out = fact_add_group(out, "configuration");
		out->first = config->first;
		out->last = config->last;
		config->first = config->last = NULL;
	}
	fact_free(config);
}

/* Asks every walker. */
static void probe(struct subject *s, const struct module *m, u64 bias)
{
	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		_cleanup_buf_ struct buf why = { 0 };
		void *data = NULL;
		int got = w->file.probe(m, &data, &why);
		struct walker_site site = {
			.m = m,
			.data = got > 0 ? data : NULL,
			.proc = PROC,
			.pid = s->pid,
			.bias = bias,
			.maps = s->pid ? &s->maps : NULL,
		};

		if (got)
			add_interpreter(s, w, &site, buf_text(&why));
		else if (!s->pid && w->file.config)
			add_extension(s, w, &site);
		if (got > 0 && w->file.forget)
			w->file.forget(data);
	}
}

static void read_build(const struct module *m, struct fact *out)
{
	struct pairs p = { 0 };

	pairs_read(&p, m, build_first_keys);
	for (size_t i = 0; i < p.n; i++)
		fact_add_text(out, p.pair[i].key, "%s", p.pair[i].value);
	pairs_release(&p);
}

/* Takes fd.  map is the process's mapping of the file, or NULL.  0 or -errno. */
static int take_file(struct subject *s, int fd, const char *path,
		     const struct map *map)
{
	struct module m = { .fd = -1 };
	u64 vaddr = 0;
	int err = module_open(&m, fd, path);

	if (err)
		return err;
	if (map)
		err = module_offset_to_vaddr(&m, map->offset, &vaddr);
	if (!err && memcmp(&m.key, &s->first, sizeof(m.key)))
		probe(s, &m, map ? map->start - vaddr : 0);
	if (!s->pid && !s->first.ino) {
		s->first = m.key;
		read_build(&m, s->build);
	}
	module_close(&m);
	return err;
}

/* Whether mapping number i has code of a file that no mapping before it has. */
static bool is_new(const struct maps *maps, size_t i)
{
	const struct map *map = maps->map;

	if (!map[i].executable || !map[i].ino)
		return false;
	for (size_t k = 0; k < i; k++)
		if (map[k].executable && map[k].dev == map[i].dev &&
		    map[k].ino == map[i].ino)
			return false;
	return true;
}

static int refuse_process(pid_t pid, int err, enum verb verb)
{
	const char *hidden = host_without_pids();
	bool denied = err == -EACCES || err == -EPERM;

	if (hidden)
		log_err("process %d cannot be looked at: %s; mount the one of "
			"this namespace: mount -t proc proc /proc",
			pid, hidden);
	else if (denied && privilege_suffices(PRIVILEGE_READ))
		log_err("process %d may not be looked at by root neither: a "
			"security module or its user namespace forbids it; run "
			"jpbpf where it was started",
			pid);
	else if (denied)
		log_err("process %d may not be looked at; as root it may: "
			"sudo jpbpf %s %d",
			pid, verb == VERB_INFO ? "info" : "maps -p", pid);
	else if (err == -ESRCH && verb != VERB_INFO)
		log_err("there is no process %d; it may have ended: see ps -e",
			pid);
	else if (err == -ESRCH)
		log_err("there is no process %d; it may have ended: see "
			"ps -e.  If a file is meant, write ./%d",
			pid, pid);
	else
		log_err("process %d cannot be read: %s", pid, strerror(-err));
	return hidden || denied ? STATUS_REFUSED : STATUS_FAILED;
}

/* What /proc says of the process. */
static void add_process(const struct subject *s, struct fact *out)
{
	_cleanup_free_ char *link =
		xasprintf("%s/%d/exe", PROC, thread_living(PROC, s->pid));
	_cleanup_free_ pid_t *tid = NULL;
	_cleanup_free_ char *comm = proc_line(PROC, s->pid, "comm", "\n");
	char path[PATH_MAX];
	ssize_t n;

	fact_add_number(out, "process", (u64)s->pid);
	n = readlink(link, path, sizeof(path) - 1);
	if (n > 0)
		fact_add_text(out, "executable", "%.*s", (int)n, path);
	if (comm)
		fact_add_text(out, "name", "%s", comm);
	n = thread_list(PROC, s->pid, &tid);
	if (n > 0)
		fact_add_number(out, "threads", (u64)n);
}

int subject_maps(pid_t *pid, enum verb verb, struct maps *maps)
{
	int err = thread_process(PROC, *pid);

	if (err > 0)
		err = proc_maps(PROC, *pid = err, maps);
	if (err < 0)
		return refuse_process(*pid, err, verb);
	if (maps->n)
		return 0;
	log_err("process %d has no memory: it is the kernel's, or has ended",
		*pid);
	return STATUS_FAILED;
}

int subject_open_process(struct subject *s, pid_t pid)
{
	size_t denied = 0;
	int status;

	*s = (struct subject){ .pid = pid,
			       .facts = fact_new(),
			       .build = fact_new() };
	status = subject_maps(&s->pid, VERB_INFO, &s->maps);
	if (status)
		return status;
	add_process(s, s->facts);
	s->languages = fact_add_list(s->facts, "languages");
	for (size_t i = 0; i < s->maps.n; i++) {
		const struct map *map = &s->maps.map[i];
		int fd;

		if (!is_new(&s->maps, i))
			continue;
		fd = proc_open_map(PROC, s->pid, map);
		denied += fd == -EACCES || fd == -EPERM;
		if (fd >= 0)
			take_file(s, fd, map->path, map);
	}
	if (denied && !s->languages->first)
		return refuse_process(pid, -EACCES, VERB_INFO);
	return 0;
}

static int refuse_file(const char *path, int err)
{
	_cleanup_free_ char *found = needed_command(path);
	bool denied = err == -EACCES || err == -EPERM;

	if (denied)
		log_err("%s may not be read; as root it may: "
			"sudo jpbpf info %s",
			path, path);
	else if (err == -ENOEXEC)
		log_err("%s is not a program or library for 64-bit x86 (ELF); "
			"of a script, give the process that runs it",
			path);
	else if (err == -EISDIR)
		log_err("%s is not a regular file; give a program or library",
			path);
	else if (err == -ENOENT || err == -ENOTDIR)
		log_err("there is no file %s; give a process id or the path of "
			"a program or library%s%s",
			path, found ? ": jpbpf info " : "", found ? found : "");
	else
		log_err("%s cannot be read: %s; give a process id or the path "
			"of a program or library",
			path, strerror(-err));
	return denied ? STATUS_REFUSED : STATUS_FAILED;
}

static int add_file(struct subject *s, const char *path)
{
	int fd = regular_open(path, NULL);

	if (fd < 0)
		return fd == -ENXIO ? -EISDIR : fd;
	return take_file(s, fd, path, NULL);
}

/* Adds a library from the path where the loader probably finds it. */
static void add_linked(void *ctx, const char *path)
{
	struct subject *s = ctx;
	const struct fact *last = s->languages->last;

	if (!add_file(s, path) && s->languages->last != last)
		log_info("%s is linked with %s: jpbpf info %s",
			 s->facts->first->text, basename(path), path);
}

int subject_open_file(struct subject *s, const char *path)
{
	_cleanup_free_ char *real = realpath(path, NULL);
	int err;

	*s = (struct subject){ .facts = fact_new(), .build = fact_new() };
	fact_add_text(s->facts, "file", "%s", path);
	s->languages = fact_add_list(s->facts, "languages");
	err = add_file(s, path);
	if (err)
		return refuse_file(path, err);
	if (real)
		needed_files(real, add_linked, s);
	return 0;
}

void subject_release(struct subject *s)
{
	fact_free(s->facts);
	fact_free(s->build);
	maps_release(&s->maps);
	*s = (struct subject){ 0 };
}
