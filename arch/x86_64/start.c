/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* main() is loaded into rdi just before the call (sysdeps/x86_64/start.S, glibc-2.36). */
#include "arch/start.h"

#include "arch/x86_64/bytes.h"
#include "user/elf/module.h"

#define ENTRY_BYTES 64
#define LOAD_BYTES  7 /* of an instruction that loads rdi */

/* What the instruction at an offset loads; 0: it is none that loads main(). */
static u64 loaded(const struct module *m, const struct bytes *b, u64 at)
{
	u64 value = (u64)(s64)bytes_value(b, at + 3);
	u64 behind = b->vaddr + at + LOAD_BYTES, target = 0;

	if (bytes_match(b, at, "48c7c7")) /* mov $main,%rdi */
		target = value;
	if (bytes_match(b, at, "488d3d")) /* lea main(%rip),%rdi */
		target = behind + value;
	if (bytes_match(b, at, "488b3d")) /* mov main@GOTPCREL(%rip),%rdi */
		module_relative(m, behind + value, &target);
	return target;
}

static bool is_call(const struct bytes *b, u64 at)
{
	return bytes_match(b, at, "e8") || bytes_match(b, at, "ff15") ||
	       bytes_match(b, at, "67e8");
}

u64 start_main(const struct module *m, u64 entry)
{
	struct bytes b;

	bytes_read(&b, m, entry, ENTRY_BYTES);
	for (u64 i = 0; i + LOAD_BYTES + 2 <= b.len; i++) {
		u64 target = loaded(m, &b, i);
		struct module_function fn;

		if (!target || !is_call(&b, i + LOAD_BYTES))
			continue;
		return module_function_at(m, target, &fn) || fn.start != target
			       ? 0
			       : target;
	}
	return 0;
}
