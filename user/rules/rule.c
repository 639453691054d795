/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A line is cut into words at its blanks.  A word that begins with a slash goes on to the
 * next slash, so a regular expression may have blanks. */
#include "user/rules/rule.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/sample.h>

#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"

#define WORDS 64

struct line {
	const char *path;
	unsigned number;
	char *word[WORDS];
	size_t words;
};

bool pattern_fits(const struct pattern *p, const char *text)
{
	if (p->regex)
		return !regexec(p->regex, text, 0, NULL, 0);
	return !p->text || !fnmatch(p->text, text, 0);
}

static void free_pattern(struct pattern *p)
{
	free(p->text);
	if (p->regex)
		regfree(p->regex);
	free(p->regex);
}

void rule_free(struct rule *r)
{
	for (size_t i = 0; i < r->names; i++)
		free_pattern(&r->name[i]);
	free(r->name);
	free_pattern(&r->in);
	free(r->to);
}

static int refuse(const struct line *l, const char *why, const char *what)
{
	log_err("%s:%u: %s '%s'", l->path, l->number, why, what);
	return -EINVAL;
}

/* Cut the line, which is changed. */
static int split(struct line *l, char *text)
{
	l->words = 0;
	for (;;) {
		text += strspn(text, " \t");
		if (!*text || *text == '#')
			return 0;
		if (l->words == WORDS)
			return refuse(l, "too many words:", l->word[0]);
		l->word[l->words++] = text;
		if (*text == '/') {
			text = strchr(text + 1, '/');
			if (!text)
				return refuse(
					l,
					"no slash ends the regular expression",
					l->word[l->words - 1]);
		}
		text += strcspn(text, " \t");
		if (*text)
			*text++ = '\0';
	}
}

static int take_pattern(const struct line *l, char *word, struct pattern *out)
{
	size_t len = strlen(word);
	char why[128];
	int err;

	if (*word != '/') {
		out->text = xstrdup(word);
		return 0;
	}
	if (len < 3 || word[len - 1] != '/')
		return refuse(l,
			      "write a regular expression as /REGEX/:", word);
	word[len - 1] = '\0';
	out->regex = xcalloc(1, sizeof(*out->regex));
	err = regcomp(out->regex, word + 1, REG_EXTENDED);
	if (!err)
		return 0;
	regerror(err, out->regex, why, sizeof(why));
	free(steal_ptr(out->regex));
	return refuse(l, why, word + 1);
}

static int take_kind(const struct line *l, struct rule *r)
{
	static const struct {
		const char *word;
		int kind;
	} kinds[] = {
		{ "tcl", 'T' },		{ "r", 'R' },	   { "c", 'C' },
		{ "inlined", 'i' },	{ "jit", 'j' },	   { "kernel", 'k' },
		{ "interpreter", '.' }, { "marker", '!' }, { "any", 0 }
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(l->word[1], kinds[i].word)) {
			r->kind = kinds[i].kind;
			return 0;
		}
	return refuse(
		l,
		"no kind (tcl r c inlined jit kernel interpreter marker any):",
		l->word[1]);
}

/* How a verb's line goes on: with KIND, names, TEXT. */
static const struct verb {
	const char *word;
	size_t words; /* at least; with TEXT as many */
	bool kind, text;
	const char *usage;
} verbs[] = {
	[RULE_HIDE] = { "hide", 3, true, false, "hide KIND NAME... [in IN]" },
	[RULE_KEEP] = { "keep", 3, true, false, "keep KIND NAME... [in IN]" },
	[RULE_STOP] = { "stop", 3, true, false, "stop KIND NAME... [in IN]" },
	[RULE_RENAME] = { "rename", 4, true, true, "rename KIND /REGEX/ TEXT" },
	[RULE_COLLAPSE] = { "collapse", 3, true, false, "collapse KIND IN..." },
	[RULE_JOIN] = { "join", 2, false, true, "join TEXT" },
	[RULE_MERGE] = { "merge", 2, false, true, "merge recursion" },
	[RULE_SUBCOMMAND] = { "subcommand", 2, false, false,
			      "subcommand NAME..." },
};

/* What single verbs ask of their words. */
static int check(const struct line *l, const struct rule *r)
{
	if ((r->verb == RULE_RENAME && !r->name->regex) ||
	    (r->verb == RULE_MERGE && strcmp(r->to, "recursion") != 0))
		return refuse(l, "write", verbs[r->verb].usage);
	for (size_t i = 0; i < r->names && r->verb == RULE_SUBCOMMAND; i++) {
		const char *name = r->name[i].text;

		if (!name || strpbrk(name, "*?[/") || strstr(name, "::") ||
		    strlen(name) >= TEXT_MAX)
			return refuse(
				l,
				"name a command of Tcl's global namespace, as it is:",
				l->word[1 + i]);
	}
	return 0;
}

static int take_words(const struct line *l, const struct verb *v,
		      struct rule *r)
{
	size_t end = l->words;
	int err = v->kind ? take_kind(l, r) : 0;

	if (!err && v->kind && end > 4 && !strcmp(l->word[end - 2], "in")) {
		err = take_pattern(l, l->word[end - 1], &r->in);
		end -= 2;
	}
	if (v->text)
		r->to = xstrdup(l->word[--end]);
	r->name = xcalloc(l->words, sizeof(*r->name));
	for (size_t i = 1 + v->kind; i < end && !err; i++)
		err = take_pattern(l, l->word[i], &r->name[r->names++]);
	return err ? err : check(l, r);
}

static int take_line(const struct line *l, struct rule *r)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(l->word[0], verbs[i].word) != 0)
			continue;
		r->verb = i;
		return l->words < verbs[i].words || (verbs[i].text &&
						     l->words > verbs[i].words)
			       ? refuse(l, "write", verbs[i].usage)
			       : take_words(l, &verbs[i], r);
	}
	return refuse(
		l,
		"no rule (hide keep stop rename collapse join merge subcommand):",
		l->word[0]);
}

int rule_parse(struct rules *r, const char *text, const char *path)
{
	_cleanup_free_ char *copy = xstrdup(text);
	struct line l = { .path = path };
	char *rest = copy, *line;
	size_t before = r->n;
	int err = 0;

	while (!err && (line = strsep(&rest, "\n"))) {
		l.number++;
		err = split(&l, line);
		if (err || !l.words)
			continue;
		r->at = xgrow(r->at, r->n, &r->capacity, sizeof(*r->at));
		r->at[r->n] = (struct rule){ 0 };
		err = take_line(&l, &r->at[r->n++]);
	}
	while (err && r->n > before)
		rule_free(&r->at[--r->n]);
	if (!err)
		buf_addf(&r->text, "%s%s", text,
			 *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	return err;
}
