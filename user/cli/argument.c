/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parses the arguments of options. One function parses each kind of argument; one
 * table maps options to kinds. Every error message quotes the argument and shows a
 * valid form.
 */
#include "user/cli/argument.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/sysinfo.h>

#include <jpbpf/walkers.h>

#include "user/cli/cgroup.h"
#include "user/cli/number.h"
#include "user/kernel/events.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/format.h"

#define PID_MAX	    (1 << 22) /* the kernel's PID_MAX_LIMIT */
#define SECONDS_MAX 1e8 /* three years; fits every timer; options.def says it */
#define FIRST_KEY   512 /* of options without a letter; argp shows none */

static int parse_pid(struct options *o, const char *value)
{
	return number_parse_list(value, 1, PID_MAX, false, &o->run.pid,
				 &o->run.pids);
}

static int parse_tid(struct options *o, const char *value)
{
	return number_parse_list(value, 1, PID_MAX, false, &o->run.engine.tid,
				 &o->run.engine.tids);
}

static int parse_only_pid(struct options *o, const char *value)
{
	return number_parse_list(value, 1, PID_MAX, false, &o->load.pid,
				 &o->load.pids);
}

static int parse_regex(regex_t **to, const char *value)
{
	if (*to)
		regfree(*to);
	*to = xreallocarray(*to, 1, sizeof(**to));
	if (!regcomp(*to, value, REG_EXTENDED | REG_NOSUB))
		return 0;
	free(steal_ptr(*to));
	return -EINVAL;
}

static int parse_comm(struct options *o, const char *value)
{
	return parse_regex(&o->run.only.comm, value);
}

static int parse_only_comm(struct options *o, const char *value)
{
	return parse_regex(&o->load.comm, value);
}

static int parse_uid(struct options *o, const char *value)
{
	_cleanup_free_ char *list = xstrdup(value);
	char *rest = list, *word;

	while ((word = strsep(&rest, ","))) {
		const struct passwd *user = getpwnam(word);
		long uid = user ? user->pw_uid : 0;

		if (!user && number_parse(word, 0, UINT_MAX - 1, &uid)) {
			log_err("--uid '%s' is no user of this host; give "
				"names or numbers: --uid 1000,www-data",
				word);
			return -EINVAL;
		}
		o->run.only.uid =
			xreallocarray(o->run.only.uid, o->run.only.uids + 1,
				      sizeof(*o->run.only.uid));
		o->run.only.uid[o->run.only.uids++] = uid;
	}
	return 0;
}

static int parse_cgroup(struct options *o, const char *value)
{
	free(o->run.only.cgroup);
	o->run.only.cgroup = cgroup_find(value);
	return o->run.only.cgroup ? 0 : -EINVAL;
}

static int parse_cpu(struct options *o, const char *value)
{
	int last = get_nprocs_conf() - 1;
	int err = number_parse_list(value, 0, last, true, &o->run.engine.cpu,
				    &o->run.engine.cpus);

	if (err == -ERANGE)
		log_err("-C '%s' is out of range; the CPUs of this host are "
			"0-%d",
			value, last);
	else if (err)
		log_err("-C '%s' is not a list of CPUs; write it like -C 0,2-3",
			value);
	return err;
}

static int parse_duration(struct options *o, const char *value)
{
	return number_parse_seconds(value, SECONDS_MAX, &o->run.duration);
}

static int parse_event(struct options *o, const char *value)
{
	_cleanup_buf_ struct buf names = { 0 };
	_cleanup_free_ char *list = xstrdup(value);
	const struct source *source;
	char *rest = list, *word;

	while ((word = strsep(&rest, ",")) && (source = source_find(word)))
		o->run.engine.sources |= 1u << (source - sources);
	if (!word)
		return 0;
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		buf_addf(&names, " %s", sources[i].name);
	log_err("-e '%s' is not an event; there are:%s", word,
		buf_text(&names));
	return -EINVAL;
}

static int parse_output(struct options *o, const char *value)
{
	o->run.output = strcmp(value, "-") ? value : NULL;
	return *value ? 0 : -EINVAL;
}

