/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of a Tcl, told to people. */
#ifndef JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H
#define JPBPF_WALKERS_TCL_TEXT_TCL_FACTS_H

struct fact;
struct walker_site;

/* As struct walker's facts and config. */
void tcl_facts(const struct walker_site *site, struct fact *out);
void tcl_facts_config(const struct walker_site *site, struct fact *out);

#endif
