/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * What an R of a version that is not known must prove, on objects of our own: whatever
 * is not where it should be is noticed, and said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <unistd.h>

#include "walkers/r/derive/r_file.h"
#include "walkers/r/prove/r_prove.h"

#define OBJECTS	  128
#define WORDS	  10 /* of an object: a head, three words or a text */
#define BUCKETS	  5
#define FUNCTIONS 2

/* Words of an object. */
enum { INFO, FIRST = R_UNION / 8, SECOND, THIRD };

static u64 object[OBJECTS][WORDS];
static size_t objects;
static u64 table[BUCKETS], current;
static u8 toplevel[512], context[FUNCTIONS][512];
static u64 *closure, *formals, *promise, spec_name;
static struct r_process p;

static u64 *make(enum r_type type, u64 first, u64 second, u64 third)
{
	u64 *o = object[objects++];

	assert_true(objects <= OBJECTS);
	memset(o, 0, sizeof(object[0]));
	o[INFO] = type;
	o[FIRST] = first;
	o[SECOND] = second;
	o[THIRD] = third;
	return o;
}

static void set_text(u64 chars, const char *text)
{
	memcpy((char *)chars + p.layout.vector_data, text, strlen(text) + 1);
}

static u64 *make_symbol(const char *name, u64 value)
{
	u64 *chars = make(R_CHARSXP, strlen(name), 0, 0);
	u64 *symbol = make(R_SYMSXP, (uintptr_t)chars, value, p.nil);
	u64 *head = &table[r_symbols_hash(name) % BUCKETS];

	set_text((uintptr_t)chars, name);
	*head = (uintptr_t)make(R_LISTSXP, (uintptr_t)symbol, *head, p.nil);
	return symbol;
}

static void put(u8 *c, s16 offset, u64 value)
{
	memcpy(c + offset, &value, sizeof(value));
}

static void make_contexts(void)
{
	const struct r_layout *l = &p.layout;
	u8 *next = toplevel;

	memset(toplevel, 0, sizeof(toplevel));
	put(toplevel, l->call, p.nil);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		memset(context[i], 0, sizeof(context[i]));
		put(context[i], l->next, (uintptr_t)next);
		put(context[i], l->flags, 4);
		put(context[i], l->callfun, (uintptr_t)closure);
		put(context[i], l->call,
		    (uintptr_t)make(R_LANGSXP, p.nil, p.nil, p.nil));
		put(context[i], l->cloenv, p.global_env);
		put(context[i], l->sysparent, p.base_env);
		next = context[i];
	}
	current = (uintptr_t)next;
}

/* An R that is as it must be. */
static void make_r(void)
{
	objects = 0;
	p = (struct r_process){ .layout = r_layouts_find(384, true)->layout };
	p.global_context = (uintptr_t)&current;
	p.nil = (uintptr_t)make(R_NILSXP, 0, 0, 0);
	p.unbound = (uintptr_t)make(R_SYMSXP, p.nil, p.nil, p.nil);
	p.global_env = (uintptr_t)make(R_ENVSXP, p.nil, p.nil, p.nil);
	p.base_env = (uintptr_t)make(R_ENVSXP, p.nil, p.nil, p.nil);
	p.base_namespace = (uintptr_t)make(R_ENVSXP, p.nil, p.nil, p.nil);
	p.symbol_table = (uintptr_t)table;
	p.symbol_chains = BUCKETS;
	for (size_t i = 0; i < BUCKETS; i++)
		table[i] = p.nil;
	make_symbol(".__NAMESPACE__.", p.unbound);
	spec_name = make_symbol("spec", p.unbound)[FIRST];
	formals = make(R_LISTSXP, p.nil, p.nil,
		       (uintptr_t)make_symbol("x", p.unbound));
	closure = make(R_CLOSXP, (uintptr_t)formals,
		       (uintptr_t)make(R_LANGSXP, p.nil, p.nil, p.nil),
		       p.base_namespace);
	promise = make(R_PROMSXP, (uintptr_t)closure, p.nil, p.nil);
	make_symbol("local", (uintptr_t)closure);
	make_symbol("eval.parent", (uintptr_t)promise);
	make_symbol("Sys.getenv", p.unbound);
	make_symbol("getOption", (uintptr_t)closure);
	make_symbol("library", p.unbound);
	make_symbol("tryCatch", (uintptr_t)closure);
	make_contexts();
}

