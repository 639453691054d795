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
#include <linux/magic.h>
#include <pwd.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>

#include <jpbpf/walkers.h>

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

static int parse_comm(struct options *o, const char *value)
{
	if (o->run.only.comm)
		regfree(o->run.only.comm);
	o->run.only.comm =
		xreallocarray(o->run.only.comm, 1, sizeof(*o->run.only.comm));
	if (!regcomp(o->run.only.comm, value, REG_EXTENDED | REG_NOSUB))
		return 0;
	free(steal_ptr(o->run.only.comm));
	return -EINVAL;
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

/* The part of a path below the mount point of cgroup v2; NULL: the path is not in
 * cgroup v2. */
static const char *below_cgroups(const char *path)
{
	for (const char *at = path; *at;) {
		_cleanup_free_ char *mount = NULL;
		struct statfs fs;

		at = strchrnul(at + 1, '/');
		mount = xstrndup(path, at - path);
		if (!statfs(mount, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
			return at;
	}
	return NULL;
}

static int parse_cgroup(struct options *o, const char *value)
{
	for (int i = 0; *value && i < 2; i++) {
		/* The "/." at the end makes realpath() fail for anything but a
		 * folder. */
		_cleanup_free_ char *path =
			xasprintf("%s%s/.", i ? "/sys/fs/cgroup/" : "", value);
		_cleanup_free_ char *real = realpath(path, NULL);
		const char *below = real ? below_cgroups(real) : NULL;

		free(o->run.only.cgroup);
		o->run.only.cgroup = below ? xstrdup(below) : NULL;
		if (below)
			return 0;
	}
	return -EINVAL;
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

	o->run.engine.source = source_find(value);
	if (o->run.engine.source)
		return 0;
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		buf_addf(&names, " %s", sources[i].name);
	log_err("-e '%s' is not an event; there are:%s", value,
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

enum group { WHOM = 1, WHAT, WRITE, LAST = -1 };

#define FLAG(member) .at = offsetof(struct options, member)
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
	unsigned bit;
} table[] = {
#define OPTION(group, name, letter, word, help, ...) \
	{ .option = { name, letter, word, 0, help, group }, __VA_ARGS__ },
#include "user/cli/options.def"
};

#define OPTIONS (sizeof(table) / sizeof(*table))

static struct argp_option options[OPTIONS + 1]; /* of the table, with keys */

const struct argp_option *argument_options(void)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		options[i] = table[i].option;
		if (options[i].name && !options[i].key)
			options[i].key = FIRST_KEY + i;
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

int argument_parse(struct options *o, int key, const char *value)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct argument *a = &table[i];
		int err = 0;

		if (!options[i].name || options[i].key != key)
			continue;
		if (a->parse)
			err = a->parse(o, value);
		else if (a->usual)
			err = parse_limit(o, a, value);
		else if (a->bit)
			o->run.view.walker_options |= a->bit;
		else
			*(bool *)member(o, a) = true;
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
