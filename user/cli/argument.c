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

#include "user/cli/calls.h"
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

static int parse_text(void *to, const char *value)
{
	*(const char **)to = value;
	return 0;
}

/* Seconds, as ns. */
static int parse_time(void *to, const char *value)
{
	double seconds;
	int err = number_parse_seconds(value, SECONDS_MAX, &seconds);

	if (!err)
		*(u64 *)to = seconds * 1e9;
	return err;
}

static int parse_duty(void *to, const char *value)
{
	_cleanup_free_ char *both = xstrdup(value);
	char *off = both, *on = strsep(&off, "/");
	u64 *duty = to;

	return off ? parse_time(&duty[0], on) ?: parse_time(&duty[1], off)
		   : -EINVAL;
}

static int parse_size(void *to, const char *value)
{
	return number_parse_unit(value, "BKMG", 1024, to);
}

static int parse_regex(void *to, const char *value)
{
	regex_t **regex = to;

	if (*regex)
		regfree(*regex);
	*regex = xreallocarray(*regex, 1, sizeof(**regex));
	if (!regcomp(*regex, value, REG_EXTENDED | REG_NOSUB))
		return 0;
	free(steal_ptr(*regex));
	return -EINVAL;
}

static int parse_uid(void *options, const char *value)
{
	struct options *o = options;
	_cleanup_free_ char *list = xstrdup(value);
	char *rest = list, *word;

	while ((word = strsep(&rest, ","))) {
		const struct passwd *user = getpwnam(word);
		long uid = user ? user->pw_uid : 0;

		if (!user && number_parse(word, 0, UINT_MAX - 1, &uid))
			return -EINVAL;
		o->run.only.uid =
			xreallocarray(o->run.only.uid, o->run.only.uids + 1,
				      sizeof(*o->run.only.uid));
		o->run.only.uid[o->run.only.uids++] = uid;
	}
	return 0;
}

static int parse_cgroup(void *to, const char *value)
{
	char **cgroup = to;

	free(*cgroup);
	*cgroup = cgroup_find(value);
	return *cgroup ? 0 : -EINVAL;
}

static int parse_cpu(void *options, const char *value)
{
	struct options *o = options;

	return number_parse_list(value, 0, get_nprocs_conf() - 1, true,
				 &o->run.engine.cpu, &o->run.engine.cpus);
}

