/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A database of SQLite 3.  It is built in memory, and its bytes are written.
 *
 * Tables have numbers only: texts are in `strings`, and 0 stands for what is not there.  A
 * stack is its parent and one frame more.  Views put the texts in and add up; manuals and
 * people refer to their names and columns, so a change of them, or of a table, is a new
 * VERSION.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"
#include "user/view/tree.h"

#define VERSION "1" /* user_version */

enum table {
	FRAMES,
	STACKS,
	TASKS,
	EVENTS,
	SAMPLES,
	MARKS,
	LOSSES,
	RUN,
	STRINGS,
	TABLES
};

static const char *const table[TABLES] = {
	[FRAMES] = "frames(id INTEGER PRIMARY KEY, name, kind, space, module, "
		   "build_id, path, file, line, address)",
	[STACKS] = "stacks(id INTEGER PRIMARY KEY, parent, frame, depth)",
	[TASKS] = "tasks(id INTEGER PRIMARY KEY, pid, tid, comm, program)",
	[EVENTS] = "events(id INTEGER PRIMARY KEY, name, unit, interval)",
	[SAMPLES] = "samples(time, task, event, stack, cpu, weight, value)",
	[MARKS] = "marks(time, text)",
	[LOSSES] = "losses(time, reason, samples)",
	[RUN] = "run(start, end, start_real, host, kernel, options)",
	[STRINGS] = "strings(id INTEGER PRIMARY KEY, text)",
};

static const char views[] =
	"CREATE VIEW functions AS SELECT f.id, n.text AS name, k.text AS kind,"
	" m.text AS module, s.text AS file, f.line FROM frames f"
	" JOIN strings n ON n.id = f.name JOIN strings k ON k.id = f.kind"
	" JOIN strings m ON m.id = f.module JOIN strings s ON s.id = f.file;"

	"CREATE VIEW timeline AS SELECT (s.time - r.start) / 1e9 AS seconds,"
	" t.pid, t.tid, c.text AS comm, e.text AS event, s.cpu, s.weight,"
	" s.value, f.name, f.kind, s.stack FROM samples s, run r"
	" JOIN tasks t ON t.id = s.task JOIN strings c ON c.id = t.comm"
	" JOIN events ON events.id = s.event"
	" JOIN strings e ON e.id = events.name"
	" LEFT JOIN stacks ON stacks.id = s.stack"
	" LEFT JOIN functions f ON f.id = stacks.frame;"

	"CREATE VIEW totals AS SELECT e.text AS event, s.stack,"
	" sum(s.weight) AS samples, sum(s.value) AS value FROM samples s"
	" JOIN events ON events.id = s.event"
	" JOIN strings e ON e.id = events.name GROUP BY s.event, s.stack;"

	/* Each stack that samples have, with all that it is within. */
	"CREATE VIEW outward AS WITH RECURSIVE up(stack, node) AS ("
	" SELECT DISTINCT stack, stack FROM samples WHERE stack UNION ALL"
	" SELECT up.stack, s.parent FROM up JOIN stacks s ON s.id = up.node"
	" WHERE s.parent) SELECT stack, node FROM up;"

	"CREATE VIEW tree AS SELECT t.event, s.id, s.parent, s.depth, f.name,"
	" f.kind, f.file, f.line, sum(t.samples * (o.node = o.stack))"
	" AS samples_in, sum(t.samples) AS samples_under,"
	" sum(t.value * (o.node = o.stack)) AS value_in,"
	" sum(t.value) AS value_under FROM outward o"
	" JOIN totals t ON t.stack = o.stack JOIN stacks s ON s.id = o.node"
	" JOIN functions f ON f.id = s.frame GROUP BY t.event, s.id;"

	/* What recurs in a stack counts once. */
	"CREATE VIEW flat AS WITH hit AS (SELECT o.stack, f.name, f.kind,"
	" max(o.node = o.stack) AS ends FROM outward o"
	" JOIN stacks s ON s.id = o.node JOIN frames f ON f.id = s.frame"
	" GROUP BY 1, 2, 3) SELECT t.event, n.text AS name, k.text AS kind,"
	" sum(t.samples * hit.ends) AS samples_in,"
	" sum(t.samples) AS samples_under, sum(t.value * hit.ends) AS value_in,"
	" sum(t.value) AS value_under FROM hit"
	" JOIN totals t ON t.stack = hit.stack JOIN strings n ON n.id = hit.name"
	" JOIN strings k ON k.id = hit.kind GROUP BY 1, 2, 3;";

struct sqlite {
	struct profile *profile;
	struct intern *strings;
	struct buf text;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLES];
	bool failed;
};

static void run(struct sqlite *w, const char *sql)
{
	w->failed |= sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK;
}

/* A text, as valid UTF-8 without control characters. */
static u32 string(struct sqlite *w, const char *text)
{
	buf_reset(&w->text);
	escape_text(text, "\\", &w->text);
	return intern_text(w->strings, buf_text(&w->text));
}

static u32 text(struct sqlite *w, u32 id)
{
	return string(w, profile_text(w->profile, id));
}

static void put_row(struct sqlite *w, enum table t, const u64 *value, int n)
{
	for (int i = 0; i < n; i++)
		sqlite3_bind_int64(w->insert[t], i + 1, value[i]);
	w->failed |= sqlite3_step(w->insert[t]) != SQLITE_DONE;
	sqlite3_reset(w->insert[t]);
}

#define PUT(w, table, ...)                              \
	put_row(w, table, (const u64[]){ __VA_ARGS__ }, \
		sizeof((u64[]){ __VA_ARGS__ }) / sizeof(u64))

