/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names as a Tcl programmer writes them: what is in the global namespace by its
 * bare name, everything else fully qualified.  A text that never arrived makes
 * the whole name "[tcl name lost]": half a name would be another one's.  A
 * subcommand only adds to the name of a command; that one is right without it.
 */
#include "walkers/tcl/text/tcl_name.h"

#include <stddef.h>
#include <string.h>

#include <jpbpf/frame.h>

#include "user/lib/buf.h"
#include "walkers/tcl/tcl.h"
#include "walkers/tcl/text/tcl_subcommands.h"
#include "walkers/walker.h"

#define LOST	"[tcl name lost]"
#define UNNAMED "[tcl frame]"

struct parts {
	const char *text[3];
	const char *subcommand;
};

/* "::" + name is the same command as name. */
static const char *bare(const char *name)
{
	if (!strncmp(name, "::", 2) && name[2] && !strstr(name + 2, "::"))
		return name + 2;
	return name;
}

static void add_qualified(struct buf *out, const char *ns, const char *name)
{
	if (strcmp(ns, "::"))
		buf_addf(out, "%s::%s", ns, name);
	else
		buf_adds(out, name);
}

/* The implementation of an ensemble's subcommand goes by the ensemble's name. */
static void add_found(struct buf *out, const char *ns, const char *name)
{
	const char *ensemble = tcl_subcommands_ensemble(ns, name);

	if (ensemble)
		buf_addf(out, "%s %s", ensemble, name);
	else
		add_qualified(out, ns, name);
}

/* Its words came from namespace and name, or from the word as it was called.
 * false: they are lost. */
static bool add_command(const u64 *word, const struct parts *p, struct buf *out)
{
	if (word[0] & TCL_AS_TYPED && !word[1] && p->text[1])
		buf_adds(out, bare(p->text[1]));
	else if (p->text[0] && p->text[1])
		add_found(out, p->text[0], p->text[1]);
	else
		return false;
	return true;
}

static bool name_proc(const u64 *word, const struct parts *p, struct buf *out)
{
	if (!add_command(word, p, out))
		buf_adds(out, LOST);
	return true;
}

static bool name_command(const u64 *word, const struct parts *p,
			 struct buf *out)
{
	if (!add_command(word, p, out))
		buf_adds(out, LOST);
	else if (p->subcommand && tcl_subcommands_is(p->subcommand))
		buf_addf(out, " %s", p->subcommand);
	return true;
}

static bool name_coroutine(const u64 *word, const struct parts *p,
			   struct buf *out)
{
	buf_adds(out, "coroutine ");
	return name_proc(word, p, out);
}

static bool name_method(const u64 *word, const struct parts *p, struct buf *out)
{
	const char *method = p->text[2];

	if (word[0] & TCL_CONSTRUCTOR)
		method = "constructor";
	else if (word[0] & TCL_DESTRUCTOR)
		method = "destructor";
	if (!p->text[0] || !p->text[1] || !method) {
		buf_adds(out, LOST);
		return true;
	}
	add_qualified(out, p->text[0], p->text[1]);
	buf_addf(out, " %s", method);
	return true;
}

static bool name_lambda(const u64 *word, const struct parts *p, struct buf *out)
{
	(void)word;
	if (p->text[0])
		buf_addf(out, "apply {%s}", p->text[0]);
	else
		buf_adds(out, LOST);
	return true;
}

static bool name_namespace(const u64 *word, const struct parts *p,
			   struct buf *out)
{
	(void)word;
	/* The script's own top level is no call. */
	if (p->text[0] && !strcmp(p->text[0], "::"))
		return false;
	if (p->text[0])
		buf_addf(out, "namespace eval %s", p->text[0]);
	else
		buf_adds(out, LOST);
	return true;
}

static bool name_script(const u64 *word, const struct parts *p, struct buf *out)
{
	const char *slash = p->text[0] ? strrchr(p->text[0], '/') : NULL;

	(void)word;
	buf_addf(out, "source %s",
		 slash	      ? slash + 1
		 : p->text[0] ? p->text[0]
			      : LOST);
	return true;
}

bool tcl_name(const u64 *word, const struct walker_texts *texts,
	      struct buf *out)
{
	static const struct {
		u32 extra; /* words that must be there */
		u32 texts; /* of them, text ids */
		bool (*name)(const u64 *word, const struct parts *p,
			     struct buf *out);
	} subs[] = {
		[TCL_PROC] = { 2, 2, name_proc },
		[TCL_METHOD] = { 3, 3, name_method },
		[TCL_LAMBDA] = { 1, 1, name_lambda },
		[TCL_NAMESPACE] = { 1, 1, name_namespace },
		[TCL_COMMAND] = { 3, 2, name_command },
		[TCL_COROUTINE] = { 2, 2, name_coroutine },
		[TCL_SCRIPT] = { 1, 1, name_script },
	};
	u32 sub = frame_sub(word[0]);
	struct parts p = { { NULL }, NULL };

	if (word[0] & TCL_DUPLICATE)
		return false;
	if (sub >= sizeof(subs) / sizeof(subs[0]) || !subs[sub].name ||
	    frame_extra(word[0]) < subs[sub].extra) {
		buf_adds(out, UNNAMED);
		return true;
	}
	for (u32 i = 0; i < subs[sub].texts; i++)
		if (word[1 + i])
			p.text[i] = texts->find(texts->ctx, word[1 + i]);
	if (sub == TCL_COMMAND && frame_extra(word[0]) >= 4 && word[4])
		p.subcommand = texts->find(texts->ctx, word[4]);
	return subs[sub].name(word, &p, out);
}

bool tcl_name_line(const u64 *word, const struct walker_texts *texts,
		   struct buf *out)
{
	static const char *const kinds[] = {
		[TCL_LINE_PROC] = "proc",
		[TCL_LINE_EVAL] = "eval",
	};
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	u32 line = (u32)word[0];
	const char *file = NULL;

	if (frame_sub(word[0]) != TCL_LINE)
		return false;
	if (kind == TCL_LINE_FILE && frame_extra(word[0]) >= 1)
		file = texts->find(texts->ctx, word[1]);
	else if (kind < sizeof(kinds) / sizeof(kinds[0]))
		file = kinds[kind];
	if (file)
		buf_addf(out, " (%s:%u)", file, line);
	return true;
}

u64 tcl_name_entry(const u64 *word)
{
	if (frame_sub(word[0]) != TCL_COMMAND || frame_extra(word[0]) < 3)
		return 0;
	return word[3];
}
