/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Gathers what /proc says of the process, then what each walker says of its parts.
 * Nothing here knows an interpreter. */
#include "user/cli/subject.h"

#include <limits.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/target/proc.h"
#include "user/target/thread.h"
#include "walkers/walker.h"

static struct walker_site site_of(const struct subject *s,
				  const struct subject_part *part)
{
	return (struct walker_site){
		.m = part->m,
		.data = part->data,
		.proc = s->proc,
		.pid = s->pid,
		.bias = part->bias,
		.maps = s->pid ? &s->maps : NULL,
	};
}

static void add_build_id(const struct module *m, struct fact *out)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < m->build_id_len; i++)
		buf_addf(&text, "%02x", m->build_id[i]);
	if (text.len)
		fact_add_text(out, "build_id", "%s", buf_text(&text));
	buf_release(&text);
}

static void add_process(const struct subject *s, struct fact *out)
{
	_cleanup_free_ char *link = xasprintf("%s/%d/exe", s->proc, s->pid);
	_cleanup_free_ pid_t *tid = NULL;
	_cleanup_free_ char *comm = proc_line(s->proc, s->pid, "comm", "\n");
	char path[PATH_MAX];
	ssize_t n;

	fact_add_number(out, "process", (u64)s->pid);
	n = readlink(link, path, sizeof(path) - 1);
	if (n > 0)
		fact_add_text(out, "executable", "%.*s", (int)n, path);
	if (comm)
		fact_add_text(out, "name", "%s", comm);
	n = thread_list(s->proc, s->pid, &tid);
	if (n > 0)
		fact_add_number(out, "threads", (u64)n);
}

static void add_interpreter(const struct subject *s,
			    const struct subject_part *part, struct fact *out)
{
	struct walker_site site = site_of(s, part);

	fact_add_text(out, "language", "%s", part->walker->title);
	fact_add_text(out, "file", "%s", part->m->path);
	add_build_id(part->m, out);
	if (part->bias)
		fact_add_text(out, "loaded_at", "0x%llx", part->bias);
	if (part->refused)
		fact_add_text(out, "refused", "%s", part->refused);
	else if (part->walker->file.facts)
		part->walker->file.facts(&site, out);
	if (part->walker->file.config)
		part->walker->file.config(&site,
					  fact_add_group(out, "configuration"));
}

struct fact *subject_facts(const struct subject *s)
{
	struct fact *root = fact_new(), *list;

	if (s->pid)
		add_process(s, root);
	else
		fact_add_text(root, "file", "%s", s->module[0]->path);
	list = fact_add_list(root, "languages");
	for (size_t i = 0; i < s->parts; i++)
		add_interpreter(s, &s->part[i], fact_add_group(list, NULL));
	return root;
}

struct fact *subject_config(const struct subject *s,
			    const struct subject_part **which)
{
	struct fact *config = fact_new();

	*which = NULL;
	for (size_t i = 0; i < s->parts && !*which; i++)
		if (s->part[i].walker->file.config)
			*which = &s->part[i];
	if (*which) {
		struct walker_site site = site_of(s, *which);

		(*which)->walker->file.config(&site, config);
	}
	return config;
}
