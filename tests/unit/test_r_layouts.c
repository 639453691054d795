/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The table of layouts is consistent in itself, and each row is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "walkers/r/derive/r_file.h"

static void test_find(void **state)
{
	static const struct {
		s32 srcref;
		bool altrep;
		char layout; /* 0: no such row */
		u16 size, vector_data, prstack, relpc;
	} cases[] = {
		{ 360, false, 'A', 400, 40, 344, R_NO_FIELD },
		{ 360, true, 'A', 400, 48, 344, R_NO_FIELD },
		{ 368, true, 'B', 408, 48, 344, R_NO_FIELD },
		{ 384, true, 'C', 432, 48, 352, 328 },
		{ 368, false, 0, 0, 0, 0, 0 },
		{ 344, false, 0, 0, 0, 0, 0 }, /* R 3.3 */
		{ -1, true, 0, 0, 0, 0, 0 },
		{ 392, true, 0, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct r_layout_row *row =
			r_layouts_find(cases[i].srcref, cases[i].altrep);

		if (!cases[i].layout) {
			assert_null(row);
			continue;
		}
		assert_non_null(row);
		assert_int_equal(row->layout.layout, cases[i].layout);
		assert_int_equal(row->layout.size, cases[i].size);
		assert_int_equal(row->layout.vector_data, cases[i].vector_data);
		assert_int_equal(row->layout.prstack, cases[i].prstack);
		assert_int_equal(row->layout.relpc, cases[i].relpc);
	}
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < r_layouts_count; i++) {
		const struct r_layout *l = &r_layouts[i].layout;

		assert_int_equal(l->next, 0);
		assert_int_equal(l->flags, 8);
		assert_int_equal(l->callfun, 232);
		assert_int_equal(l->sysparent, 240);
		assert_int_equal(l->call, 248);
		assert_int_equal(l->cloenv, 256);
		assert_int_equal(l->bcbody, 312);
		assert_int_equal(l->bcpc, 320);
		assert_true(l->prstack > l->bcpc);
		assert_int_equal(r_layouts[i].nodestack, l->prstack + 8);
		assert_true(l->srcref > r_layouts[i].nodestack);
		assert_true(l->srcref + 8 <= l->size);
		assert_int_equal(l->bcstack_cell, 16);
	}
}

/*
 * Nothing runs R 3.x here, so its rows are held against the members of RCNTXT in
 * their order (src/include/Defn.h at R-3-4-0, R-3-5-0, R-3-6-3; R-4-0-0; R-4-4-1),
 * and the compiler lays them out.
 */
#define FRONT                                                 \
	void *next;                                           \
	int flags;                                            \
	sigjmp_buf jump;                                      \
	int cstacktop, evaldepth;                             \
	void *promargs, *callfun, *sysparent, *call, *cloenv; \
	void *conexit, *cend, *cenddata, *vmax;               \
	int intsusp, gcenabled, bcintactive;                  \
	void *bcbody, *bcpc;
#define MIDDLE void *handlerstack, *restartstack, *prstack, *nodestack;
#define BACK          \
	void *srcref; \
	int browserfinish;

struct context_a {
	FRONT MIDDLE BACK void *value, *target;
	int mask;
};
struct context_b {
	FRONT MIDDLE void *bcprottop;
	BACK void *value, *target;
	int mask;
};
struct cell {
	int tag;
	union {
		int i;
		double d;
		void *p;
	} u;
};
struct context_c {
	FRONT ptrdiff_t relpc;
	MIDDLE void *bcprottop, *bcframe;
	BACK struct cell value;
	void *target;
	int mask;
};

/* SEXPREC: sxpinfo is 32 bits up to 3.4, and a vector's length an int. */
struct vector_3_4 {
	u32 info;
	void *attrib, *next, *prev;
	int length, truelength;
	double data[1];
};
struct vector_3_5 {
	u64 info;
	void *attrib, *next, *prev;
	ptrdiff_t length, truelength;
	double data[1];
};

#define ROW(context, vector, pc)                                     \
	{                                                            \
		.size = sizeof(struct context),                      \
		.next = offsetof(struct context, next),              \
		.flags = offsetof(struct context, flags),            \
		.callfun = offsetof(struct context, callfun),        \
		.sysparent = offsetof(struct context, sysparent),    \
		.call = offsetof(struct context, call),              \
		.cloenv = offsetof(struct context, cloenv),          \
		.bcbody = offsetof(struct context, bcbody),          \
		.bcpc = offsetof(struct context, bcpc), .relpc = pc, \
		.prstack = offsetof(struct context, prstack),        \
		.srcref = offsetof(struct context, srcref),          \
		.vector_length = offsetof(struct vector, length),    \
		.vector_data = offsetof(struct vector, data),        \
		.char_hash = offsetof(struct vector, truelength),    \
		.bcstack_cell = sizeof(struct cell),                 \
	}

static void test_members(void **state)
{
	static const struct r_layout rows[] = {
		ROW(context_a, vector_3_4, R_NO_FIELD),
		ROW(context_a, vector_3_5, R_NO_FIELD),
		ROW(context_b, vector_3_5, R_NO_FIELD),
		ROW(context_c, vector_3_5, offsetof(struct context_c, relpc)),
	};
	static const struct {
		size_t nodestack, conexit;
	} proof[] = {
		{ offsetof(struct context_a, nodestack),
		  offsetof(struct context_a, conexit) },
		{ offsetof(struct context_a, nodestack),
		  offsetof(struct context_a, conexit) },
		{ offsetof(struct context_b, nodestack),
		  offsetof(struct context_b, conexit) },
		{ offsetof(struct context_c, nodestack),
		  offsetof(struct context_c, conexit) },
	};

	(void)state;
	assert_int_equal(r_layouts_count, sizeof(rows) / sizeof(rows[0]));
	for (size_t i = 0; i < r_layouts_count; i++) {
		print_message("# R %s\n", r_layouts[i].versions);
		assert_memory_equal(&r_layouts[i].layout, &rows[i],
				    offsetof(struct r_layout, layout));
		assert_int_equal(r_layouts[i].nodestack, proof[i].nodestack);
		assert_int_equal(r_layouts[i].conexit, proof[i].conexit);
	}
}

static void test_known(void **state)
{
	const struct r_layout_row *b = r_layouts_find(368, true);
	const struct r_layout_row *c = r_layouts_find(384, true);

	(void)state;
	assert_true(r_layouts_known(b, 0x040000));
	assert_true(r_layouts_known(b, 0x040303));
	assert_false(r_layouts_known(b, 0x040400));
	assert_false(r_layouts_known(b, 0x030603));
	assert_true(r_layouts_known(c, 0x040602));
	assert_false(r_layouts_known(c, 0x040700));
	for (size_t i = 0; i < r_layouts_count; i++)
		assert_false(r_layouts_known(&r_layouts[i], 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
