/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Names commands as a Tcl programmer writes them: in the global namespace by the bare
 * name, elsewhere by the qualified name.
 *
 * If a text never arrived, the whole name is "[tcl name lost]", because half a name
 * would be that of another command.  A lost subcommand is only left out: the command's
 * name is right without it.
 */
#include "walkers/tcl/text/tcl_text.h"

#include <string.h>

#include <jpbpf/frame.h>

#include "walkers/tcl/tcl.h"

#define LOST	"[tcl name lost]"
#define UNNAMED "[tcl frame]"

/* The name without a leading "::" if the command is in the global namespace. */
static const char *bare(const char *name)
{
	if (!strncmp(name, "::", 2) && name[2] && !strstr(name + 2, "::"))
		return name + 2;
	return name;
}

static void say(struct walker_text *out, const char *ours)
{
	out->space = NULL;
	out->flags = FRAME_OURS;
	buf_reset(&out->name);
	buf_adds(&out->name, ours);
}

static void set_qualified(struct walker_text *out, const char *ns,
			  const char *name)
{
	if (strcmp(ns, "::")) {
		out->space = ns;
		out->flags |= FRAME_QUALIFIED;
	}
	buf_adds(&out->name, name);
}

/* The name is in the texts as namespace and name, or as the word that was called.  The
 * implementation of an ensemble's subcommand gets the ensemble's name.  False if a
 * text is lost. */
static bool read_proc(const u64 *word, const char *const *text,
		      struct walker_text *out)
{
	const char *ns = text[0], *name = text[1], *ensemble;

	if (name && word[0] & TCL_AS_TYPED && !word[1]) {
		buf_adds(&out->name, bare(name));
		return true;
	}
	if (!ns || !name)
		return false;
	ensemble = tcl_subcommands_ensemble(ns, name);
	if (ensemble) {
		buf_addf(&out->name, "%s %s", ensemble, name);
		out->flags |= FRAME_JOINED;
	} else {
		set_qualified(out, ns, name);
	}
	return true;
}

static bool read_command(const u64 *word, const char *const *text,
			 struct walker_text *out)
{
	const char *subcommand = text[frame_sub(word[0]) == TCL_PROC ? 2 : 3];

	if (!read_proc(word, text, out))
		return false;
	if (subcommand && tcl_subcommands_is(subcommand)) {
		buf_addf(&out->name, " %s", subcommand);
		out->flags |= FRAME_JOINED;
	}
	return true;
}

static bool read_method(const u64 *word, const char *const *text,
			struct walker_text *out)
{
	const char *method = text[2];

	if (word[0] & TCL_CONSTRUCTOR)
		method = "constructor";
	else if (word[0] & TCL_DESTRUCTOR)
		method = "destructor";
	if (!text[0] || !text[1] || !method)
		return false;
	set_qualified(out, text[0], text[1]);
	buf_addf(&out->name, " %s", method);
	out->flags |= FRAME_JOINED;
	return true;
}

static bool read_lambda_or_namespace(const u64 *word, const char *const *text,
				     struct walker_text *out)
{
	bool lambda = frame_sub(word[0]) == TCL_LAMBDA;

	if (text[0])
		buf_addf(&out->name,
			 lambda ? "apply {%s}" : "namespace eval %s", text[0]);
	return text[0];
}

static bool read_script(const u64 *word, const char *const *text,
			struct walker_text *out)
{
	(void)word;
	out->flags = text[0] ? 0 : FRAME_OURS;
	buf_addf(&out->name, "source %s", text[0] ? basename(text[0]) : LOST);
	return true;
}

static void read_line(const u64 *word, const struct walker_texts *texts,
		      struct walker_text *out)
{
	static const char *const kinds[] = {
		[TCL_LINE_PROC] = "proc",
		[TCL_LINE_EVAL] = "eval",
	};
	u64 kind = (word[0] & FRAME_VALUE48_MASK) >> 32;
	const char *file = NULL;

	if (kind == TCL_LINE_FILE && frame_extra(word[0]) >= 1)
		file = texts->find(texts->ctx, word[1]);
	else if (kind < sizeof(kinds) / sizeof(kinds[0]))
		file = kinds[kind];
	if (!file)
		return;
	buf_adds(&out->file, file);
	out->line = (u32)word[0];
}

/* Words as a list, each that is more than one in braces; <int> for one whose string is not
 * known. */
static void read_words(const u64 *word, const struct walker_texts *texts,
		       struct walker_text *out)
{
	for (u32 i = 0; i < frame_extra(word[0]); i++) {
		const char *text = texts->find(texts->ctx, word[1 + i]);
		bool typed = word[0] >> i & 1;
		bool list = text && (!*text || strpbrk(text, " \t\n;"));

		buf_addf(&out->name, "%s%s%s%s", i ? " " : "",
			 typed || !text ? "<"
			 : list		? "{"
					: "",
			 text ? text : "?",
			 typed || !text ? ">"
			 : list		? "}"
					: "");
	}
}

enum walker_says tcl_name(const u64 *word, const struct walker_texts *texts,
			  struct walker_text *out)
{
	static const struct {
		u32 extra; /* payload words that must be there */
		u32 texts; /* bit per payload word: a text id */
		bool (*read)(const u64 *word, const char *const *text,
			     struct walker_text *out);
	} subs[] = {
		[TCL_PROC] = { 2, 7, read_command },
		[TCL_METHOD] = { 3, 7, read_method },
		[TCL_LAMBDA] = { 1, 1, read_lambda_or_namespace },
		[TCL_NAMESPACE] = { 1, 1, read_lambda_or_namespace },
		[TCL_COMMAND] = { 3, 11, read_command },
		[TCL_COROUTINE] = { 2, 3, read_proc },
		[TCL_SCRIPT] = { 1, 1, read_script },
	};
	u32 sub = frame_sub(word[0]), extra = frame_extra(word[0]);
	const char *text[4] = { NULL };

	if (sub == TCL_LINE) {
		read_line(word, texts, out);
		return WALKER_PLACE;
	}
	if (sub == TCL_WORDS) {
		read_words(word, texts, out);
		return WALKER_PLACE;
	}
	if (sub == TCL_COMMAND && extra >= 3)
		out->entry = word[3];
	if (word[0] & TCL_DUPLICATE)
		return WALKER_SILENT;
	if (sub >= sizeof(subs) / sizeof(subs[0]) || !subs[sub].read ||
	    extra < subs[sub].extra) {
		say(out, UNNAMED);
		return WALKER_FRAME;
	}
	for (u32 i = 0; i < 4 && i < extra; i++)
		if (subs[sub].texts >> i & 1 && word[1 + i])
			text[i] = texts->find(texts->ctx, word[1 + i]);
	/* The top level of a script is not a call. */
	if (sub == TCL_NAMESPACE && text[0] && !strcmp(text[0], "::"))
		return WALKER_SILENT;
	if (sub == TCL_COROUTINE)
		out->flags |= FRAME_COROUTINE;
	if (!subs[sub].read(word, text, out))
		say(out, LOST);
	return WALKER_FRAME;
}
