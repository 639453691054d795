/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Puts the tokens of an expression together again, as R's deparse() would write it, on
 * one line.  "..." stands for what is missing: the kernel side stops after a number of
 * tokens and at a depth.
 *
 * Tokens come from outside: a list of them can end anywhere, and its payload can be too
 * short.
 */
#include "walkers/r/text/r_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "walkers/r/r.h"

#define ELLIPSIS "..."
#define DIGITS	 15    /* src/main/deparse.c, vec2buff(), R-4-2-2 */
#define NA_LOW	 1954u /* src/main/arithmetic.c, R_ValueOfNA(), R-4-2-2 */

struct reader {
	const u64 *word;
	const struct walker_texts *texts;
	u32 token, used; /* tokens and payload words read so far */
	bool path;	 /* the word is an R_PATH */
	bool lost;	 /* a text never arrived */
};

/* The text of one element of a call. */
struct element {
	struct buf text; /* "NAME = " first where it has a name */
	size_t name;	 /* bytes of that */
	bool symbol;
};

static u32 peek(const struct reader *r)
{
	if (r->token >= R_EXPR_TOKENS)
		return 0;
	return (r->word[0] & FRAME_VALUE48_MASK) >> (r->token * 4) & 15;
}

static u64 payload(struct reader *r)
{
	if (r->used >= frame_extra(r->word[0])) {
		r->lost = true;
		return 0;
	}
	return r->word[++r->used];
}

static const char *text(struct reader *r)
{
	u64 id = payload(r);
	const char *t = id ? r->texts->find(r->texts->ctx, id) : NULL;

	r->lost |= !t;
	return t ? t : "";
}

/* Write the number with as many of 15 digits as it needs, in the shorter of the fixed
 * and the scientific notation; if they are equally long, in the fixed one
 * (src/main/format.c, scientific() and formatReal(), R-4-2-2). */
static void add_finite(double real, struct buf *out)
{
	char scientific[32], fixed[512];
	int digits = DIGITS, exponent;

	snprintf(scientific, sizeof(scientific), "%.*e", DIGITS - 1,
		 fabs(real));
	exponent = (int)strtol(strchr(scientific, 'e') + 1, NULL, 10);
	while (digits > 1 && scientific[digits] == '0')
		digits--;
	snprintf(scientific, sizeof(scientific), "%.*e", digits - 1, real);
	snprintf(fixed, sizeof(fixed), "%.*f",
		 digits > exponent + 1 ? digits - exponent - 1 : 0, real);
	buf_adds(out, strlen(fixed) <= strlen(scientific) ? fixed : scientific);
}

static void add_real(u64 word, struct buf *out)
{
	double real;

	memcpy(&real, &word, sizeof(real));
	if (isnan(real))
		buf_adds(out, (u32)word == NA_LOW ? "NA_real_" : "NaN");
	else if (isinf(real))
		buf_adds(out, real < 0 ? "-Inf" : "Inf");
	else
		add_finite(real == 0 ? 0 : real, out); /* 0 for -0 */
}

static void add_number(struct reader *r, u32 kind, struct buf *out)
{
	u64 word = payload(r);

	if (kind == R_EXPR_REAL)
		add_real(word, out);
	else if ((u32)word == 0x80000000u)
		buf_adds(out, kind == R_EXPR_INTEGER ? "NA_integer_" : "NA");
	else if (kind == R_EXPR_INTEGER)
		buf_addf(out, r->path ? "%d" : "%dL", (int)(u32)word);
	else
		buf_adds(out, word ? "TRUE" : "FALSE");
}

static void add_string(const char *text, struct buf *out)
{
	static const char from[] = "\a\b\f\n\r\t\v\\\"";
	static const char to[] = "abfnrtv\\\"";
	const char *special;

	buf_addc(out, '"');
	for (; *text; text++) {
		special = strchr(from, *text);
		if (special)
			buf_addf(out, "\\%c", to[special - from]);
		else if (iscntrl((unsigned char)*text))
			buf_addf(out, "\\%03o", (unsigned char)*text);
		else
			buf_addc(out, *text);
	}
	buf_addc(out, '"');
}

static void add_call(struct reader *r, struct buf *out);

/* One token, or a call with all that is in it. */
static void add_value(struct reader *r, struct buf *out)
{
	u32 kind = peek(r);

	r->token++;
	switch (kind) {
	case R_EXPR_SYMBOL:
		buf_adds(out, text(r));
		break;
	case R_EXPR_STRING:
		add_string(text(r), out);
		break;
	case R_EXPR_REAL:
	case R_EXPR_INTEGER:
	case R_EXPR_LOGICAL:
		add_number(r, kind, out);
		break;
	case R_EXPR_NULL:
		buf_adds(out, "NULL");
		break;
	case R_EXPR_OPEN:
		add_call(r, out);
		break;
	default:
		buf_adds(out, ELLIPSIS);
	}
}

/* Read the elements up to the end of the call, the function first.  *whole: the end
 * was reached.  Returns the number of elements. */