static int parse_format(struct options *o, const char *value)
{
	_cleanup_buf_ struct buf names = { 0 };

	if (format_find(value)) {
		o->run.format = value;
		return 0;
	}
	for (const struct format *f = formats; f->name; f++)
		buf_addf(&names, " %s", f->name);
	log_err("-f '%s' is not a format; there are:%s", value,
		buf_text(&names));
	return -EINVAL;
}

static int parse_seconds(const char *value, u64 *ns)
{
	double seconds;
	int err = number_parse_seconds(value, SECONDS_MAX, &seconds);

	*ns = err ? 0 : seconds * 1e9;
	return err;
}

static int parse_since(struct options *o, const char *value)
{
	return parse_seconds(value, &o->load.since);
}

static int parse_until(struct options *o, const char *value)
{
	return parse_seconds(value, &o->load.until);
}

static int parse_delay(struct options *o, const char *value)
{
	return number_parse_seconds(value, SECONDS_MAX, &o->run.delay);
}

static int parse_max_size(struct options *o, const char *value)
{
	return number_parse_unit(value, "BKMG", 1024, &o->run.max_bytes);
}

static int parse_rotate(struct options *o, const char *value)
{
	u64 seconds = 0, bytes = 0;
	int err = number_parse_unit(value, "smh", 60, &seconds);

	if (err)
		err = number_parse_unit(value, "BKMG", 1024, &bytes);
	o->run.rotate_seconds = seconds;
	o->run.rotate_bytes = bytes;
	return err;
}

static int parse_least(struct options *o, const char *value)
{
	o->report.least = 0;
	return strcmp(value, "0") == 0
		       ? 0
		       : number_parse_seconds(value, 100, &o->report.least);
}

static int parse_rules(struct options *o, const char *value)
{
	return rules_read(o->rules, value);
}

static int parse_by(struct options *o, const char *value)
{
	static const char *const by[] = { "comm", "process", "thread" };

	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		if (!strcmp(by[i], value)) {
			o->run.show.by = i;
			return 0;
		}
	log_err("--by '%s' is none of: process thread comm", value);
	return -EINVAL;
}

static int parse_flat(struct options *o, const char *value)
{
	const char *const *by = report_lists;

	while (*by && strcmp(*by, value))
		by++;
	if (!*by)
		log_err("--flat '%s' is no list; there are: function space "
			"line module process thread event",
			value);
	o->report.by = REPORT_FUNCTION + (by - report_lists);
	return *by ? 0 : -EINVAL;
}

/* Groups of options, in the order of the help. */
enum group { WHOM = 1, WHAT, STREAM, CHOOSE, SHOW, LAYOUT, WRITE, LAST = -1 };

/* Classes of options: the group in which they stand, and which verbs take them. */
#define MASK(verb)   (1u << VERB_##verb)
#define RUNNING	     (MASK(RUN) | MASK(RECORD))
#define READING	     (MASK(REPORT) | MASK(CONVERT) | MASK(DIFF))
#define CLASS_WHOM   WHOM, RUNNING
#define CLASS_WHAT   WHAT, RUNNING
#define CLASS_HOST   WHAT, RUNNING | MASK(CHECK)
#define CLASS_STREAM STREAM, MASK(RECORD)
#define CLASS_CHOOSE CHOOSE, READING
#define CLASS_SHOW   SHOW, MASK(RUN) | READING
#define CLASS_LINES  SHOW, RUNNING | READING
#define CLASS_LAYOUT LAYOUT, MASK(REPORT) | MASK(DIFF)
#define CLASS_REPORT LAYOUT, MASK(REPORT)
#define CLASS_DIFF   LAYOUT, MASK(DIFF)
#define CLASS_WRITE  WRITE, RUNNING | READING
#define CLASS_RUNS   WRITE, RUNNING
#define CLASS_INFO   WRITE, MASK(INFO)
#define CLASS_ALL    WRITE, ~0u
#define CLASS_LAST   LAST, ~0u
/* What walkers' options do (jpbpf/walkers.h). */
#define CLASS_WALKER_SAYS_WHERE CLASS_LINES
#define CLASS_WALKER_LEAVES_OUT CLASS_SHOW
#define CLASS_WALKER_WRITES	CLASS_SHOW

