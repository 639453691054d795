/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Files become one profile, and a writer gets it.  Nothing here needs root or BPF.
 *
 * A file that cannot be read at all ends the verb before anything is written.
 */
#include "user/cli/reading.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "user/cli/options.h"
#include "user/flame/page.h"
#include "user/lib/log.h"
#include "user/output/format.h"
#include "user/profile/profile.h"
#include "user/report/pager.h"
#include "user/session/outfile.h"

/* The profile of so many files, or NULL after log_err(). */
static struct profile *read_files(const struct options *o, char **file,
				  size_t n, unsigned by)
{
	struct profile *p = profile_new();
	struct load_config config = o->load;
	const struct report_options *report = &o->report;

	config.by = by | rules_needs(&o->run.show);
	if (report->by == REPORT_PROCESS || report->by == REPORT_THREAD)
		config.by |= PROFILE_BY_PID;
	if (report->by == REPORT_THREAD)
		config.by |= PROFILE_BY_TID;
	if (format_find(o->run.format)->has_places)
		config.view.lines = config.view.inlines = true;
	else if (report->source || report->by == REPORT_LINE)
		config.view.lines = true;
	for (size_t i = 0; i < n; i++) {
		if (!load_recording(p, file[i], &config))
			continue;
		profile_free(p);
		return NULL;
	}
	rules_use(o->rules, &o->run.show, p);
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

static int status_of(int err)
{
	return err ? STATUS_FAILED : STATUS_DONE;
}

int reading_convert(const struct options *o)
{
	const struct format *f = format_find(o->run.format);
	struct profile *p = read_files(o, o->word, o->words, f->by);
	struct outfile out;
	int err = p ? check_events(p, f) : -EINVAL;

	if (!err)
		err = outfile_open(&out, o->run.output);
	if (!err)
		err = outfile_write(&out, f, p);
	profile_free(p);
	return status_of(err);
}

/* The event that a report without --event is of: time, where the profile has it. */
static u32 main_event(const struct profile *p)
{
	for (u32 i = 0; i < p->events; i++)
		if (p->event[i].interval)
			return i;
	return 0;
}

static struct report_options options_of(const struct options *o, FILE *out)
{
	struct report_options r = report_defaults(out), given = o->report;

	given.color = r.color;
	if (!given.width)
		given.width = r.width;
	return given;
}

/* A stream for a report: a file, or standard output through a pager. */
static FILE *open_stream(const struct options *o)
{
	FILE *out = o->run.output ? fopen(o->run.output, "we") : stdout;

	if (!out)
		log_err("cannot write to %s: %m (give another file with -o)",
			o->run.output);
	return out;
}

static int close_stream(FILE *out, struct pager *pager, int err)
{
	if (out != stdout)
		return fclose(out) ? -errno : err;
	err = pager_close(pager, err);
	return !err && fflush(out) ? -errno : err;
}

static int tell(int err)
{
	errno = -err;
	if (err && err != -ENOENT)
		log_err("cannot write the report: %m");
	return status_of(err);
}

int reading_report(const struct options *o)
{
	struct profile *p = read_files(o, o->word, o->words, 0);
	FILE *out = p ? open_stream(o) : NULL;
	struct report_options options;
	struct pager pager = { 0 };
	int err;

	if (!out) {
		profile_free(p);
		return STATUS_FAILED;
	}
	options = options_of(o, out);
	options.event = main_event(p);
	if (out == stdout && !o->no_pager)
		pager_open(&pager);
	err = report_print(p, NULL, &options, out);
	profile_free(p);
	return tell(close_stream(out, &pager, err));
}

static int write_diff(const struct options *o, struct profile *a,
		      struct profile *b, FILE *out)
{
	struct report_options options = options_of(o, out);

	if (!strcmp(o->run.format, "html"))
		return html_diff(a, b, out);
	if (!strcmp(o->run.format, "folded"))
		options.by = REPORT_FOLDED;
	options.as_they_are = o->as_they_are;
	options.event = main_event(a);
	return report_print(a, b, &options, out);
}

int reading_diff(const struct options *o)
{
	unsigned by = strcmp(o->run.format, "html") != 0
			      ? 0
			      : PROFILE_BY_PID | PROFILE_BY_TID;
	struct profile *a = read_files(o, o->word, 1, by);
	struct profile *b = a ? read_files(o, o->word + 1, 1, by) : NULL;
	struct pager pager = { 0 };
	FILE *out = b ? open_stream(o) : NULL;
	int err;

	if (out) {
		if (out == stdout && !o->no_pager)
			pager_open(&pager);
		err = write_diff(o, a, b, out);
		err = tell(close_stream(out, &pager, err));
	} else {
		err = STATUS_FAILED;
	}
	profile_free(a);
	profile_free(b);
	return err;
}
