/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What /proc says about one process.
 *
 * A process can vanish between any two calls; every function then returns
 * -ESRCH.  proc is the root of the proc file system ("/proc", or a fixture).
 */
#ifndef JPBPF_USER_TARGET_PROC_H
#define JPBPF_USER_TARGET_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include <jpbpf/types.h>

#include "user/target/maps.h"

struct buf;

/* Read all of /proc/PID/maps; lines behind MAPS_MAX are left out.  0 or -errno,
 * and *maps is then empty. */
int proc_maps(const char *proc, pid_t pid, struct maps *maps);
/* Add the text of /proc/PID/mountinfo, at most 16 MiB of it.  0 or -errno. */
int proc_mounts(const char *proc, pid_t pid, struct buf *out);
/* Open the file behind a mapping: map_files first (works for deleted files and
 * other mount namespaces), then PID/root + path if that is the same inode
 * (-ESTALE: it is not).  -ENXIO: not a regular file, or one that is served by a
 * program that need not answer (mounts.h).  fd or -errno. */
int proc_open_map(const char *proc, pid_t pid, const struct map *map);
/* The second way alone. */
int proc_open_path(const char *proc, pid_t pid, const struct map *map);
/* The arguments that it was started with, each with its NUL.  0 or -errno. */
int proc_arguments(const char *proc, pid_t pid, struct buf *out);
/* The same as one text, without the folders of paths and the end of a long one, in a
 * malloc'ed text.  NULL: there are none. */
char *proc_command(const char *proc, pid_t pid);
/* What stands behind key, "\n" and how a line begins, in PROC/PID/NAME, in a malloc'ed
 * text ("comm", "\n": the command name).  NULL: nothing. */
char *proc_line(const char *proc, pid_t pid, const char *name, const char *key);
/* Open anew for reading what PROC/PID/NAME leads to ("fd/3", "cwd/FILE").  -ENXIO:
 * not a regular file.  fd or -errno. */
int proc_open(const char *proc, pid_t pid, const char *name);
/* A variable of the environment that it was started with, in a malloc'ed text;
 * what it set itself is not there.  NULL: none, or not to be read. */
char *proc_environment(const char *proc, pid_t pid, const char *name);
/* Start time in clock ticks since boot: tells two uses of a pid apart. */
int proc_start_time(const char *proc, pid_t pid, u64 *ticks);
/* Has it ended, if perhaps not been waited for (a zombie)? */
bool proc_ended(const char *proc, pid_t pid);
/* Is its program 32-bit code? */
bool proc_is_32bit(const char *proc, pid_t pid);
/* Parent's pid, or -errno. */
pid_t proc_parent(const char *proc, pid_t pid);
/* All pids, sorted, in a malloc'ed array. Number or -errno. */
ssize_t proc_list(const char *proc, pid_t **pids);

#endif