/* Make the tables, and statements that fill them: as many ? as there are columns. */
static void make_tables(struct sqlite *w)
{
	run(w, "PRAGMA user_version = " VERSION "; PRAGMA journal_mode = OFF;"
	       "PRAGMA application_id = 0x6a706266; BEGIN");
	for (int t = 0; t < TABLES; t++) {
		_cleanup_buf_ struct buf sql = { 0 };

		buf_addf(&sql, "CREATE TABLE %s", table[t]);
		run(w, sql.data);
		buf_reset(&sql);
		buf_addf(&sql, "INSERT INTO %.*s VALUES(?",
			 (int)strcspn(table[t], "("), table[t]);
		for (const char *c = table[t]; (c = strchr(c, ',')); c++)
			buf_adds(&sql, ", ?");
		buf_addc(&sql, ')');
		w->failed |= sqlite3_prepare_v2(w->db, sql.data, -1,
						&w->insert[t], NULL);
	}
	run(w, views);
}

static void put_frames(struct sqlite *w)
{
	const struct profile *p = w->profile;
	u32 part[3], name;

	for (u32 i = 0; i < intern_count(p->frames); i++) {
		const struct frame *f = profile_frame(p, i);

		for (int k = PROFILE_NAME; k <= PROFILE_PATH; k++)
			part[k] = string(w, profile_module(p, f->module, k));
		buf_reset(&w->text);
		text_function(p, f, &w->text);
		name = intern_text(w->strings, buf_text(&w->text));
		PUT(w, FRAMES, i + 1, name, string(w, text_kind_name(f)),
		    text(w, f->space), part[0], part[1], part[2],
		    text(w, f->file), f->line, f->address);
	}
}

/* Fill *row, by stacks' ids: the row of their innermost frame. */
static void put_stacks(struct sqlite *w, u32 *row)
{
	struct tree t = { 0 };

	for (u32 i = 0; i < intern_count(w->profile->stacks); i++) {
		struct profile_stack s = profile_stack(w->profile, i);

		tree_stack(&t, 0, 0, i);
		for (size_t k = 0; k < s.depth; k++)
			tree_name(&t, s.frame[k]);
	}
	tree_build(&t);
	/* The root is no row. */
	for (u32 i = 1; i < t.n; i++)
		PUT(w, STACKS, i, t.node[i].parent, t.node[i].name + 1,
		    t.node[i].depth);
	for (size_t i = 0; i < t.stacks; i++)
		row[t.stack[i].id] = t.stack[i].node;
	tree_release(&t);
}

static void put_samples(struct sqlite *w)
{
	struct profile *p = w->profile;
	_cleanup_free_ u32 *row =
		xcalloc(intern_count(p->stacks) + 1, sizeof(*row));

	put_stacks(w, row);
	for (size_t i = 0; i < p->samples; i++) {
		const struct profile_sample *s = &p->sample[i];
		const struct profile_key *key = profile_stack(p, s->stack).key;

		PUT(w, SAMPLES, s->time, key->task, key->event + 1,
		    row[s->stack], s->cpu, s->weight, samples_value(p, s));
	}
}

static void put_rest(struct sqlite *w)
{
	const struct profile *p = w->profile;

	PUT(w, RUN, p->start, p->end, p->start_real, text(w, p->host),
	    text(w, p->kernel), text(w, p->options));
	for (u32 i = 0; i < intern_count(p->tasks); i++) {
		const struct profile_task *t = profile_task(p, i);

		PUT(w, TASKS, i, t->pid, t->tid, text(w, t->comm),
		    text(w, t->program));
	}
	for (u32 i = 0; i < p->events; i++)
		PUT(w, EVENTS, i + 1, text(w, p->event[i].name),
		    text(w, p->event[i].unit), p->event[i].interval);
	for (size_t i = 0; i < p->marks.n; i++)
		PUT(w, MARKS, p->marks.at[i].time,
		    text(w, p->marks.at[i].text));
	for (size_t i = 0; i < p->losses.n; i++)
		PUT(w, LOSSES, p->losses.at[i].time,
		    text(w, p->losses.at[i].text), p->losses.at[i].count);
	for (u32 i = 0; i < intern_count(w->strings); i++) {
		sqlite3_bind_text(w->insert[STRINGS], 2,
				  intern_get(w->strings, i, NULL), -1, NULL);
		PUT(w, STRINGS, i);
	}
	for (int t = 0; t < TABLES; t++)
		sqlite3_finalize(w->insert[t]);
	run(w, "COMMIT");
}

int sqlite_write(struct profile *p, FILE *out)
{
	struct sqlite w = { .profile = p, .strings = intern_new_texts() };
	sqlite3_int64 size = 1ll << 40; /* at most */
	struct buf bytes = { 0 };
	int err = -ENOMEM;

	if (!sqlite3_open_v2("file:profile?vfs=memdb", &w.db,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				     SQLITE_OPEN_URI,
			     NULL)) {
		sqlite3_file_control(w.db, NULL, SQLITE_FCNTL_SIZE_LIMIT,
				     &size);
		make_tables(&w);
		put_frames(&w);
		put_samples(&w);
		put_rest(&w);
		bytes.data = (char *)sqlite3_serialize(w.db, "main", &size,
						       SQLITE_SERIALIZE_NOCOPY);
		bytes.len = size;
		if (!w.failed && bytes.data)
			err = format_put(&bytes, out);
	}
	sqlite3_close(w.db);
	intern_free(w.strings);
	buf_release(&w.text);
	return err;
}
