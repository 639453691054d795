/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * All levels go through one writer.  It wipes a progress line from the terminal before
 * any other message, so the two never share a line.
 *
 * A message can quote what a target has made up: a path, a command.  Bytes that a
 * terminal would obey, and line ends that would begin a message of their own, are
 * written as \x1b.  Only the debug level, which quotes the kernel's log, keeps its line
 * ends.
 */
#include "user/lib/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/lib/utf8.h"

static enum log_level current_level = LOG_NORMAL;
static bool progress_shown;

void log_set_level(enum log_level level)
{
	current_level = level;
}

enum log_level log_get_level(void)
{
	return current_level;
}

static void emit(const char *prefix, const char *fmt, va_list ap)
{
	struct buf out = { 0 };
	int saved = errno;
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		mem_exhausted();
	for (const char *s = text; *s;)
		s += utf8_add(&out, s, "", *prefix == 'd' ? "\t\n" : "\t");
	free(text);
	log_progress_end();
	fprintf(stderr, "jpbpf: %s%s\n", prefix, buf_text(&out));
	buf_release(&out);
	errno = saved;
}

#define DEFINE_LOG(name, min_level, prefix)      \
	void name(const char *fmt, ...)          \
	{                                        \
		va_list ap;                      \
                                                 \
		if (current_level < (min_level)) \
			return;                  \
		va_start(ap, fmt);               \
		emit(prefix, fmt, ap);           \
		va_end(ap);                      \
	}

DEFINE_LOG(log_err, LOG_QUIET, "error: ")
DEFINE_LOG(log_warn, LOG_QUIET, "warning: ")
DEFINE_LOG(log_asked, LOG_QUIET, "")
DEFINE_LOG(log_info, LOG_NORMAL, "")
DEFINE_LOG(log_debug, LOG_VERBOSE, "debug: ")

bool log_has_progress(void)
{
	return current_level >= LOG_NORMAL && isatty(STDERR_FILENO);
}

void log_progress(const char *fmt, ...)
{
	va_list ap;

	if (!log_has_progress())
		return;
	fputs("\r\033[K", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fflush(stderr);
	progress_shown = true;
}

void log_progress_end(void)
{
	if (!progress_shown)
		return;
	progress_shown = false;
	fputs("\r\033[K", stderr);
}
