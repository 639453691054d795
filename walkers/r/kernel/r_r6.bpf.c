/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The R6 class that a method belongs to.
 *
 * In each object, the methods that one class defines have an environment of their own.  It
 * binds `self` to the object.  If the class inherits, it binds `super` to an environment
 * with the methods of the class it inherits from, and with what that class inherits.  The
 * object and each super bind `.__enclos_env__` to the environment of the methods that
 * their class itself defines.  The object's class attribute has the names of the classes
 * in the same order, and "R6" at the end (R/new.R, generator_funs$new() and
 * create_super_env(), R6 2.5.1).
 *
 * So the chain from the object along super is followed to the methods' own environment.
 * The number of steps is the number of the class.  Two conditions are checked: the function
 * is bound there to the name by which it was called, and there are as many names as steps,
 * because a class may have no name.  `Child$run` that calls `super$run()` becomes
 * `Child$run;Parent$run`.
 *
 * All three environments are not hashed, and new bindings go to the front.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_CLASSES 8u
/* Little-endian, the bytes of a word that hold these names, with their NUL if it
 * fits: */
#define SELF	    0x666c6573ull, 0xffffffffffull
#define SUPER	    0x7265707573ull, 0xffffffffffffull
#define PRIVATE	    0x65746176697270ull, ~0ull
#define ENCLOS	    0x6f6c636e655f5f2eull, ~0ull /* .__enclo(s_env__) */
#define CLASS	    0x7373616c63ull, 0xffffffffffffull
#define R6	    0x3652ull
#define THREE_BYTES 0xffffffull

/* o->classes := the class attribute of the object at hand, o->n := how many names of
 * classes it has.  false: it is not of R6. */
static __always_inline bool find_classes(struct walk *w, struct r_walk *r)
{
	struct r_r6 *o = &r->r6;
	u64 last;

	o->classes = r_find(w, r->scratch.attrib, CLASS);
	if (!o->classes || r_load(w, o->classes) ||
	    r_type(&r->scratch) != R_STRSXP)
		return false;
	o->n = r_length(&r->scratch) - 1;
	if (!o->n || o->n >= MAX_CLASSES)
		return false;
	last = r_element(w, r, o->classes, o->n);
	return last && (r_element(w, r, last, 0) & THREE_BYTES) == R6;
}

static __always_inline bool find_object(struct walk *w, struct r_walk *r)
{
	struct r_r6 *o = &r->r6;
	u64 frame = r_cells(w, r, o->methods);

	o->self = frame ? r_find(w, frame, SELF) : 0;
	if (!o->self)
		return false;
	o->private = r_find(w, frame, PRIVATE);
	frame = r_cells(w, r, o->self);
	if (!frame || !find_classes(w, r) || !r_find(w, frame, ENCLOS))
		return false;
	o->enclos = r->tag;
	return true;
}

/* Sets o->number to the step along super at which the function is bound to the name.
 * Returns false if there is none, or if steps and classes differ in number. */
static __always_inline bool find_number(struct walk *w, struct r_walk *r,
					u64 symbol)
{
	struct r_r6 *o = &r->r6;

	o->number = MAX_CLASSES;
	o->super = o->self;
	for (u32 i = 0; i < MAX_CLASSES; i++) {
		u64 methods;

		if (!o->super)
			return i == o->n && o->number < i;
		methods = r_value(w, o->super, o->enclos);
		if (methods == o->methods &&
		    (r_value(w, o->super, symbol) == r->function ||
		     (o->private &&
		      r_value(w, o->private, symbol) == r->function)))
			o->number = i;
		methods = r_cells(w, r, methods);
		if (!methods)
			return false;
		o->super = r_find(w, methods, SUPER);
	}
	return false;
}

u64 r_r6(struct walk *w, u64 symbol)
{
	struct r_walk *r = r_current(w);
	struct r_r6 *o;

	if (!r)
		return 0;
	o = &r->r6;
	o->methods = r->closure.u[2];
	if (!find_object(w, r) || !find_number(w, r, symbol))
		return 0;
	return r_string(w, o->classes, o->number);
}
