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

#define MAX_ATTRIBUTES 8u
/* Little-endian, what a word holds of them: */
#define REF_CLASS 0x7373616c43666572  /* refClass(Name) */
#define NAME	  0x656d616eull	      /* name */
#define GENERIC	  0x636972656e6567ull /* generic */
#define DEFINED	  0x64656e69666564ull /* defined */
#define S4_OBJECT (1ull << 12) /* bit 4 of gp: src/include/Defn.h, R-4-2-2 */

/* Sets r->attribute from the attributes of r->closure. */
static __always_inline void find(struct walk *w, struct r_walk *r)
{
	u64 at = r->closure.attrib, value, word;

	for (u32 i = 0; i < MAX_ATTRIBUTES; i++) {
		if (!at || at == r->p.nil || r_load(w, at) ||
		    r_type(&r->scratch) != R_LISTSXP)
			return;
		at = r->scratch.u[1];
		value = r->scratch.u[0];
		if (r_name_word(w, r, &word, r->scratch.u[2]))
			return;
		if (word == REF_CLASS)
			r->attribute.class = value;
		else if (word == GENERIC)
			r->attribute.generic = value;
		else if (word == DEFINED)
			r->attribute.defined = value;
		else if ((word & 0xffffffffff) == NAME)
			r->attribute.name = value;
	}
}

/* Writes the frame of a generic's method.  Returns false if the closure is none, or
 * could not be read. */
static __always_inline bool push_method(struct walk *w, struct r_walk *r)
{
	u32 at = w->words;
	u64 generic = r_string(w, r->attribute.generic, 0);
	u32 n = 0;

	if (!generic || !walk_room(w, 2 + R_SIGNATURE))
		return false;
	w->words = at + 2;
	for (u32 i = 0; i < R_SIGNATURE; i++) {
		u64 class = r_string(w, r->attribute.defined, i);

		if (!class)
			break;
		walk_push(w, class);
		n++;
	}
	if (!n || r->failed) {
		w->words = at;
		return false;
	}
	w->words = at;
	walk_push(w, frame_walker(WALKER_R, 1 + n, R_METHOD, 0));
	walk_push(w, generic);
	w->words = at + 2 + n;
	return true;
}

int r_method(struct walk *w)
{
	struct r_walk *r = r_current(w);

	if (!r)
		return 0;
	r->attribute.class = 0;
	r->attribute.name = 0;
	r->attribute.generic = 0;
	r->attribute.defined = 0;
	if (!(r->closure.info & S4_OBJECT))
		return 0;
	find(w, r);
	return r->attribute.defined && push_method(w, r);
}

u64 r_class(struct walk *w, u64 method)
{
	struct r_walk *r = r_current(w);

	if (!r || !r->attribute.class ||
	    r_string(w, r->attribute.name, 0) != method)
		return 0;
	return r_string(w, r->attribute.class, 0);
}
