/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Rules of a file and the built-in ones (builtin.rules) are read by the same parser. */
#include "user/rules/rules.h"

#include <errno.h>
#include <stdlib.h>

#include "user/lib/embed.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/profile/profile.h"
#include "user/rules/rule.h"

#define MAX_BYTES (1 << 20)

EMBED(builtin, EMBED_FILE("user/rules/builtin.rules"));

struct rules *rules_new(void)
{
	return xcalloc(1, sizeof(struct rules));
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		rule_free(&r->at[i]);
	free(r->at);
	buf_release(&r->text);
	free(r);
}

int rules_read(struct rules *r, const char *path)
{
	_cleanup_fclose_ FILE *in = fopen(path, "re");
	_cleanup_free_ char *text = xcalloc(1, MAX_BYTES + 1);
	size_t len = in ? fread(text, 1, MAX_BYTES, in) : 0;

	if (!in || ferror(in)) {
		int err = errno ? -errno : -EIO;

		log_err("cannot read the rules %s: %m", path);
		return err;
	}
	if (len == MAX_BYTES) {
		log_err("%s has more than %d bytes: no file of rules", path,
			MAX_BYTES);
		return -EFBIG;
	}
	return rule_parse(r, text, path);
}

void rules_builtin(struct rules *r)
{
	rule_parse(r, builtin, "built-in");
}

unsigned rules_needs(const struct rules_options *options)
{
	return options->by == RULES_BY_PROCESS ? PROFILE_BY_PID
	       : options->by == RULES_BY_THREAD
		       ? PROFILE_BY_PID | PROFILE_BY_TID
		       : 0;
}

size_t rules_count(const struct rules *r)
{
	return r->n;
}

void rules_asked(const struct rules *r, const char *asked[RULES_ASKED + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0;
		     k < r->at[i].names && r->at[i].verb == RULE_SUBCOMMAND;
		     k++)
			if (n < RULES_ASKED)
				asked[n++] = r->at[i].name[k].text;
	asked[n] = NULL;
}

int rules_print(const struct rules *r, FILE *out)
{
	return fputs(r->n ? r->text.data : "", out) < 0 ? -EIO : 0;
}
