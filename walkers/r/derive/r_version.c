/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libR has the parts of its version as strings, "4" and "6.2", which cannot be told from
 * other strings.  But R_Serialize() (src/main/serialize.c) writes R_VERSION into every
 * file that R saves, so the number is a constant in its code.  The code has two other
 * versions: 2.3.0 and 3.5.0, the oldest that can read the formats 2 and 3.
 */
#include "walkers/r/derive/r_file.h"

#include "user/lib/buf.h"

#define FORMAT_2 R_VERSION_OF(2, 3, 0)
#define FORMAT_3 R_VERSION_OF(3, 5, 0)

u32 r_version_find(const struct module *m)
{
	bool format_2 = false, several = false;
	u32 version = 0;
	struct code c;
	u64 n;

	if (code_decode_at(&c, m, r_file_export(m, "R_Serialize")))
		return 0;
	for (size_t i = 0; i < c.n; i++) {
		if (c.insn[i].what != INSN_MOV ||
		    c.insn[i].op[1].kind != OPERAND_IMM)
			continue;
		n = (u64)c.insn[i].op[1].value;
		format_2 |= n == FORMAT_2;
		if (n < R_VERSION_OF(3, 0, 0) || n >= R_VERSION_OF(100, 0, 0) ||
		    (n == FORMAT_3 && version))
			continue;
		several |= version && version != FORMAT_3 && version != n;
		version = (u32)n;
	}
	code_release(&c);
	return format_2 && !several ? version : 0;
}

void r_version_text(u32 version, struct buf *out)
{
	if (version)
		buf_addf(out, "%u.%u.%u", version >> 16, version >> 8 & 0xff,
			 version & 0xff);
	else
		buf_adds(out, "of unknown version");
}
