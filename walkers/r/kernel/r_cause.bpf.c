/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Errors of R (src/main/errors.c, R-4-0-4 to R-4-6-2).  Each passes one of these once,
 * whether it is handled or not:
 *
 *   R_CAUSE_CALL    Rf_errorcall(call, format, ...): stop("text"), Rf_error()
 *   R_CAUSE_SIGNAL  .signalCondition(condition, ...), with its arguments as a list:
 *                   stop(condition), warnings, messages, whatever is signalled
 *   R_CAUSE_OBJECT  R_signalErrorConditionEx(condition, ...): errors of C with a class
 *
 * A condition is a list whose first element is the message, with a class attribute.  That
 * of an error has "error" among its classes.
 */
#include "bpf/cause.bpf.h"

#include "walkers/r/r.h"

#define ATTRIB	    8u
#define CAR	    R_UNION
#define CDR	    (R_UNION + 8u)
#define TAG	    (R_UNION + 16u)
#define PRINT_NAME  R_UNION
#define MAX_ATTRIBS 8u
#define MAX_CLASSES 16u

/* Little-endian, with their NULs: */
#define CLASS	0x7373616c63ull
#define ERROR	0x726f727265ull
#define WARNING 0x676e696e726177ull
#define SIX	0xffffffffffffull

static __always_inline u64 load(u64 address)
{
	u64 word = 0;

	cause_read(&word, sizeof(word), address);
	return word;
}

/* Address of the text in the CHARSXP at `chars`. */
static __always_inline u64 text_of(const struct cause *c, u64 chars)
{
	return chars + (c->param & 0xff);
}

/* Address of an element of a vector. */
static __always_inline u64 element(const struct cause *c, u64 vector, u32 i)
{
	return vector + (c->param & 0xff) + i * 8;
}

static __always_inline u64 type_of(u64 object)
{
	return load(object) & R_TYPE_MASK;
}

/* The class attribute, a vector of strings; 0: there is none. */
static __always_inline u64 classes_of(const struct cause *c, u64 object)
{
	u64 cell = load(object + ATTRIB);

	for (u32 i = 0; i < MAX_ATTRIBS && type_of(cell) == R_LISTSXP; i++) {
		u64 name = load(load(cell + TAG) + PRINT_NAME);

		if ((load(text_of(c, name)) & SIX) == CLASS)
			return load(cell + CAR);
		cell = load(cell + CDR);
	}
	return 0;
}

/* Whether it is an error, or a warning if these are wanted. */
static __always_inline bool is_wanted(const struct cause *c, u64 classes)
{
	u32 n = load(classes + R_UNION) & 0x7fffffff;

	for (u32 i = 0; i < MAX_CLASSES && i < n; i++) {
		u64 word = load(text_of(c, load(element(c, classes, i))));

		if ((word & SIX) == ERROR ||
		    (word == WARNING && c->param & R_CAUSE_WARNINGS))
			return true;
	}
	return false;
}

static __always_inline int condition(struct cause *c, u64 object)
{
	u64 classes = classes_of(c, object), message;

	if (!classes || type_of(classes) != R_STRSXP || !is_wanted(c, classes))
		return 0;
	c->class = text_of(c, load(element(c, classes, 0)));
	message = load(element(c, object, 0));
	if (type_of(object) == R_VECSXP && type_of(message) == R_STRSXP)
		c->message = text_of(c, load(element(c, message, 0)));
	return 1;
}

int r_cause(struct cause *c)
{
	if (!c)
		return 0;
	switch (c->kind) {
	case R_CAUSE_SIGNAL:
		return condition(c, load(c->value + CAR));
	case R_CAUSE_OBJECT:
		return condition(c, c->value);
	}
	/* R itself formats the message first, and passes "%s". */
	c->message =
		(load(c->value) & 0xffffff) == 0x7325 ? c->third : c->value;
	return 1;
}
