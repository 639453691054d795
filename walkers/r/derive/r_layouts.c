/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Offsets on x86-64 glibc (sigjmp_buf is 200 bytes) of RCNTXT, from
 * src/include/Defn.h, and of vectors, from src/include/Defn.h and
 * src/include/Rinternals.h:
 *
 *   A  R-3-4-0 to R-3-6-3.  R-3-5-0 made vector lengths 64 bits wide.
 *   B  R-4-0-0 to R-4-3-3 (checked at R-4-0-4, R-4-2-2): bcprottop added in
 *	front of srcref.
 *   C  R-4-4-0 to R-4-6-1 (checked at R-4-4-1, 4.5.0, 4.6.1): relpc added
 *	after bcpc, bcframe after bcprottop.
 *
 * R_bcFrame (src/main/eval.c, R-4-4-1 to R-4-6-1) has oldbcpc at 24, prstack at 128.
 *
 * The node stack has R_BCNODESTACKSIZE cells (Defn.h) of an R_bcstack_t.  A
 * CHARSXP keeps its hash in the vector's true length (HASHVALUE in Defn.h).
 */
#include "walkers/r/derive/r_file.h"

/* The same in every version from R-3-4-0 on. */
#define UP_TO_BCPC                                                            \
	.next = 0, .flags = 8, .callfun = 232, .sysparent = 240, .call = 248, \
	.cloenv = 256, .bcbody = 312, .bcpc = 320

#define SHORT_VECTOR .vector_length = 32, .vector_data = 40, .char_hash = 36
#define LONG_VECTOR  .vector_length = 32, .vector_data = 48, .char_hash = 40

#define ROW(name, from, to, with_altrep, stack, ...)                       \
	{                                                                  \
		.versions = name, .first = from, .last = to,               \
		.altrep = with_altrep, .nodestack = stack, .conexit = 264, \
		.layout = {                                                \
			UP_TO_BCPC,                                        \
			.bcstack_cell = 16,                                \
			__VA_ARGS__                                        \
		}                                                          \
	}

const struct r_layout_row r_layouts[] = {
	ROW("3.4.x", 0x030400, 0x0304ff, false, 352, .layout = 'A', .size = 400,
	    .relpc = R_NO_FIELD, .prstack = 344, .srcref = 360,
	    .node_stack = 200000, SHORT_VECTOR),
	ROW("3.5.x..3.6.x", 0x030500, 0x0306ff, true, 352, .layout = 'A',
	    .size = 400, .relpc = R_NO_FIELD, .prstack = 344, .srcref = 360,
	    .node_stack = 200000, LONG_VECTOR),
	ROW("4.0.x..4.3.x", 0x040000, 0x0403ff, true, 352, .layout = 'B',
	    .size = 408, .relpc = R_NO_FIELD, .prstack = 344, .srcref = 368,
	    .node_stack = 200000, LONG_VECTOR),
	ROW("4.4.x or later", 0x040400, 0x0406ff, true, 360, .layout = 'C',
	    .size = 432, .relpc = 328, .prstack = 352, .srcref = 384,
	    .node_stack = 300000, .promise_pc = 104, LONG_VECTOR),
};

const size_t r_layouts_count = sizeof(r_layouts) / sizeof(r_layouts[0]);

const struct r_layout_row *r_layouts_find(s32 srcref, bool altrep)
{
	for (size_t i = 0; i < r_layouts_count; i++) {
		if (r_layouts[i].layout.srcref == srcref &&
		    r_layouts[i].altrep == altrep)
			return &r_layouts[i];
	}
	return NULL;
}

bool r_layouts_known(const struct r_layout_row *row, u32 version)
{
	return row->first <= version && version <= row->last;
}
