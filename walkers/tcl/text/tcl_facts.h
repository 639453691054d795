/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of a Tcl, as facts for people to read. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H

struct buf;
struct fact;
struct module;
struct pairs;
struct walker_site;

/* The operations facts and config of struct walker_file_ops. */
void tcl_facts(const struct walker_site *site, struct fact *out);
void tcl_facts_config(const struct walker_site *site, struct fact *out);
/* Reads how Tcl was configured (TIP 59) without running any of its code: the keys and
 * values, in the order of `::tcl::pkgconfig list`.  0, or -ENOENT: the file has no such
 * table.  The caller calls pairs_release() in either case. */
int tcl_config_read(struct pairs *p, const struct module *m);
/* Appends the build options that are on, " (threaded, optimized)", or nothing. */
void tcl_config_describe(const struct pairs *p, struct buf *out);

#endif
