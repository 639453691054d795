/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Unwind rules of Go's functions. */
#ifndef JPBPF_USER_UNWIND_CFI_GO_H
#define JPBPF_USER_UNWIND_CFI_GO_H

#include <jpbpf/unwind.h>

struct golang;
struct golang_function;
struct module;

/* Calls fn with the end of each row of a function, in order from its start, until it
 * returns non-zero, which is then returned.  0: all of it. */
int cfi_go_rows(const struct module *m, const struct golang *g,
		const struct golang_function *f,
		int (*fn)(void *ctx, u64 end, struct unwind_rule *rule),
		void *ctx);

#endif
