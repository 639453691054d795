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

/* Whether after this argument comes no script. */
static bool is_last(const char *arg)
{
	const int len = word(arg);

	return (len == 2 && !memcmp(arg, "-e", 2)) ||
	       (len == 6 && !memcmp(arg, "--args", 6));
}

/* Of an interpreter, "R --no-echo --file=fit.R --args 3" is "R fit.R", "tclsh a.tcl 40" is
 * "tclsh a.tcl". */
static char *program_of(const char *command, bool interprets)
{
	static const char file[] = "--file=";
	const char *at = command;

	while (interprets && *(at += word(at)) && !is_last(++at)) {
		if (!strncmp(at, file, strlen(file)))
			at += strlen(file);
		else if (*at == '-' || !*at)
			continue;
		return xasprintf("%.*s %.*s", word(command), command, word(at),
				 at);
	}
	return xstrndup(command, word(command));
}

void process_describe(const struct tracker *t, struct process *p,
		      bool interprets)
{
	char *command = proc_command(t->config.proc, p->pid);

	p->interprets = interprets;
	if (!command)
		return;
	free(p->text);
	free(p->program);
	free(p->cgroup);
	p->text = command;
	p->program = program_of(command, interprets);
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
	struct tracker *t = tracker;
	const struct process *p = t->walking && t->walking->pid == pid
					  ? t->walking
					  : process_find(t, pid);

	*program = p && p->program ? p->program : "";
	*cgroup = p && p->cgroup ? p->cgroup : "";
}
