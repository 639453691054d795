/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Gathers the answer as facts and prints it once, so that an error leaves standard
 * output empty.
 *
 * Values come from foreign files and processes, so each is escaped before it
 * reaches the terminal.
 */
#include "user/cli/verb.h"

#include <stdio.h>
#include <string.h>

#include "user/cli/build.h"
#include "user/cli/number.h"
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

static int print(const struct options *o, const struct fact *facts)
{
	_cleanup_buf_ struct buf text = { 0 };

	if (o->run.json)
		facts_json(&text, facts);
	else
		facts_text(&text, facts);
	fwrite(text.data, 1, text.len, stdout);
	return answer_end();
}

static int refuse_key(const char *key, const struct fact *config)
{
	_cleanup_buf_ struct buf known = { 0 };

	for (const struct fact *f = config->first; f; f = f->next) {
		buf_addc(&known, ' ');
		facts_plain(&known, f->key);
	}
	log_err("'%s' is not a key; there are:%s", key, buf_text(&known));
	return STATUS_FAILED;
}

/* Adds what was asked for to an empty group.  An exit status of the program. */
static int choose(const struct options *o, const struct fact *config,
		  struct fact *out)
{
	struct fact *list = asks(o, "list") ? fact_add_list(out, "keys") : NULL;

	for (const struct fact *f = config->first; list && f; f = f->next)
		fact_add_text(list, NULL, "%s", f->key);
	for (size_t i = WORD_KEYS; i < o->words; i++) {
		const struct fact *f = fact_find(config, o->word[i]);

		if (!f)
			return refuse_key(o->word[i], config);
		if (!fact_find(out, f->key))
			fact_add_text(out, f->key, "%s", f->text);
	}
	return STATUS_DONE;
}

/* Keys or values, one a line; as JSON values have their keys. */
static int print_config(const struct options *o, const struct fact *config)
{
	struct fact *out = fact_new();
	_cleanup_buf_ struct buf text = { 0 };
	int status = choose(o, config, out);

	if (!status && o->run.json) {
		status = print(o, out);
	} else if (!status) {
		const struct fact *f = out->first;

		if (asks(o, "list"))
			f = f->first;
		for (; f; f = f->next) {
			facts_value(&text, f);
			puts(buf_text(&text));
			buf_reset(&text);
		}
		status = answer_end();
	}
	fact_free(out);
	return status;
}

/* Answers with the configuration of the first language that can have one. */
static int about_config(const struct options *o, const struct fact *languages)
{
	const struct fact *which = languages->first, *config = NULL;
	_cleanup_buf_ struct buf files = { 0 };
	int status = STATUS_FAILED, n = 0;

	for (const struct fact *f = languages->first; f; f = f->next) {
		if (!fact_find(f, "configuration"))
			continue;
		if (!n++) {
			which = f;
			config = fact_find(f, "configuration");
		} else {
			buf_adds(&files, n == 2 ? "; there is also " : " ");
		}
		facts_plain(&files, fact_find(f, "file")->text);
	}
	if (!config)
		log_err("%s has no embedded configuration; Tcl has one",
			fact_find(which, "language")->text);
	else if (!config->first)
		log_err("no configuration (TIP 59) was found in %s",
			fact_find(which, "file")->text);
	else
		status = print_config(o, config);
	if (!status && n > 1)
		log_warn("this is the configuration of %s", buf_text(&files));
	return status;
}

static int about(const struct options *o, const struct subject *s)
{
	bool all = o->words <= WORD_ACTION;

	/* Of a jpbpf program all facts are its configuration. */
	if (s->build->first)
		return all ? print(o, s->build) : print_config(o, s->build);
	if (s->languages->first)
		return all ? print(o, s->facts) : about_config(o, s->languages);
	log_err("there is no Tcl or R in %s%s%s; it may load one later, "
		"or one that jpbpf does not know",
		s->pid ? "process " : "", o->word[WORD_SUBJECT],
		s->pid ? "" : ", nor in libraries found for it");
	return STATUS_FAILED;
}

static int open_subject(struct subject *s, const char *word)
{
	long pid;

	if (!strcmp(word, "self")) {
		s->build = fact_new();
		build_facts(s->build);
		return STATUS_DONE;
	}
	if (strspn(word, "0123456789") < strlen(word))
		return subject_open_file(s, word);
	if (!number_parse(word, 1, PID_MAX, &pid))
		return subject_open_process(s, pid);
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
	privilege_keep(PRIVILEGE_READ);
	status = open_subject(&s, o->word[WORD_SUBJECT]);
	if (!status)
		status = about(o, &s);
	subject_release(&s);
	return status;
}
