/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Words that come by a FIFO while a recording is made: on, off, mark TEXT, snapshot.  Off,
 * no sample is taken until on.  A line that is none of these is warned about.
 *
 * The FIFO is open for writing, too, so it does not end when a writer closes it.
 */
#include "user/session/stages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/kernel/engine.h"
#include "user/lib/clock.h"
#include "user/lib/log.h"
#include "user/output/escape.h"

#define LINE_MAX_BYTES 1024

int control_open(struct session *s)
{
	const char *path = s->config->control;
	struct control *c = &s->control;
	struct stat st;

	if (!path)
		return 0;
	c->is_ours = !mkfifo(path, 0600);
	c->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (c->fd >= 0 && !fstat(c->fd, &st) && S_ISFIFO(st.st_mode))
		return 0;
	log_err("--control %s is no FIFO: %s (give a path that is free)", path,
		c->fd < 0 ? strerror(errno) : "it is something else");
	return -EINVAL;
}

static void obey(struct session *s, const char *line)
{
	_cleanup_buf_ struct buf text = { 0 };
	u64 now = now_ns();

	if (!strcmp(line, "on")) {
		engine_sample_until(s->engine, s->end ? s->end : ~0ull);
	} else if (!strcmp(line, "off")) {
		engine_sample_until(s->engine, now);
	} else if (!strncmp(line, "mark ", 5)) {
		reel_mark(s, line + 5);
	} else if (!strcmp(line, "snapshot")) {
		if (calls_only(s) && !s->config->format)
			calls_snapshot(s);
		else
			reel_snapshot(s);
	} else {
		escape_text(line, ESCAPE_TEXT, &text);
		log_warn("--control: '%s' is none of: on, off, mark TEXT, "
			 "snapshot",
			 buf_text(&text));
	}
}

void control_take(struct session *s)
{
	struct control *c = &s->control;
	char bytes[512];
	ssize_t n;

	while (c->fd >= 0 && (n = read(c->fd, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] != '\n' && c->line.len < LINE_MAX_BYTES) {
				buf_addc(&c->line, bytes[i]);
			} else if (bytes[i] == '\n') {
				obey(s, buf_text(&c->line));
				buf_reset(&c->line);
			}
		}
	}
}

void control_release(struct session *s)
{
	buf_release(&s->control.line);
	if (s->control.fd < 0)
		return;
	close(s->control.fd);
	if (s->control.is_ours)
		unlink(s->config->control);
}
