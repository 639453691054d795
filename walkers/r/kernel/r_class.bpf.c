/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The class whose method a closure is, from the closure's attributes.
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

/* Little-endian, what a word holds of them: */
#define REF_CLASS 0x7373616c43666572ull, ~0ull /* refClass(Name) */
#define NAME	  0x656d616eull, 0xffffffffffull
#define GENERIC	  0x636972656e6567ull, ~0ull
#define DEFINED	  0x64656e69666564ull, ~0ull
#define S4_OBJECT (1ull << 12) /* bit 4 of gp: src/include/Defn.h, R-4-2-2 */

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

u64 r_class(struct walk *w, u64 method)
{
	struct r_walk *r = r_current(w);
	u64 name;

	if (!r || !r->class)
		return 0;
	name = r_find(w, r->closure.attrib, NAME);
	return r_string(w, name, 0) == method ? r_string(w, r->class, 0) : 0;
}
