/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The recording of a session: the files that it goes into, one after the other.  The tape
 * writes the stream; this file knows files, their names and their sizes.
 *
 * Each file is a whole recording.  What a file held before stays until sampling begins.
 * With --rotate the files are called run.000001.jpb, run.000002.jpb and so on, after the
 * highest number that is there already: none is written over.
 *
 * What ends the recording, a full disk or a size limit, does not end the run: that is
 * said once, and samples are lost from then on.
 */
#include "user/session/stages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "user/files/modules.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/lib/clock.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/processes/tracker.h"
#include "user/output/format.h"
#include "user/profile/tape.h"
#include "user/symbolize/status.h"

/* Of --max-memory, for the ids of a recording. */
#define ID_PART 16

bool reel_rotates(const struct session *s)
{
	return s->config->rotate_bytes || s->config->rotate_ns;
}

/* "run.jpb" and 3 give "run.000003.jpb". */
static char *numbered(const struct session *s, u32 number)
{
	const char *path = s->config->output, *dot = strrchr(path, '.');

	if (!reel_rotates(s))
		return xstrdup(path);
	if (!dot || strchr(dot, '/'))
		dot = path + strlen(path);
	return xasprintf("%.*s.%06u%s", (int)(dot - path), path, number, dot);
}

/* The highest number that there is. */
static u32 last_number(const struct session *s)
{
	_cleanup_free_ char *first = numbered(s, 0), *folder = xstrdup(first);
	const char *slash = strrchr(first, '/');
	const char *name = slash ? slash + 1 : first;
	size_t len = strstr(name, ".000000") + 1 - name;
	DIR *d = opendir(dirname(folder));
	struct dirent *entry;
	u32 last = 0;

	while (d && (entry = readdir(d))) {
		char *end;
		unsigned long n;

		if (strncmp(entry->d_name, name, len))
			continue;
		n = strtoul(entry->d_name + len, &end, 10);
		if (!strcmp(end, name + len + 6) && n > last && n < 1 << 30)
			last = n;
	}
	if (d)
		closedir(d);
	return last;
}

/* Open the next file.  0 or -errno after log_err(). */
static int open_file(struct session *s)
{
	int only = reel_rotates(s) ? O_EXCL : 0;
	struct reel *r = &s->reel;

	free(r->path);
	r->path = numbered(s, ++r->number);
	r->fd = open(r->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | only,
		     0600);
	if (r->fd >= 0)
		return 0;
	r->fd = -errno;
	log_err("cannot write to %s: %m (give another file with -o)", r->path);
	return r->fd;
}

