/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where this host has R. */
#ifndef JPBPF_WALKERS_R_PROVE_R_HOME_H
#define JPBPF_WALKERS_R_PROVE_R_HOME_H

/* The folder that a script like /usr/bin/R says R is in; the caller frees it.  NULL:
 * it does not say, or cannot be read. */
char *r_home_of(const char *script);
/* struct walker's programs, for the R that PATH has. */
void r_home_programs(void (*add)(void *ctx, const char *path), void *ctx);

#endif