static int parse_event(void *options, const char *value)
{
	struct options *o = options;
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

static int parse_output(void *to, const char *value)
{
	*(const char **)to = strcmp(value, "-") ? value : NULL;
	return *value ? 0 : -EINVAL;
}

/* In the order of enum trace_view. */
static const char *const trace_views[] = { "table", "json",   "list",
					   "log",   "chrome", NULL };

static int parse_format(void *options, const char *value)
{
	_cleanup_buf_ struct buf names = { 0 };
	struct options *o = options;

	for (unsigned i = 0; o->verb == VERB_TRACE && trace_views[i]; i++)
		if (!strcmp(value, trace_views[i])) {
			o->run.trace_view = i;
			return 0;
		}
	if (format_find(value))
		return parse_text(&o->run.format, value);
	for (unsigned i = 0; o->verb == VERB_TRACE && trace_views[i]; i++)
		buf_addf(&names, " %s", trace_views[i]);
	for (const struct format *f = formats; f->name; f++)
		buf_addf(&names, " %s", f->name);
	log_err("-f '%s' is not a format; there are:%s", value,
		buf_text(&names));
	return -EINVAL;
}

static int parse_list(void *options, const char *value)
{
	struct session_config *run = &((struct options *)options)->run;

	(void)value;
	run->trace_view = VIEW_LIST;
	run->duration = run->duration ?: 1000000000;
	return 0;
}

static int parse_rotate(void *options, const char *value)
{
	struct session_config *run = &((struct options *)options)->run;
	u64 seconds = 0;

	run->rotate_bytes = 0;
	if (number_parse_unit(value, "smh", 60, &seconds))
		return parse_size(&run->rotate_bytes, value);
	run->rotate_ns = seconds * 1000000000;
	return 0;
}

static int parse_least(void *to, const char *value)
{
	double *least = to;

	*least = 0;
	return strcmp(value, "0") == 0
		       ? 0
		       : number_parse_seconds(value, 100, least);
}

static int parse_rules(void *to, const char *value)
{
	return rules_read(*(struct rules **)to, value);
}

/* In the order of enum rules_by. */
static const char *const roots[] = { "comm", "process", "thread", NULL };

/* In the order of enum call_mode. */
static const char *const call_modes[] = { "all", "watch", "auto", NULL };

/* Groups of options, in the order of the help. */
enum group { WHOM = 1, WHAT, STREAM, CHOOSE, SHOW, LAYOUT, WRITE, LAST = -1 };

/* Classes of options: the group in which they stand, and which verbs take them. */
#define MASK(verb)    (1u << VERB_##verb)
#define RUNNING	      (MASK(RUN) | MASK(RECORD))
#define READING	      (MASK(REPORT) | MASK(CONVERT) | MASK(DIFF))
#define SAMPLING      (RUNNING | MASK(ERRORS) | MASK(TRACE))
#define LOOKING	      (SAMPLING | MASK(DUMP))
#define CLASS_TIMES   .group = WHAT, .verbs = SAMPLING
#define CLASS_ERRORS  .group = WHAT, .verbs = RUNNING | MASK(ERRORS)
#define CLASS_RUNNING .group = WHAT, .verbs = RUNNING
#define CLASS_TRACE   .group = WHAT, .verbs = MASK(TRACE)
#define CLASS_CHOICE  .group = WHAT, .verbs = RUNNING | MASK(TRACE)
#define CLASS_COST    .group = WHAT, .verbs = RUNNING | MASK(ERRORS)
#define CLASS_PID     .group = WHOM, .verbs = LOOKING | MASK(MAPS)
#define CLASS_WHOM    .group = WHOM, .verbs = LOOKING
#define CLASS_THREADS .group = WHOM, .verbs = LOOKING & ~MASK(TRACE)
#define CLASS_WHAT    .group = WHAT, .verbs = RUNNING
#define CLASS_DUMP    .group = WHAT, .verbs = MASK(DUMP)
#define CLASS_MEMORY  .group = WHAT, .verbs = LOOKING
#define CLASS_HOST    .group = WHAT, .verbs = LOOKING | MASK(CHECK)
#define CLASS_STREAM  .group = STREAM, .verbs = MASK(RECORD)
#define CLASS_CONTROL .group = STREAM, .verbs = MASK(RECORD) | MASK(TRACE)
#define CLASS_CHOOSE  .group = CHOOSE, .verbs = READING
#define CLASS_SHOW     \
	.group = SHOW, \
	.verbs = MASK(RUN) | MASK(DUMP) | MASK(ERRORS) | MASK(TRACE) | READING
#define CLASS_LINES  .group = SHOW, .verbs = LOOKING | READING
#define CLASS_LAYOUT .group = LAYOUT, .verbs = MASK(REPORT) | MASK(DIFF)
#define CLASS_REPORT .group = LAYOUT, .verbs = MASK(REPORT)
#define CLASS_DIFF   .group = LAYOUT, .verbs = MASK(DIFF)
#define CLASS_WRITE  .group = WRITE, .verbs = LOOKING | READING
#define CLASS_RUNS   .group = WRITE, .verbs = SAMPLING
#define CLASS_INFO   .group = WRITE, .verbs = MASK(INFO) | MASK(DUMP) | MASK(MAPS)
#define CLASS_ALL    .group = WRITE, .verbs = ~0u
#define CLASS_LAST   .group = LAST, .verbs = ~0u
/* What walkers' options do (jpbpf/walkers.h). */
#define CLASS_WALKER_SAYS_WHERE CLASS_LINES
#define CLASS_WALKER_LEAVES_OUT CLASS_SHOW
#define CLASS_WALKER_WRITES	CLASS_SHOW

#define AT(member)   .at = offsetof(struct options, member)
#define FLAG(member) .is_flag = true, AT(member)
#define TEXT(member) .parse = parse_text, AT(member)
#define TIME(member) .parse = parse_time, AT(member)
#define LIMIT(lowest, highest, normal, member) \
	.least = lowest, .most = highest, .usual = normal, AT(member)
#define IDS(letter, member)                               \
	.is = "a list of ids; give numbers above 0, "     \
	      "separated by commas: -" letter " 812,813", \
	.count = offsetof(struct options, member##s), AT(member)
#define NAMES(first, list, member) .names = list, .least = first, AT(member)
#define REGEX(member)                                  \
	.is = "a regular expression; write it as for " \
	      "grep -E: --comm '^(R|tclsh.*)$'",       \
	.parse = parse_regex, AT(member)

static const struct argument {
	struct argp_option option;
	/* Where it goes to in struct options: a flag, a limit, or what parse() makes of
	 * it.  parse() without a place gets all.  Walkers' options are bits. */
	size_t at;
	int (*parse)(void *to, const char *value); /* 0 or -EINVAL */
	/* What an argument is and can be, said when it is not; NULL: parse says that
	 * itself. */
	const char *is;
	unsigned least, most, usual; /* of a limit; else 0 */
	size_t count;		     /* of a list of ids: where its length is */
	const char *const *names; /* up to NULL; the first stands for least */
	bool is_flag;
	unsigned bit;
	enum group group;
	u32 verbs; /* bit per enum verb */
} table[] = {
#define OPTION(class, name, letter, word, help, ...)    \
	{ .option = { name, letter, word, 0, help, 0 }, \
	  CLASS_##class,                                \
	  __VA_ARGS__ },
#include "user/cli/options.def"
};

#define OPTIONS (sizeof(table) / sizeof(*table))

/* A letter, or a number that argp does not show. */
static int key_of(const struct argument *a)
{
	return a->option.key ?: FIRST_KEY + (a - table);
}

const struct argp_option *argument_options(enum verb verb)
{
	static struct argp_option options[OPTIONS + 1];
	struct argp_option *o = options;

	memset(options, 0, sizeof(options));
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!(table[i].verbs >> verb & 1))
			continue;
		*o = table[i].option;
		o->group = table[i].group;
		o++->key = table[i].option.name ? key_of(&table[i]) : 0;
	}
	return options;
}

