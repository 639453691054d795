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

#include <capstone/capstone.h>

#include "user/lib/buf.h"
#include "user/elf/module.h"

#define MAX_CODE 4096
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

static void see_all(struct numbers *n, csh handle, cs_insn *insn,
		    const u8 *code, size_t len)
{
	uint64_t pc = 0;

	while (cs_disasm_iter(handle, &code, &len, &pc, insn)) {
		const cs_x86 *x = &insn->detail->x86;

		if (insn->id != X86_INS_MOV)
			continue;
		for (u8 i = 0; i < x->op_count; i++)
			if (x->operands[i].type == X86_OP_IMM)
				see(n, (u64)x->operands[i].imm);
	}
}

static bool read_numbers(const struct module *m, struct numbers *n)
{
	u8 code[MAX_CODE];
	cs_insn *insn;
	u64 vaddr, size;
	csh handle;

	if (module_dynsym(m, "R_Serialize", &vaddr, &size) ||
	    size > sizeof(code) || module_read(m, vaddr, code, size))
		return false;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle))
		return false;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	insn = cs_malloc(handle);
	if (insn) {
		see_all(n, handle, insn, code, size);
		cs_free(insn, 1);
	}
	cs_close(&handle);
	return insn;
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
