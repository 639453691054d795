/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What is known of an R, as facts for people to read. */
#ifndef JPBPF_WALKERS_R_TEXT_R_FACTS_H
#define JPBPF_WALKERS_R_TEXT_R_FACTS_H

struct fact;
struct walker_site;

/* The operation facts of struct walker_file_ops. */
void r_facts(const struct walker_site *site, struct fact *out);

#endif