/* A file without a name.  Memory takes the place of a folder that has none. */
static int open_nameless(void)
{
	const char *folder = getenv("TMPDIR");
	int fd = open(folder && *folder ? folder : "/var/tmp",
		      O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? memfd_create("jpbpf", MFD_CLOEXEC) : fd;
}

int reel_open(struct session *s)
{
	struct reel *r = &s->reel;

	if (reel_rotates(s))
		r->number = last_number(s);
	if (s->config->record && s->config->output)
		return open_file(s);
	r->fd = s->config->record ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
				  : open_nameless();
	if (r->fd >= 0)
		return 0;
	log_err("cannot write the recording: %m");
	return -errno;
}

static void new_tape(struct session *s)
{
	const struct session_config *c = s->config;
	struct tape_config config = {
		.modules = s->modules,
		.texts = s->recorder.texts,
		.view = c->view,
		.by = session_by(c),
		.one_event = !c->record && c->format &&
			     format_find(c->format)->one_event,
		.max_bytes = ((size_t)c->max_memory << 20) / ID_PART,
		.describe = tracker_describe,
		.ctx = s->tracker,
	};
	struct recording_head head = {
		.version = c->version,
		.options = c->told,
		.monotonic = now_ns(),
		.realtime = clock_ns(CLOCK_REALTIME),
	};
	struct utsname host;

	/* A reader of the recording chooses what is shown. */
	config.view.internals |= c->record;
	uname(&host);
	head.host = host.nodename;
	head.kernel = host.release;
	s->recorder.tape = tape_new(s->reel.fd, &head, &config);
	if (c->dump)
		tape_event(s->recorder.tape, SOURCE_CPU_CLOCK, "threads",
			   "threads", 0);
	for (u32 i = 0; !c->dump && i < SOURCE_COUNT; i++)
		if (c->engine.sources >> i & 1)
			tape_event(s->recorder.tape, i, sources[i].name,
				   sources[i].unit,
				   source_interval(&sources[i],
						   c->engine.frequency));
	s->reel.began = now_ns();
}

int reel_begin(struct session *s)
{
	const struct reel *r = &s->reel;
	struct stat st;

	if (r->fd < 0)
		return 0;
	if (r->path && !fstat(r->fd, &st) && S_ISREG(st.st_mode) &&
	    (fchmod(r->fd, 0600) || ftruncate(r->fd, 0))) {
		log_err("cannot write to %s: %m (give another file with -o)",
			r->path);
		return -errno;
	}
	new_tape(s);
	return 0;
}

/* Whether samples are written now. */
static bool goes_on(const struct session *s)
{
	return s->recorder.tape && !s->recorder.tape_is_full;
}

static void end_early(struct session *s, int err, const char *why)
{
	if (goes_on(s) && s->config->record)
		log_warn("the recording ends here, the run goes on: %s", why);
	else if (goes_on(s))
		log_err("no more samples are kept, the run goes on: %s (TMPDIR "
			"can name a folder with more room)",
			why);
	s->reel.err = err;
	recorder_end(&s->recorder);
}

static void check_written(struct session *s, int err)
{
	if (err)
		end_early(s, err,
			  err == -EFBIG ? "file too large (see ulimit -f)"
					: strerror(-err));
}

/* Remove the oldest of too many files. */
static void remove_old(const struct session *s)
{
	const struct reel *r = &s->reel;
	_cleanup_free_ char *old = NULL;

	if (!s->config->keep || r->number <= s->config->keep)
		return;
	old = numbered(s, r->number - s->config->keep);
	if (unlink(old) && errno != ENOENT)
		log_warn("%s cannot be removed: %m", old);
}

/* What was lost since the last call, by reason. */
static void put_losses(struct session *s, u64 now)
{
	struct counters c;

	if (engine_stats(s->engine, &c))
		return;
	for (size_t i = 0; i < WALK_STATUS_COUNT; i++) {
		u64 lost = c.status[i] + s->recorder.status[i];
		u64 more = lost - s->reel.lost[i];

		if (status_list[i].class != STATUS_CLASS_LOST || !more)
			continue;
		tape_note(s->recorder.tape, RECORDING_LOSS, now,
			  status_list[i].text, more);
		s->reel.lost[i] = lost;
		s->reel.missed += more;
	}
}

/* Write the end of the file. */
static void end_file(struct session *s)
{
	struct reel *r = &s->reel;
	u64 kept = s->recorder.samples - r->kept;
	const struct recording_summary summary = { .end = now_ns(),
						   .kept = kept,
						   .lost = r->missed,
						   .taken = kept + r->missed };
	int err = tape_flush(s->recorder.tape, now_ns(), true)
			  ?: tape_end(s->recorder.tape, &summary);

	r->kept += kept;
	r->missed = 0;
	check_written(s, err);
}

static void next_file(struct session *s)
{
	end_file(s);
	if (!goes_on(s))
		return;
	close(s->reel.fd);
	if (open_file(s)) {
		end_early(s, s->reel.fd, "there is no next file");
		return;
	}
	s->reel.earlier += tape_written(s->recorder.tape);
	tape_free(s->recorder.tape);
	remove_old(s);
	new_tape(s);
}

static bool is_full(const struct session *s, u64 now)
{
	const struct session_config *c = s->config;
	u64 bytes = tape_written(s->recorder.tape);

	return (c->rotate_bytes && bytes >= c->rotate_bytes) ||
	       (c->rotate_ns && now - s->reel.began >= c->rotate_ns);
}

void reel_turn(struct session *s, u64 now)
{
	const u64 most = s->config->max_bytes;

	if (!goes_on(s))
		return;
	put_losses(s, now);
	check_written(s, tape_flush(s->recorder.tape, now, false));
	if (!goes_on(s))
		return;
	if (most && s->reel.earlier + tape_written(s->recorder.tape) >= most) {
		end_file(s);
		end_early(s, s->reel.err, "it has the size of --max-size");
	} else if (is_full(s, now)) {
		next_file(s);
	}
}

void reel_mark(struct session *s, const char *text)
{
	if (goes_on(s))
		tape_note(s->recorder.tape, RECORDING_MARK, now_ns(), text, 0);
}

void reel_snapshot(struct session *s)
{
	reel_turn(s, now_ns());
	if (goes_on(s) && reel_rotates(s))
		next_file(s);
	else if (goes_on(s))
		check_written(s, tape_flush(s->recorder.tape, now_ns(), true));
}

int reel_end(struct session *s)
{
	struct reel *r = &s->reel;

	if (goes_on(s)) {
		put_losses(s, now_ns());
		end_file(s);
	}
	if (s->recorder.tape)
		r->earlier += tape_written(s->recorder.tape);
	tape_free(s->recorder.tape);
	s->recorder.tape = NULL;
	if (s->config->record && s->recorder.samples)
		log_info("recording: %llu bytes, %.1f a sample", r->earlier,
			 1.0 * r->earlier / s->recorder.samples);
	return r->err;
}

void reel_release(struct session *s)
{
	tape_free(s->recorder.tape);
	free(s->reel.path);
	if (s->reel.fd >= 0)
		close(s->reel.fd);
}
