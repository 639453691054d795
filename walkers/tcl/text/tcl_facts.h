/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of a Tcl, as facts for people to read. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H

struct fact;
struct walker_site;

/* The operations facts and config of struct walker_file_ops. */
void tcl_facts(const struct walker_site *site, struct fact *out);
void tcl_facts_config(const struct walker_site *site, struct fact *out);

#endif
