/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Messages for the user: on standard error, one line each, with "jpbpf: " in front.
 * The function that knows what the user can do prints, once; its callers only return
 * the error code.
 */
#ifndef JPBPF_USER_LIB_LOG_H
#define JPBPF_USER_LIB_LOG_H

#include <stdbool.h>

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

void log_set_level(enum log_level level);
enum log_level log_get_level(void);

/* Printed at any level; %m works. */
void log_err(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Printed at any level: what an option of its own has asked for. */
void log_asked(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A line of information that is shown without -v, but not with -q. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Shown only with -v. */
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The progress line is rewritten in place, and only if stderr is a terminal. */
bool log_has_progress(void);
void log_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_progress_end(void);

#endif