static u32 read_elements(struct reader *r, struct element *e, bool *whole)
{
	u32 n = 0, kind;

	while ((kind = peek(r)) && kind != R_EXPR_CLOSE) {
		if (kind == R_EXPR_NAME) {
			r->token++;
			buf_addf(&e[n].text, "%s = ", text(r));
			e[n].name = e[n].text.len;
		}
		e[n].symbol = peek(r) == R_EXPR_SYMBOL;
		add_value(r, &e[n++].text);
	}
	*whole = kind == R_EXPR_CLOSE;
	r->token++;
	return n;
}

static void add_list(const struct element *e, u32 n, bool whole,
		     struct buf *out)
{
	for (u32 i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", buf_text(&e[i].text));
	if (!whole)
		buf_adds(out, n ? ", " ELLIPSIS : ELLIPSIS);
}

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(word, *list) != 0)
		list++;
	return *list;
}

/* Write a call of an operator or keyword: `a + b`, `-a`, `x[i]`.  False if it is to be
 * written as a call of a function. */
static bool add_operation(const struct element *e, u32 n, bool whole,
			  struct buf *out)
{
	static const char *const close[] = { "$",   "@", ":", "::",
					     ":::", "^", NULL };
	static const char *const wide[] = {
		"+", "-",  "*", "/",  "==", "!=",  "<", "<=", ">", ">=",
		"&", "&&", "|", "||", "<-", "<<-", "=", "~",  NULL
	};
	static const char *const unary[] = { "-", "+", "!", "~", "?", NULL };
	const char *op = buf_text(&e[0].text);
	/* Without elements these are empty. */
	const char *a = buf_text(&e[1].text) + e[1].name;
	const char *b = buf_text(&e[2].text) + e[2].name;

	if (n > 1 && n <= 3 && is_one_of(op, close)) {
		buf_addf(out, "%s%s%s", a, op, n == 3 ? b : ELLIPSIS);
	} else if (whole && n == 3 && (is_one_of(op, wide) || op[0] == '%')) {
		buf_addf(out, "%s %s %s", a, op, b);
	} else if (whole && n == 2 && is_one_of(op, unary)) {
		buf_addf(out, "%s%s", op, a);
	} else if (whole && n == 2 && !strcmp(op, "(")) {
		buf_addf(out, "(%s)", a);
	} else if (!strcmp(op, "{")) {
		buf_adds(out, "{" ELLIPSIS "}");
	} else if (!strcmp(op, "function")) {
		buf_adds(out, "function(" ELLIPSIS ")");
	} else if (n >= 2 && (!strcmp(op, "[") || !strcmp(op, "[["))) {
		buf_addf(out, "%s%s", a, op);
		add_list(e + 2, n - 2, whole, out);
		buf_adds(out, strcmp(op, "[") ? "]]" : "]");
	} else if (n >= 2 && (!strcmp(op, "if") || !strcmp(op, "while"))) {
		buf_addf(out, "%s (%s) " ELLIPSIS, op, a);
	} else if (n >= 3 && !strcmp(op, "for")) {
		buf_addf(out, "for (%s in %s) " ELLIPSIS, a, b);
	} else {
		return false;
	}
	return true;
}

static void add_call(struct reader *r, struct buf *out)
{
	struct element e[R_EXPR_TOKENS + 1] = { 0 };
	bool whole;
	u32 n = read_elements(r, e, &whole);

	if (!n || !e[0].text.len) {
		buf_adds(out, ELLIPSIS);
	} else if (!e[0].symbol || !add_operation(e, n, whole, out)) {
		buf_adds(out, buf_text(&e[0].text));
		buf_addc(out, '(');
		add_list(e + 1, n - 1, whole, out);
		buf_addc(out, ')');
	}
	for (u32 i = 0; i < n; i++)
		buf_release(&e[i].text);
}

/* The length to cut the text to: at most R_EXPR_MAX with the "...", not inside a
 * character. */
static size_t cut(const char *text, size_t len)
{
	if (len <= R_EXPR_MAX)
		return len;
	len = R_EXPR_MAX - strlen(ELLIPSIS);
	while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* The arguments of a call, and what is known of their values. */
static void add_arguments(struct reader *r, struct buf *out)
{
	struct element e[R_EXPR_TOKENS + 1] = { 0 };
	bool whole;
	u32 n = read_elements(r, e, &whole);

	buf_adds(out, ": ");
	add_list(e, n, whole, out);
	for (u32 i = 0; i < n; i++)
		buf_release(&e[i].text);
}

bool r_expr(const u64 *word, const struct walker_texts *texts, struct buf *out)
{
	struct reader r = { .word = word, .texts = texts };
	struct buf text = { 0 };
	size_t len;

	r.path = frame_sub(word[0]) == R_PATH;
	if (r.path)
		add_call(&r, &text);
	else if (frame_sub(word[0]) == R_ARGUMENTS)
		add_arguments(&r, &text);
	else
		add_value(&r, &text);
	if (!r.lost) {
		len = cut(buf_text(&text), text.len);
		buf_add(out, text.data, len);
		buf_adds(out, len < text.len ? ELLIPSIS : "");
	}
	buf_release(&text);
	return !r.lost;
}
