/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Gathers the answer as facts and prints it once, so that an error leaves standard
 * output empty.
 *
 * Values come from foreign files and processes, so each is escaped before it
 * reaches the terminal.
 */
#include "user/cli/info.h"

#include <stdio.h>
#include <string.h>

#include "user/cli/build.h"
#include "user/cli/number.h"
#include "user/cli/options.h"
#include "user/cli/subject.h"
#include "user/lib/buf.h"
#include "user/lib/fact.h"
#include "user/lib/log.h"
#include "user/output/facts.h"
#include "user/kernel/privilege.h"

#define PID_MAX (1 << 22) /* the kernel's PID_MAX_LIMIT */

enum { WORD_SUBJECT, WORD_ACTION, WORD_KEYS };

static bool asks(const struct options *o, const char *action)
{
	return o->words > WORD_ACTION && !strcmp(o->word[WORD_ACTION], action);
}

static int check_usage(const struct options *o)
{
	if (!o->words || !*o->word[WORD_SUBJECT])
		log_err("info needs a process or a file: jpbpf info 812, "
			"jpbpf info /usr/bin/tclsh, jpbpf info self");
	else if (o->words > WORD_ACTION && !asks(o, "list") && !asks(o, "get"))
		log_err("'%s' is neither list nor get; of several processes "
			"or files ask for one at a time",
			o->word[WORD_ACTION]);
	else if (asks(o, "list") && o->words > WORD_KEYS)
		log_err("'%s' is one word too many; list takes none, "
			"get takes keys",
			o->word[WORD_KEYS]);
	else if (asks(o, "get") && o->words == WORD_KEYS)
		log_err("get needs a key; these there are: jpbpf info %s list",
			o->word[WORD_SUBJECT]);
	else
		return STATUS_DONE;
	return STATUS_USAGE;
}

static int write_out(const struct buf *text)
{
	fwrite(text->data, 1, text->len, stdout);
	return answer_end();
}

static int print(const struct options *o, const struct fact *facts)
{
	_cleanup_buf_ struct buf text = { 0 };

	if (o->json)
		facts_json(&text, facts);
	else
		facts_text(&text, facts);
	return write_out(&text);
}

static void list_keys(const struct fact *config, struct fact *root,
		      struct buf *text)
{
	struct fact *list = fact_add_list(root, "keys");

	for (const struct fact *f = config->first; f; f = f->next) {
		fact_add_text(list, NULL, "%s", f->key);
		facts_plain(text, f->key);
		buf_addc(text, '\n');
	}
}

static void refuse_key(const char *key, const struct fact *config)
{
	_cleanup_buf_ struct buf known = { 0 };

	for (const struct fact *f = config->first; f; f = f->next) {
		buf_addc(&known, ' ');
		facts_plain(&known, f->key);
	}
	log_err("'%s' is not a key; there are:%s", key, buf_text(&known));
}

static int get_values(const struct options *o, const struct fact *config,
		      struct fact *root, struct buf *text)
{
	for (size_t i = WORD_KEYS; i < o->words; i++) {
		const struct fact *f = fact_find(config, o->word[i]);

		if (!f) {
			refuse_key(o->word[i], config);
			return STATUS_FAILED;
		}
		facts_value(text, f);
		buf_addc(text, '\n');
		if (!fact_find(root, f->key))
			fact_add_text(root, f->key, "%s", f->text);
	}
	return STATUS_DONE;
}

static int print_config(const struct options *o, const struct fact *config)
{
	struct fact *root = fact_new();
	_cleanup_buf_ struct buf text = { 0 };
	int status = STATUS_DONE;

	if (asks(o, "list"))
		list_keys(config, root, &text);
	else
		status = get_values(o, config, root, &text);
	if (!status)
		status = o->json ? print(o, root) : write_out(&text);
	fact_free(root);
	return status;
}

/* Answers for a jpbpf program, of which all facts are its configuration. */
static int about_build(const struct options *o, const struct fact *build)
{
	return o->words > WORD_ACTION ? print_config(o, build)
				      : print(o, build);
}

static int about_self(const struct options *o)
{
	struct fact *facts = fact_new();
	int status;

	build_facts(facts);
	status = about_build(o, facts);
	fact_free(facts);
	return status;
}

static const char *text_of(const struct fact *language, const char *key)
{
	return fact_find(language, key)->text;
}

/* Answers with the configuration of the first language that can have one. */
static int about_config(const struct options *o, const struct fact *languages)
{
	const struct fact *which = languages->first, *config = NULL;
	_cleanup_buf_ struct buf this = { 0 }, others = { 0 };
	int status = STATUS_FAILED;

	for (const struct fact *f = languages->first; f; f = f->next) {
		const struct fact *found = fact_find(f, "configuration");

		if (found && !config) {
			which = f;
			config = found;
			facts_plain(&this, text_of(f, "file"));
		} else if (found) {
			buf_addc(&others, ' ');
			facts_plain(&others, text_of(f, "file"));
		}
	}
	if (!config)
		log_err("%s has no embedded configuration; Tcl has one",
			text_of(which, "language"));
	else if (!config->first)
		log_err("no configuration (TIP 59) was found in %s",
			text_of(which, "file"));
	else
		status = print_config(o, config);
	if (!status && others.len)
		log_warn("this is the configuration of %s; there is also%s",
			 buf_text(&this), buf_text(&others));
	return status;
}

static int about(const struct options *o, const struct subject *s)
{
	if (s->languages->first)
		return o->words > WORD_ACTION ? about_config(o, s->languages)
					      : print(o, s->facts);
	if (s->build->first)
		return about_build(o, s->build);
	log_err("there is no Tcl or R in %s%s%s; it may load one later, "
		"or one that jpbpf does not know",
		s->pid ? "process " : "", o->word[WORD_SUBJECT],
		s->pid ? "" : ", nor in libraries found for it");
	return STATUS_FAILED;
}

static int open_subject(struct subject *s, const char *word)
{
	long pid;

	if (strspn(word, "0123456789") < strlen(word))
		return subject_open_file(s, word);
	if (!number_parse(word, 1, PID_MAX, &pid))
		return subject_open_process(s, "/proc", pid);
	log_err("'%s' is not a process id; those are 1 to %d.  If a file is "
		"meant, write ./%s",
		word, PID_MAX, word);
	return STATUS_USAGE;
}

int info_run(const struct options *o)
{
	struct subject s = { 0 };
	int status = check_usage(o);

	if (status)
		return status;
	if (!strcmp(o->word[WORD_SUBJECT], "self"))
		return about_self(o);
	privilege_keep(PRIVILEGE_READ);
	status = open_subject(&s, o->word[WORD_SUBJECT]);
	if (!status)
		status = about(o, &s);
	subject_release(&s);
	return status;
}
