/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Where Go's code begins, in programs whose table does not tell. */
#ifndef JPBPF_USER_ELF_GOLANG_TEXT_H
#define JPBPF_USER_ELF_GOLANG_TEXT_H

#include <jpbpf/types.h>

struct golang;
struct module;

/* For the table at vaddr, in g, where all parts but the code are known.  0, and *text is
 * a vaddr; -ENOENT: nothing proves it. */
int golang_text(const struct golang *g, const struct module *m, u64 vaddr,
		u64 *text);

#endif
