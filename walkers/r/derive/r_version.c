/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libR has the parts of its version as strings, "4" and "6.2", that nothing
 * tells from others.  But R_Serialize() (src/main/serialize.c) writes R_VERSION
 * into every file that R saves, so its code has the number as a constant; beside
 * it the versions that the formats 2 and 3 need at least, 2.3.0 and 3.5.0.
 */
#include "walkers/r/derive/r_version.h"

#include <stdbool.h>
#include <stddef.h>

#include "arch/code.h"
#include "user/lib/buf.h"
#include "user/elf/module.h"

#define FORMAT_2 R_VERSION_OF(2, 3, 0)
#define FORMAT_3 R_VERSION_OF(3, 5, 0)

struct numbers {
	u32 version; /* neither of the formats'; 0: none was seen */
	bool several;
	bool format_2, format_3;
};

static void see(struct numbers *n, u64 value)
{
	if (value == FORMAT_2) {
		n->format_2 = true;
	} else if (value == FORMAT_3) {
		n->format_3 = true;
	} else if (value >= R_VERSION_OF(3, 0, 0) &&
		   value < R_VERSION_OF(100, 0, 0)) {
		n->several |= n->version && n->version != value;
		n->version = (u32)value;
	}
}

static bool read_numbers(const struct module *m, struct numbers *n)
{
	struct code c;
	u64 vaddr;

	if (module_dynsym(m, "R_Serialize", &vaddr, NULL) ||
	    code_decode_at(&c, m, vaddr))
		return false;
	for (size_t i = 0; i < c.n; i++)
		if (c.insn[i].what == INSN_MOV &&
		    c.insn[i].op[1].kind == OPERAND_IMM)
			see(n, (u64)c.insn[i].op[1].value);
	code_release(&c);
	return true;
}

u32 r_version_find(const struct module *m)
{
	struct numbers n = { 0 };

	if (!read_numbers(m, &n) || n.several || !n.format_2)
		return 0;
	return n.version || !n.format_3 ? n.version : FORMAT_3;
}

void r_version_text(u32 version, struct buf *out)
{
	if (version)
		buf_addf(out, "%u.%u.%u", version >> 16, version >> 8 & 0xff,
			 version & 0xff);
	else
		buf_adds(out, "of unknown version");
}