static int setup(void **state)
{
	(void)state;
	make_r();
	return 0;
}

static void proves(int expected, const char *expected_unlike)
{
	const char *unlike = NULL;
	struct r_chain chain;

	assert_int_equal(r_proof_chain(getpid(), &p, true, &chain), 0);
	assert_int_equal(chain.contexts, FUNCTIONS);
	assert_int_equal(chain.functions, FUNCTIONS);
	assert_int_equal(chain.last, (uintptr_t)toplevel);
	assert_int_equal(r_proof(getpid(), &p, &chain, &unlike), expected);
	if (expected_unlike)
		assert_string_equal(unlike, expected_unlike);
	else
		assert_null(unlike);
}

static void test_proven(void **state)
{
	(void)state;
	proves(1, NULL);
	closure[SECOND] = (uintptr_t)make(R_BCODESXP, p.nil, p.nil, p.nil);
	proves(1, NULL);
}

/* What is lazily loaded may not be there yet; if nothing is, there is nothing to prove
 * it on. */
static void test_not_up(void **state)
{
	static const char *const names[] = { "local", "getOption", "tryCatch" };

	(void)state;
	promise[FIRST] = p.unbound;
	proves(1, NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		((u64 *)r_symbols_find(getpid(), &p, names[i]))[SECOND] =
			p.unbound;
	proves(0, NULL);
	promise[FIRST] = (uintptr_t)closure;
	proves(1, NULL);
}

static void test_constants(void **state)
{
	const u64 constant[] = { p.nil, p.unbound, p.global_env, p.base_env,
				 p.base_namespace };

	(void)state;
	for (size_t i = 0; i < sizeof(constant) / sizeof(constant[0]); i++) {
		u64 *info = (u64 *)constant[i], before = *info;

		print_message("# constant %zu\n", i);
		*info = R_VECSXP;
		proves(-ENOTSUP, "its constants");
		*info = before;
	}
}

static void test_symbols(void **state)
{
	(void)state;
	set_text(spec_name, "cpes");
	proves(-ENOTSUP, "its symbols");
	make_r();
	p.symbol_table = 0;
	proves(-ENOTSUP, "its symbols");
	make_r();
	/* A base function that is not in the table. */
	set_text(((u64 *)r_symbols_find(getpid(), &p, "library"))[FIRST],
		 "Library");
	proves(-ENOTSUP, "the parts of its closures");
}

static void test_closures(void **state)
{
	u64 *const word[] = { &closure[INFO],	&closure[FIRST],
			      &closure[SECOND], &closure[THIRD],
			      &formals[INFO],	&formals[THIRD],
			      &promise[FIRST] };

	(void)state;
	/* The contexts are of another closure. */
	put(context[0], p.layout.callfun,
	    (uintptr_t)make(R_CLOSXP, p.nil, p.nil, p.nil));
	put(context[1], p.layout.callfun,
	    (uintptr_t)make(R_CLOSXP, p.nil, p.nil, p.nil));
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		u64 before = *word[i];

		print_message("# part %zu\n", i);
		/* As a type, that of a vector; as an address, a constant's. */
		*word[i] =
			word[i] == &closure[INFO] || word[i] == &formals[INFO]
				? R_VECSXP
				: p.nil;
		proves(-ENOTSUP, "the parts of its closures");
		*word[i] = before;
	}
	proves(1, NULL);
}

static void test_contexts(void **state)
{
	const struct r_layout *l = &p.layout;
	const s16 part[] = { l->callfun, l->call, l->cloenv, l->sysparent };

	(void)state;
	for (size_t i = 0; i < FUNCTIONS; i++)
		for (size_t k = 0; k < sizeof(part) / sizeof(part[0]); k++) {
			struct r_chain chain;

			print_message("# context %zu, part %zu\n", i, k);
			make_r();
			put(context[i], part[k], p.nil);
			proves(-ENOTSUP, "the parts of its contexts");
			/* Of a version that is known, no parts are looked at. */
			assert_int_equal(
				r_proof_chain(getpid(), &p, false, &chain), 0);
			assert_int_equal(chain.unlike, 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_proven, setup),
		cmocka_unit_test_setup(test_not_up, setup),
		cmocka_unit_test_setup(test_constants, setup),
		cmocka_unit_test_setup(test_symbols, setup),
		cmocka_unit_test_setup(test_closures, setup),
		cmocka_unit_test_setup(test_contexts, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
