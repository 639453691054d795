/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Facts about one process, from /proc.
 *
 * A process can end between any two calls; every function then returns -ESRCH.  Its memory
 * and files are seen through a living thread of it (thread.h).  proc
 * is the root of the proc file system ("/proc", or a fixture).
 */
#ifndef JPBPF_USER_TARGET_PROC_H
#define JPBPF_USER_TARGET_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "user/target/maps.h"

struct buf;

/* Reads all of /proc/PID/maps; lines after MAPS_MAX are left out. 0 or -errno (-ENOSPC:
 * no room in memory); *maps is empty after an error. */
int proc_maps(const char *proc, pid_t pid, struct maps *maps);
/* Appends the text of /proc/PID/mountinfo, at most 16 MiB. 0 or -errno. */
int proc_mounts(const char *proc, pid_t pid, struct buf *out);
/* Opens the file behind a mapping: by map_files first (which works for deleted
 * files and other mount namespaces), then by PID/root + path if that is the same
 * inode (-ESTALE: it is another). -ENXIO: no regular file, or a file served by a
 * program that need not answer (mounts.h). A file descriptor or -errno. */
int proc_open_map(const char *proc, pid_t pid, const struct map *map);
/* Opens the file by PID/root + path only. */
int proc_open_path(const char *proc, pid_t pid, const struct map *map);
/* Appends the arguments that the process was started with, each with its NUL. 0 or
 * -errno. */
int proc_arguments(const char *proc, pid_t pid, struct buf *out);
/* The arguments as one text, with the folders of paths removed and cut at 512
 * bytes. The caller frees it. NULL: none. */
char *proc_command(const char *proc, pid_t pid);
/* The rest of the first line of PROC/PID/NAME that starts with key; the caller
 * frees it. key is "\n" and the start of the line ("\n" with "comm" gives the
 * command name). NULL: no such line. */
char *proc_line(const char *proc, pid_t pid, const char *name, const char *key);
/* Opens for reading the file that PROC/PID/NAME leads to ("fd/3", "cwd/FILE").
 * -ENXIO: no regular file. A file descriptor or -errno. */
int proc_open(const char *proc, pid_t pid, const char *name);
/* Start time in clock ticks since boot; distinguishes two uses of a pid. 0 or
 * -errno. */
int proc_start_time(const char *proc, pid_t pid, u64 *ticks);
/* Whether the process has ended; a zombie without living threads has. */
bool proc_ended(const char *proc, pid_t pid);
/* Whether the process's program is 32-bit code. */
bool proc_is_32bit(const char *proc, pid_t pid);
/* The parent's pid, or -errno. */
pid_t proc_parent(const char *proc, pid_t pid);
/* Sets *pids to all pids, sorted; the caller frees them. Number or -errno. */
ssize_t proc_list(const char *proc, pid_t **pids);

#endif
