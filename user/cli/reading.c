/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files become one profile, or for diff one each, and a writer gets it.  Nothing here
 * needs root or BPF.
 *
 * A file that cannot be read at all ends the verb before anything is written.
 */
#include "user/cli/verb.h"

#include <errno.h>
#include <string.h>

#include "user/flame/page.h"
#include "user/lib/log.h"
#include "user/output/format.h"
#include "user/profile/profile.h"
#include "user/report/pager.h"
#include "user/session/outfile.h"

/* enum profile_by: what the writer tells stacks apart by. */
static unsigned keys_of(const struct options *o, const struct format *f)
{
	unsigned by = f->by | rules_needs(&o->run.show);

	if (o->verb == VERB_DIFF)
		by &= ~PROFILE_TIMES;
	if (o->report.by == REPORT_PROCESS)
		by |= PROFILE_BY_PID;
	if (o->report.by == REPORT_THREAD)
		by |= PROFILE_BY_PID | PROFILE_BY_TID;
	return by;
}

/* The profile of so many files, or NULL after log_err(). */
static struct profile *read_files(const struct options *o, char **file,
				  size_t n)
{
	const struct format *f = format_find(o->run.format);
	const struct report_options *report = &o->report;
	struct profile *p = profile_new();
	struct load_config config = o->load;

	config.by = keys_of(o, f);
	config.view.inlines |= f->has_places;
	config.view.lines |=
		f->has_places || report->source || report->by == REPORT_LINE;
	for (size_t i = 0; i < n; i++) {
		if (!load_recording(p, file[i], &config))
			continue;
		profile_free(p);
		return NULL;
	}
	rules_use(o->run.rules, &o->run.show, p);
	return p;
}

/* A format that holds the values of one event gets only one. */
static int check_events(const struct profile *p, const struct format *f)
{
	_cleanup_buf_ struct buf names = { 0 };

	if (!f->one_event || p->events < 2)
		return 0;
	for (u32 i = 0; i < p->events; i++)
		buf_addf(&names, " %s", profile_text(p, p->event[i].name));
	log_err("-f %s holds one event; choose one with --event:%s", f->name,
		buf_text(&names));
	return -EINVAL;
}

/* The event that a report without --event is of: time, where the profile has it. */
static u32 main_event(const struct profile *p)
{
	for (u32 i = 0; i < p->events; i++)
		if (p->event[i].interval)
			return i;
	return 0;
}

static int write_diff(const struct options *o, struct report_options *r,
		      struct profile *a, struct profile *b, FILE *out)
{
	if (!strcmp(o->run.format, "html"))
		return html_diff(a, b, out);
	if (!strcmp(o->run.format, "folded"))
		r->by = REPORT_FOLDED;
	r->as_they_are = o->as_they_are;
	return report_print(a, b, r, out);
}

/* A tree or list for people: at a terminal through a pager. */
static int write_report(const struct options *o, struct profile *p,
			struct profile *after, FILE *out)
{
	const struct report_options usual = report_defaults(out);
	struct report_options r = o->report;
	struct pager pager = { 0 };
	int err;

	r.color = usual.color;
	r.width = r.width ?: usual.width;
	r.event = main_event(p);
	if (out == stdout && !o->no_pager)
		pager_open(&pager);
	err = after ? write_diff(o, &r, p, after, out)
		    : report_print(p, NULL, &r, out);
	return pager_close(&pager, err);
}

int reading_run(const struct options *o)
{
	const struct format *f = format_find(o->run.format);
	size_t n = o->verb == VERB_DIFF ? 1 : o->words;
	struct profile *p = read_files(o, o->word, n), *after = NULL;
	int err = p ? 0 : -EINVAL;
	struct outfile out;

	if (!err && o->verb == VERB_CONVERT)
		err = check_events(p, f);
	if (!err && o->verb == VERB_DIFF) {
		after = read_files(o, o->word + 1, 1);
		err = after ? 0 : -EINVAL;
	}
	if (!err)
		err = outfile_open(&out, o->run.output);
	if (!err)
		err = outfile_close(
			&out, o->verb == VERB_CONVERT
				      ? f->write(p, out.out)
				      : write_report(o, p, after, out.out));
	profile_free(p);
	profile_free(after);
	return err ? STATUS_FAILED : STATUS_DONE;
}
