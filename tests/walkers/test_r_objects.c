/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The R walker against objects that change behind its caches, and against tables of lines
 * that are damaged.  The chains are made by hand (r_chain.h), and so are some objects,
 * which R never sees.
 */
#include "r_chain.h"

/* ---- what is remembered -------------------------------------------------- */

static void make_one(void)
{
	begin(frame(room[0], 0, toplevel));
}

/* Takes a sample; what was found before stays in the caches. */
static void expect(make_fn make, const char *frames)
{
	/* There is room for searches by then. */
	host_now += 60000000000;
	outer(make);
	assert_int_equal(ended, WALK_ROOT);
	assert_string_equal(buf_text(&line), frames);
}

static u64 *word_of(SEXP object, u32 n)
{
	return (u64 *)object + n;
}

/* Words of an object behind its head (struct r_sexp). */
enum { FIRST = 4, SECOND, THIRD };

static struct process_entry *entry(void)
{
	u32 pid = getpid();

	return host_map_lookup(&processes, &pid);
}

/* The function is bound by another name now, which is found when it is looked for. */
static void rename_function(void)
{
	run("other <- a; rm(a)");
}

static void rename_back(void)
{
	run("a <- other; rm(other)");
}

/* A function's name is remembered for as long as nothing of it changes: at its address there
 * can be another one later. */
static void test_body(void **state)
{
	u64 before = *word_of(function[0], SECOND);

	(void)state;
	self_forget();
	expect(make_one, "[outer] a [inner]");
	rename_function();
	expect(make_one, "[outer] a [inner]");
	*word_of(function[0], SECOND) = (u64)R_NilValue;
	expect(make_one, "[outer] other [inner]");
	*word_of(function[0], SECOND) = before;
	rename_back();
}

static void test_environment(void **state)
{
	(void)state;
	self_forget();
	*word_of(Rf_install("a"), SECOND) = (u64)function[0];
	*word_of(function[0], THIRD) = (u64)R_BaseNamespace;
	expect(make_one, "[outer] base::a [inner]");
	*word_of(function[0], THIRD) = (u64)R_GlobalEnv;
	expect(make_one, "[outer] a [inner]");
	*word_of(Rf_install("a"), SECOND) = (u64)R_UnboundValue;
}

static void test_another_program(void **state)
{
	(void)state;
	self_forget();
	expect(make_one, "[outer] a [inner]");
	rename_function();
	entry()->serial++;
	expect(make_one, "[outer] other [inner]");
	rename_back();
	expect(make_one, "[outer] a [inner]");
}

static SEXP unbound;
static u64 symbol[7]; /* struct r_sexp */

static void make_unbound(void)
{
	SEXP seen = call[0];

	begin(frame(room[0], 0, toplevel));
	put(room[0], told->layout.callfun, (u64)unbound);
	*word_of(seen, FIRST) = (u64)symbol;
}

static void name_symbol(const char *name)
{
	symbol[0] = R_SYMSXP;
	symbol[FIRST] = (u64)Rf_mkChar(name);
	symbol[SECOND] = (u64)R_UnboundValue;
}

/* A symbol is never freed, but another program has others. */
static void test_symbol(void **state)
{
	SEXP head = CAR(call[0]);

	(void)state;
	unbound = Rf_eval(PROTECT(Rf_lang3(Rf_install("function"), R_NilValue,
					   R_NilValue)),
			  R_GlobalEnv);
	R_PreserveObject(unbound);
	self_forget();
	name_symbol("one");
	expect(make_unbound, "[outer] one [inner]");
	name_symbol("two");
	expect(make_unbound, "[outer] one [inner]");
	entry()->serial++;
	expect(make_unbound, "[outer] two [inner]");
	*word_of(call[0], FIRST) = (u64)head;
	UNPROTECT(1);
}

/* ---- lines of bytecode --------------------------------------------------- */

#define CELLS	  6u /* of code */
#define CONSTANTS 4u

static struct {
	SEXP code, constants, table, srcref;
	u64 body[7]; /* struct r_sexp */
	u64 pc;
} byte;

