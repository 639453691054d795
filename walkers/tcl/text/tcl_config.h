/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* How a Tcl was configured (TIP 59), read without running any of its code. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_CONFIG_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_CONFIG_H

struct buf;
struct module;
struct pairs;

/* Read the keys and values, in the order of `::tcl::pkgconfig list`.  0, or -ENOENT:
 * the file has no such table.  The caller calls pairs_release() in either case. */
int tcl_config_read(struct pairs *p, const struct module *m);
/* Append the build options that are on, " (threaded, optimized)", or nothing. */
void tcl_config_describe(const struct pairs *p, struct buf *out);

#endif
