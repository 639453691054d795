/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Names functions of a recording that had none when they were sampled (--symbols). */
#ifndef JPBPF_USER_PROFILE_LATER_H
#define JPBPF_USER_PROFILE_LATER_H

struct replay;

/* Look into folder (NULL: do nothing) for files with the build-ids of modules that have functions without a
 * name: below .build-id/ as debug packages have them, or in the folder itself.  The names
 * found are put into the recording as it was read. */
void later_name(struct replay *r, const char *folder);

#endif
