/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The class whose method a closure is.
 *
 * A method of a reference class has the attributes `name` and `refClassName`, the class
 * that defines it (src/library/methods/R/refClass.R, refMethodDef, R-4-2-2).  A closure
 * that was called by another name than `name` is not shown as a method.  The frame
 * shows the defining class and not the object's, which tells two methods of one name
 * apart where one calls the other.  So methods that every class inherits are shown as
 * envRefClass's (copy(), show()), and those of generators as refGeneratorSlot's (new(),
 * methods()).
 *
 * A method of an S4 generic has the attributes `generic`, the name of the generic or of
 * its group, and `defined`, the classes for which the method was written
 * (src/library/methods/R/RClassUtils.R, MethodDefinition, R-4-2-2).  R calls the method
 * by the name by which the generic was called.  R's documentation calls the method
 * "generic,class-method".
 *
 * The attributes are found by the text of their names, because their symbols may not
 * exist yet at attach.
 */
#include "walkers/r/kernel/r.bpf.h"

#define MAX_CLASSES 8u
#define S4_OBJECT   (1ull << 12) /* bit 4 of gp: src/include/Defn.h, R-4-2-2 */

/* Little-endian, the bytes of a word that hold these names, with their NUL if it fits: */
#define REF_CLASS   0x7373616c43666572ull, ~0ull /* refClass(Name) */
#define NAME	    0x656d616eull, 0xffffffffffull
#define GENERIC	    0x636972656e6567ull, ~0ull
#define DEFINED	    0x64656e69666564ull, ~0ull
#define SELF	    0x666c6573ull, 0xffffffffffull
#define SUPER	    0x7265707573ull, 0xffffffffffffull
#define PRIVATE	    0x65746176697270ull, ~0ull
#define ENCLOS	    0x6f6c636e655f5f2eull, ~0ull /* .__enclo(s_env__) */
#define CLASS	    0x7373616c63ull, 0xffffffffffffull
#define R6	    0x3652ull
#define THREE_BYTES 0xffffffull

/* Writes the frame of a generic's method.  Returns false if the closure is none, or
 * could not be read. */
static __always_inline bool push_method(struct walk *w, struct r_walk *r)
{
	u64 defined = r_find(w, r->closure.attrib, DEFINED);
	u64 generic = defined ? r_find(w, r->closure.attrib, GENERIC) : 0;
	u32 at = w->words, n = 0;

	generic = r_string(w, generic, 0);
	if (!generic || !walk_room(w, 2 + R_SIGNATURE))
		return false;
	walk_push(w, 0);
	walk_push(w, generic);
	for (u32 i = 0; i < R_SIGNATURE; i++) {
		u64 class = r_string(w, defined, i);

		if (!class)
			break;
		walk_push(w, class);
		n++;
	}
	if (!n || r->failed) {
		w->words = at;
		return false;
	}
	w->word[at & (WALK_WORDS - 1)] =
		frame_walker(WALKER_R, 1 + n, R_METHOD, 0);
	return true;
}

int r_method(struct walk *w)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->class = 0;
	if (!(r->closure.info & S4_OBJECT))
		return 0;
	r->class = r_find(w, r->closure.attrib, REF_CLASS);
	return !r->class && push_method(w, r);
}

/*
 * The class of an R6 method, which has no attributes.
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

/* Text id of the class of R6 whose method of this name (a symbol) r->function is; 0: it
 * is none. */
static __always_inline u64 class_of_r6(struct walk *w, struct r_walk *r,
				       u64 symbol)
{
	r->r6.methods = r->closure.u[2];
	return find_object(w, r) && find_number(w, r, symbol)
		       ? r_string(w, r->r6.classes, r->r6.number)
		       : 0;
}

u64 r_class(struct walk *w, u64 name, u64 symbol)
{
	struct r_walk *r = r_current(w);
	u64 class;

	if (!r)
		return 0;
	if (!r->class)
		class = class_of_r6(w, r, symbol);
	else if (r_string(w, r_find(w, r->closure.attrib, NAME), 0) == name)
		class = r_string(w, r->class, 0);
	else
		class = 0;
	return r->failed ? 0 : class;
}