#define FLAG(member) .at = offsetof(struct options, member)
#define TEXT(member) .is_text = true, FLAG(member)
#define LIMIT(lowest, highest, normal, member) \
	.least = lowest, .most = highest, .usual = normal, FLAG(member)

static const struct argument {
	struct argp_option option;
	/* Stores the argument; NULL: a flag or a limit, which has its place in struct
	 * options, or a walker's option, which is a bit. */
	int (*parse)(struct options *o, const char *value);
	/* What an argument is and can be, said when it is not; NULL: parse says that
	 * itself. */
	const char *is;
	unsigned least, most, usual; /* of a limit; else 0 */
	size_t at;
	bool is_text;
	unsigned bit;
	enum group group;
	u32 verbs; /* bit per enum verb */
} table[] = {
#define PLACE(in, by) .group = in, .verbs = by
#define PLACED(class) PLACE(class)
#define OPTION(class, name, letter, word, help, ...)    \
	{ .option = { name, letter, word, 0, help, 0 }, \
	  PLACED(CLASS_##class),                        \
	  __VA_ARGS__ },
#include "user/cli/options.def"
};

#define OPTIONS (sizeof(table) / sizeof(*table))

/* Of the verb: its part of the table, with keys, and where each stands in it. */
static struct argp_option options[OPTIONS + 1];
static size_t place[OPTIONS];
static size_t taken;

const struct argp_option *argument_options(enum verb verb)
{
	memset(options, 0, sizeof(options));
	taken = 0;
	for (size_t i = 0; i < OPTIONS; i++) {
		struct argp_option *o = &options[taken];

		if (!(table[i].verbs >> verb & 1))
			continue;
		*o = table[i].option;
		o->group = table[i].group;
		if (o->name && !o->key)
			o->key = FIRST_KEY + i;
		place[taken++] = i;
	}
	return options;
}

static void *member(struct options *o, const struct argument *a)
{
	return (char *)o + a->at;
}

void argument_set_defaults(struct options *o)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		unsigned *limit = member(o, &table[i]);

		if (table[i].usual && !*limit)
			*limit = table[i].usual;
	}
}

static int parse_limit(struct options *o, const struct argument *a,
		       const char *value)
{
	long n;
	int err = number_parse(value, a->least, a->most, &n);

	if (!err)
		*(unsigned *)member(o, a) = n;
	return err;
}

static int refuse(const struct argument *a, const char *value)
{
	_cleanup_free_ char *name = a->option.key
					    ? xasprintf("-%c", a->option.key)
					    : xasprintf("--%s", a->option.name);

	log_err("%s '%s' is not %s", name, value, a->is);
	return -EINVAL;
}

static int store(struct options *o, const struct argument *a, const char *value)
{
	if (a->parse)
		return a->parse(o, value);
	if (a->most)
		return parse_limit(o, a, value);
	if (a->bit)
		o->run.view.walker_options |= a->bit;
	else if (a->is_text)
		*(const char **)member(o, a) = value;
	else
		*(bool *)member(o, a) = true;
	return 0;
}

int argument_parse(struct options *o, int key, const char *value)
{
	for (size_t i = 0; i < taken; i++) {
		const struct argument *a = &table[place[i]];
		int err;

		if (!options[i].name || options[i].key != key)
			continue;
		err = store(o, a, value);
		return err && a->is ? refuse(a, value) : err;
	}
	return -ENOENT;
}

int argument_check_frequency(const struct options *o, const char *rate_file)
{
	_cleanup_fclose_ FILE *f = fopen(rate_file, "re");
	unsigned limit;

	if (!f || fscanf(f, "%u", &limit) != 1 ||
	    o->run.engine.frequency <= limit)
		return 0;
	log_err("-F %u is above this kernel's limit of %u Hz; give less, or "
		"raise it: sysctl kernel.perf_event_max_sample_rate=%u",
		o->run.engine.frequency, limit, o->run.engine.frequency);
	return -EINVAL;
}