static SEXP make_srcref(int at)
{
	SEXP s = PROTECT(Rf_allocVector(INTSXP, 8));
	SEXP file = PROTECT(
		Rf_eval(PROTECT(Rf_lang1(Rf_install("new.env"))), R_BaseEnv));

	for (int i = 0; i < 8; i++)
		INTEGER(s)[i] = at;
	Rf_defineVar(Rf_install("filename"), PROTECT(Rf_mkString("made.R")),
		     file);
	Rf_setAttrib(s, Rf_install("srcfile"), file);
	UNPROTECT(4);
	return s;
}

/* Code whose cells are all at the srcref, which is the constant 1.  The table of that is
 * the last constant. */
static void make_code(void)
{
	byte.code = Rf_allocVector(INTSXP, 2 * CELLS);
	R_PreserveObject(byte.code);
	byte.constants = Rf_allocVector(VECSXP, CONSTANTS);
	R_PreserveObject(byte.constants);
	byte.srcref = make_srcref(7);
	SET_VECTOR_ELT(byte.constants, 1, byte.srcref);
	byte.table = Rf_allocVector(INTSXP, CELLS);
	SET_VECTOR_ELT(byte.constants, CONSTANTS - 1, byte.table);
	for (u32 i = 0; i < CELLS; i++)
		INTEGER(byte.table)[i] = 1;
	Rf_setAttrib(byte.table, Rf_install("class"),
		     PROTECT(Rf_mkString("srcrefsIndex")));
	UNPROTECT(1);
	byte.body[0] = R_BCODESXP;
	byte.body[FIRST] = (u64)byte.code;
	byte.body[SECOND] = (u64)byte.constants;
}

static u32 cell;

/* a() calls b() in that code, at that cell. */
static void make_coded(void)
{
	const struct r_layout *l = &told->layout;

	frame(room[1], 0, toplevel);
	begin(frame(room[0], 1, room[1]));
	put(room[0], l->srcref, told->in_bc);
	put(room[0], l->bcbody, (u64)byte.body);
	byte.pc = (u64)byte.code + (u32)l->vector_data + 8ull * cell;
	put(room[0], l->bcpc, (u64)&byte.pc);
	if (l->relpc != R_NO_FIELD)
		put(room[0], l->relpc, cell);
}

static void check_coded(u32 at, const char *frames, u32 why)
{
	print_message("# cell %u: %s\n", at, frames);
	cell = at;
	check(make_coded, frames, why);
}

#define WITH_LINE    "[outer] a (made.R:7) b [inner]"
#define WITHOUT_LINE "[outer] a b [inner]"

static void test_cells(void **state)
{
	(void)state;
	check_coded(0, WITH_LINE, WALK_ROOT);
	check_coded(CELLS - 1, WITH_LINE, WALK_ROOT);
	/* The table is too short for it. */
	check_coded(CELLS, WITHOUT_LINE, R_NO_LINE);
	check_coded(1u << 30, WITHOUT_LINE, R_NO_LINE);
}

static void test_constants(void **state)
{
	SEXP last = VECTOR_ELT(byte.constants, CONSTANTS - 2);

	(void)state;
	SET_VECTOR_ELT(byte.constants, CONSTANTS - 2, byte.srcref);
	INTEGER(byte.table)[2] = CONSTANTS - 2;
	INTEGER(byte.table)[3] = CONSTANTS;
	INTEGER(byte.table)[4] = -1;
	check_coded(2, WITH_LINE, WALK_ROOT);
	/* What lies behind the constants is one by chance. */
	check_coded(3, WITHOUT_LINE, WALK_ROOT);
	check_coded(4, WITHOUT_LINE, WALK_ROOT);
	SET_VECTOR_ELT(byte.constants, CONSTANTS - 2, last);
}

static int open_lines(void **state)
{
	open_chain(state);
	self_want(SELF_LINES, true);
	return 0;
}

int main(void)
{
	const struct CMUnitTest names[] = {
		cmocka_unit_test(test_body),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_another_program),
		cmocka_unit_test(test_symbol),
	};
	const struct CMUnitTest lines[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_constants),
	};
	int bad;

	if (start_r())
		return 1;
	make_functions();
	make_code();
	bad = cmocka_run_group_tests(names, open_chain, close_self);
	bad += cmocka_run_group_tests(lines, open_lines, close_self);
	buf_release(&line);
	end_r();
	return bad;
}