static void *member(struct options *o, size_t at)
{
	return (char *)o + at;
}

void argument_set_defaults(struct options *o)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		unsigned *limit = member(o, table[i].at);

		if (table[i].usual && !*limit)
			*limit = table[i].usual;
	}
}

static int refuse(const struct argument *a, const char *value)
{
	_cleanup_free_ char *name = a->option.key
					    ? xasprintf("-%c", a->option.key)
					    : xasprintf("--%s", a->option.name);

	log_err("%s '%s' is not %s", name, value, a->is);
	return -EINVAL;
}

static int parse_name(const struct argument *a, const char *value, unsigned *to)
{
	for (unsigned i = 0; a->names[i]; i++)
		if (!strcmp(a->names[i], value)) {
			*to = a->least + i;
			return 0;
		}
	return -EINVAL;
}

static int store(struct options *o, const struct argument *a, const char *value)
{
	void *to = member(o, a->at);
	long n;
	int err = 0;

	if (a->parse)
		return a->parse(to, value);
	if (a->names)
		return parse_name(a, value, to);
	if (a->count)
		return number_parse_list(value, 1, PID_MAX, false, to,
					 member(o, a->count));
	if (a->bit) {
		o->run.view.walker_options |= a->bit;
	} else if (a->is_flag) {
		*(bool *)to = true;
	} else {
		err = number_parse(value, a->least, a->most, &n);
		if (!err)
			*(unsigned *)to = n;
	}
	return err;
}

int argument_parse(struct options *o, int key, const char *value)
{
	for (const struct argument *a = table; a < table + OPTIONS; a++) {
		int err;

		if (!(a->verbs >> o->verb & 1) || !a->option.name ||
		    key_of(a) != key)
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
