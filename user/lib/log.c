/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * One writer behind all levels.  A progress line that stands on the terminal is
 * wiped before any other message, so the two never share a line.
 */
#include "user/lib/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

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
	int saved = errno;

	log_progress_end();
	fprintf(stderr, "jpbpf: %s", prefix);
	errno = saved;
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
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
