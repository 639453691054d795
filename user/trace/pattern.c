/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
#include "user/trace/pattern.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <jpbpf/call.h>

#include "user/lib/mem.h"
#include "walkers/walker.h"

#define NATIVE "c"

const char *pattern_language(u32 language)
{
	return language < WALKER_COUNT ? walkers[language]->name : NATIVE;
}

/* Sets the language, and *text behind it. */
static int take_language(struct pattern *p, const char **text)
{
	const char *colon = strchr(*text, ':');
	size_t len = colon ? colon - *text : 0;

	for (u32 i = 0; len && i <= WALKER_COUNT; i++) {
		const char *name = pattern_language(i);

		if (strlen(name) != len || strncmp(name, *text, len) != 0 ||
		    (i < WALKER_COUNT && !walkers[i]->file.calls))
			continue;
		p->language = i < WALKER_COUNT ? i : CALL_NATIVE;
		*text = colon + 1;
		return 0;
	}
	return -EINVAL;
}

int patterns_add(struct patterns *p, enum pattern_kind kind, const char *text)
{
	const char *equal = kind == PATTERN_AS ? strchr(text, '=') : NULL;
	struct pattern made = { .is_not = kind == PATTERN_NOT };
	const char *at = equal ? equal + 1 : text, *colon = NULL;

	if ((kind == PATTERN_AS && (!equal || equal == text)) ||
	    take_language(&made, &at))
		return -EINVAL;
	if (made.language == CALL_NATIVE) {
		colon = strchr(at, ':');
		if (!colon || colon == at)
			return -EINVAL;
	}
	if (!*(colon ? colon + 1 : at))
		return -EINVAL;
	made.file = colon ? xstrndup(at, colon - at) : NULL;
	made.name = xstrdup(colon ? colon + 1 : at);
	made.id = equal ? xstrndup(text, equal - text) : NULL;
	p->at = xgrow(p->at, p->n, &p->capacity, sizeof(*p->at));
	p->at[p->n++] = made;
	return 0;
}

void patterns_release(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].file);
		free(p->at[i].name);
		free(p->at[i].id);
	}
	free(p->at);
	*p = (struct patterns){ 0 };
}

static bool is_like(const struct pattern *p, const char *file, const char *name)
{
	if (p->file && (!file || fnmatch(p->file, file, 0)))
		return false;
	if (*p->name == '^')
		return !strncmp(p->name + 1, name, strlen(p->name + 1));
	return !fnmatch(p->name, name, 0);
}

const struct pattern *patterns_find(const struct patterns *p, u32 language,
				    const char *file, const char *name)
{
	const struct pattern *found = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct pattern *at = &p->at[i];

		if (at->language != language || !is_like(at, file, name))
			continue;
		if (at->is_not)
			return NULL;
		if (!found || (at->id && !found->id))
			found = at;
	}
	return found;
}

bool patterns_have_file(const struct patterns *p, const char *file)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].file && !fnmatch(p->at[i].file, file, 0))
			return true;
	return false;
}

bool patterns_have(const struct patterns *p, u32 language)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].language == language && !p->at[i].is_not)
			return true;
	return false;
}

bool pattern_is_whole(const struct pattern *p)
{
	return *p->name != '^' && !strpbrk(p->name, "*?[\\");
}
