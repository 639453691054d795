/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Finds where Go's code begins in programs whose pclntab header does not say. */
#ifndef JPBPF_USER_ELF_GOLANG_TEXT_H
#define JPBPF_USER_ELF_GOLANG_TEXT_H

#include <jpbpf/types.h>

struct golang;
struct module;

/* g holds the table at vaddr with everything set but the text address. Sets *text
 * to a vaddr and returns 0; -ENOENT if no struct moduledata agrees with the table. */
int golang_text(const struct golang *g, const struct module *m, u64 vaddr,
		u64 *text);

#endif
