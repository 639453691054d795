/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Messages for the person at the terminal: all of them on standard error, each
 * one line, "jpbpf: " in front.  The function that knows what the user can do
 * prints, once; everyone above only propagates the error code.
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
/* What was asked for by an option of its own, at any level. */
void log_asked(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* One line of fact that a user wants to see without -v. */
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Only with -v. */
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The progress line: rewritten in place, only when stderr is a terminal. */
bool log_has_progress(void);
void log_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_progress_end(void);

#endif
