/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Tasks are asked once each, and samples for their time and event. */
#include "user/profile/choice.h"

#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/profile/load.h"
#include "user/recording/replay.h"

void choice_mark(struct choice *c, const struct recording_note *mark)
{
	const char *phase = c->config->phase;

	if (!phase)
		return;
	c->mark = xgrow(c->mark, c->marks, &c->capacity, sizeof(*c->mark));
	c->mark[c->marks].time = mark->time;
	c->mark[c->marks].is_wanted =
		!strcmp(replay_text(c->replay, mark->text), phase);
	c->found |= c->mark[c->marks++].is_wanted;
}

static bool is_in_phase(const struct choice *c, u64 time)
{
	size_t i = c->marks;

	while (i && c->mark[i - 1].time > time)
		i--;
	return !c->config->phase || (i && c->mark[i - 1].is_wanted);
}

/* Both with or without the first slash. */
static bool is_below(const char *cgroup, const char *of)
{
	size_t len;

	of += *of == '/';
	cgroup += *cgroup == '/';
	len = strlen(of);
	len -= len && of[len - 1] == '/';
	return !strncmp(cgroup, of, len) &&
	       (!len || !cgroup[len] || cgroup[len] == '/');
}

static bool is_pid(const struct load_config *config, u32 pid)
{
	for (size_t i = 0; i < config->pids; i++)
		if ((u32)config->pid[i] == pid)
			return true;
	return !config->pids;
}

static bool takes_task(const struct choice *c, const struct recording_task *t)
{
	const struct load_config *o = c->config;
	const char *comm = replay_text(c->replay, t->comm);
	_cleanup_buf_ struct buf tid = { 0 };

	buf_addf(&tid, "%u", t->tid);
	return is_pid(o, t->pid) &&
	       (!o->thread || !strcmp(o->thread, comm) ||
		!strcmp(o->thread, tid.data)) &&
	       (!o->comm || !regexec(o->comm, comm, 0, NULL, 0)) &&
	       (!o->cgroup ||
		is_below(replay_text(c->replay, t->cgroup), o->cgroup));
}

static bool takes_event(const struct choice *c, u32 event)
{
	const struct replay *r = c->replay;

	return !c->config->event ||
	       !strcmp(replay_text(r, r->event.at[event - 1].name),
		       c->config->event);
}

bool choice_takes(struct choice *c, const struct recording_sample *s)
{
	const struct load_config *o = c->config;
	u64 since = s->time - c->replay->monotonic;
	u8 *task;

	if (since < o->since || (o->until && since >= o->until) ||
	    !takes_event(c, s->event) || !is_in_phase(c, s->time))
		return false;
	if (s->task > c->tasks) {
		c->task = xreallocarray(c->task, c->replay->task.n, 1);
		memset(c->task + c->tasks, 0, c->replay->task.n - c->tasks);
		c->tasks = c->replay->task.n;
	}
	task = &c->task[s->task - 1];
	if (!*task)
		*task = takes_task(c, &c->replay->task.at[s->task - 1]) ? 1 : 2;
	return *task == 1;
}

void choice_forget(struct choice *c)
{
	c->tasks = 0;
}

void choice_release(struct choice *c)
{
	free(c->task);
	free(c->mark);
}
