/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A file of rules: it is refused whole, or can be printed and read again and loses no
 * sample. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/report_profile.h"
#include "user/rules/rule.h"
#include "user/rules/rules.h"

static u64 weight_of(struct profile *p)
{
	u64 weight = 0;

	for (u32 i = 0; i < intern_count(p->stacks); i++)
		weight += profile_stack(p, i).sum.weight;
	return weight;
}

static void apply(const struct rules *r)
{
	struct profile *p = report_profile();
	u64 weight;

	report_stack(p, "wish", "main;if;domDoc0x55;c:Tcl_Eval;i:g;k:read", 3);
	report_stack(p, "R", "R:fit@a.R:1;R:fit@a.R:2;c:main;j:x;.:Tcl;!:cut",
		     4);
	weight = weight_of(p);
	rules_use(r, &(struct rules_options){ .redact = true }, p);
	FUZZ_ASSERT(weight_of(p) == weight);
	profile_free(p);
}

/* What is printed is as many rules. */
static void read_again(const struct rules *r)
{
	struct rules *again = rules_new();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	FUZZ_ASSERT(out && !rules_print(r, out) && !fclose(out));
	FUZZ_ASSERT(!rule_parse(again, text, "again"));
	FUZZ_ASSERT(rules_count(again) == rules_count(r));
	rules_free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct rules *r = rules_new();
	const char *asked[RULES_ASKED + 1];
	char *text = malloc(size + 1);

	FUZZ_ASSERT(text);
	memcpy(text, data, size);
	text[size] = '\0';
	/* What the C library needs for expressions with these has no bound. */
	if (!strpbrk(text, "{\\") && !rule_parse(r, text, "input")) {
		apply(r);
		rules_asked(r, asked);
		read_again(r);
	} else {
		FUZZ_ASSERT(!rules_count(r));
	}
	rules_free(r);
	free(text);
	return 0;
}
