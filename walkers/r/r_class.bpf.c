/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Which class does a method belong to that was called as object$method()?
 *
 * The methods of a reference class are closures with the attributes name, the
 * method's, and refClassName, the class that defines it
 * (src/library/methods/R/refClass.R, refMethodDef, R-4-2-2).  Whoever put such a
 * closure elsewhere, under another name, did not call the method of that name.
 *
 * The attributes are told by the text of their names: at attach the symbols may not
 * exist yet.
 */
#include "walkers/r/r.bpf.h"

#define MAX_ATTRIBUTES 8u
/* Little-endian: "refClass" and "Name"; "name" and NUL. */
#define REF_CLASS  0x7373616c43666572
#define CLASS_NAME 0x656d614eull
#define NAME	   0x656d616eull
#define FIVE_BYTES 0xffffffffffull

/* Is this CHARSXP, whose first word is word, "refClassName"? */
static __always_inline bool is_class_name(struct walk *w, struct r_walk *r,
					  u64 chars, u64 word)
{
	u64 rest;

	if (word != REF_CLASS ||
	    r_word(w, r, &rest, chars + r->p.layout.vector_data + 8))
		return false;
	return (rest & FIVE_BYTES) == CLASS_NAME;
}

/* The CHARSXP of a vector of one string; 0: it is none. */
static __always_inline u64 single(struct walk *w, struct r_walk *r, u64 vector)
{
	u64 length = 0, chars = 0;

	if (r_scratch(w, vector) ||
	    r_type(&r->scratch) != R_STRSXP ||
	    r_word(w, r, &length, vector + r->p.layout.vector_length) ||
	    (length & 0x7fffffff) != 1 ||
	    r_word(w, r, &chars, vector + r->p.layout.vector_data))
		return 0;
	return chars;
}

/* Find the two attributes of r->closure. */
static __always_inline void find(struct walk *w, struct r_walk *r, u64 *class,
				 u64 *name)
{
	u64 at = r->closure.attrib, chars, word;

	for (u32 i = 0; i < MAX_ATTRIBUTES; i++) {
		if (!at || at == r->p.nil ||
		    r_scratch(w, at) ||
		    r_type(&r->scratch) != R_LISTSXP ||
		    r_word(w, r, &chars, r->scratch.u[2] + 32) ||
		    r_word(w, r, &word, chars + r->p.layout.vector_data))
			return;
		if (is_class_name(w, r, chars, word))
			*class = r->scratch.u[0];
		else if ((word & FIVE_BYTES) == NAME)
			*name = r->scratch.u[0];
		at = r->scratch.u[1];
	}
}

u64 r_class(struct walk *w, u64 method)
{
	u64 class = 0, name = 0;
	struct r_walk *r;

	if (!w)
		return 0;
	r = r_current(w);
	if (!r)
		return 0;
	find(w, r, &class, &name);
	if (!class || !name)
		return 0;
	name = single(w, r, name);
	class = name ? single(w, r, class) : 0;
	if (!class || r_text(w, r, name) != method)
		return 0;
	return r_text(w, r, class);
}
