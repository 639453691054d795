/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a process is called in recordings: its program and script, but no other argument,
 * since arguments may be secrets. */
#include <stdlib.h>
#include <string.h>

#include "user/lib/mem.h"
#include "user/processes/process.h"
#include "user/processes/tracker.h"
#include "user/target/proc.h"

/* The length of the word. */
static int word(const char *text)
{
	return strcspn(text, " ");
}

/* "R --no-echo --file=fit.R --args 3" is "R fit.R", "tclsh a.tcl 40" is "tclsh a.tcl". */
static char *program_of(const char *command)
{
	static const char file[] = "--file=";
	const char *at = command;

	while (*(at += word(at))) {
		at++;
		if (!strncmp(at, file, strlen(file)))
			at += strlen(file);
		else if (*at == '-')
			continue;
		return xasprintf("%.*s %.*s", word(command), command, word(at),
				 at);
	}
	return xstrndup(command, word(command));
}

void process_describe(const struct tracker *t, struct process *p, char *command)
{
	if (!command)
		return;
	free(p->text);
	free(p->program);
	free(p->cgroup);
	p->text = command;
	p->program = program_of(command);
	p->cgroup = proc_line(t->config.proc, p->pid, "cgroup", "\n0::");
}

void process_inherit(struct process *child, const struct process *parent)
{
	child->text = xstrdup(parent->text);
	child->program = parent->program ? xstrdup(parent->program) : NULL;
	child->cgroup = parent->cgroup ? xstrdup(parent->cgroup) : NULL;
}

void tracker_describe(void *tracker, pid_t pid, const char **program,
		      const char **cgroup)
{
	const struct process *p = process_find(tracker, pid);

	*program = p && p->program ? p->program : "";
	*cgroup = p && p->cgroup ? p->cgroup : "";
}
