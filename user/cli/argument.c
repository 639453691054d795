/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Parses the arguments of options. One function parses each kind of argument; one
 * table maps options to kinds. Every error message quotes the argument and shows a
 * valid form.
 */
#include "user/cli/argument.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <pwd.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>

#include <jpbpf/walkers.h>

#include "user/cli/number.h"
#include "user/kernel/sources.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/output/format.h"

#define PID_MAX	    (1 << 22) /* the kernel's PID_MAX_LIMIT */
#define SECONDS_MAX 1e8	      /* three years; fits every timer */
#define TABLES_MAX  1024      /* ARENA_MAX_SEGMENTS of 1 MiB */
#define PROFILE_MAX 65536     /* MiB */
#define COUNT_MAX   262143    /* FRAME_MAX_FILES, without the one for none */

static int parse_ids(const char *option, const char *value, pid_t **id,
		     size_t *n)
{
	struct numbers list = { *id, *n };

	if (number_parse_list(value, 1, PID_MAX, &list)) {
		log_err("%s '%s' is not a list of ids; give numbers above 0, "
			"separated by commas: %s 812,813",
			option, value, option);
		return -EINVAL;
	}
	*id = list.number;
	*n = list.n;
	return 0;
}

static int parse_pid(struct options *o, const char *value)
{
	return parse_ids("-p", value, &o->run.pid, &o->run.pids);
}

static int parse_tid(struct options *o, const char *value)
{
	return parse_ids("-t", value, &o->run.tid, &o->run.tids);
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
	log_err("--comm '%s' is not a regular expression; write it as for "
		"grep -E: --comm '^(R|tclsh.*)$'",
		value);
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
	log_err("-G '%s' is no cgroup (v2) of this host; give its folder, "
		"whole or below /sys/fs/cgroup: -G system.slice",
		value);
	return -EINVAL;
}

static int parse_cpu(struct options *o, const char *value)
{
	struct numbers list = { o->run.cpu, o->run.cpus };
	int last = get_nprocs_conf() - 1;
	int err = number_parse_ranges(value, 0, last, &list);

	if (err == -ERANGE)
		log_err("-C '%s' is out of range; the CPUs of this host are "
			"0-%d",
			value, last);
	else if (err)
		log_err("-C '%s' is not a list of CPUs; write it like -C 0,2-3",
			value);
	if (err)
		return -EINVAL;
	o->run.cpu = list.number;
	o->run.cpus = list.n;
	return 0;
}

static int parse_frequency(struct options *o, const char *value)
{
	long hz;

	if (number_parse(value, 1, INT_MAX, &hz)) {
		log_err("-F '%s' is not a frequency; give samples per second "
			"as a whole number above 0: -F %d",
			value, ARGUMENT_FREQUENCY_DEFAULT);
		return -EINVAL;
	}
	o->run.frequency = hz;
	return 0;
}

static int parse_duration(struct options *o, const char *value)
{
	if (!number_parse_seconds(value, SECONDS_MAX, &o->run.duration))
		return 0;
	log_err("-d '%s' is not a duration; give seconds above 0 and below "
		"%.0f: -d 10 or -d 0.5",
		value, SECONDS_MAX);
	return -EINVAL;
}

static int parse_event(struct options *o, const char *value)
{
	struct buf names = { 0 };

	o->run.source = source_find(value);
	if (o->run.source)
		return 0;
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		buf_addf(&names, " %s", sources[i].name);
	log_err("-e '%s' is not an event; there are:%s", value,
		buf_text(&names));
	buf_release(&names);
	return -EINVAL;
}

static int parse_output(struct options *o, const char *value)
{
	if (!*value) {
		log_err("-o '' is not a file name; leave -o out for standard "
			"output");
		return -EINVAL;
	}
	o->run.output = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int parse_format(struct options *o, const char *value)
{
	struct buf names = { 0 };

	if (format_find(value)) {
		o->run.format = value;
		return 0;
	}
	for (const struct format *f = formats; f->name; f++)
		buf_addf(&names, " %s", f->name);
	log_err("-f '%s' is not a format; there are:%s", value,
		buf_text(&names));
	buf_release(&names);
	return -EINVAL;
}

/* An option either has a parser or sets one flag. */
static const struct argument {
	int key;
	int (*parse)(struct options *o, const char *value);
	size_t flag; /* offset of a bool in struct options */
} arguments[] = {
	{ 'p', parse_pid, 0 },
	{ 't', parse_tid, 0 },
	{ ARGUMENT_COMM, parse_comm, 0 },
	{ ARGUMENT_UID, parse_uid, 0 },
	{ 'G', parse_cgroup, 0 },
	{ 'C', parse_cpu, 0 },
	{ 'F', parse_frequency, 0 },
	{ 'd', parse_duration, 0 },
	{ 'e', parse_event, 0 },
	{ 'o', parse_output, 0 },
	{ 'f', parse_format, 0 },
	{ 'a', NULL, offsetof(struct options, run.all) },
	{ 'U', NULL, offsetof(struct options, run.user_only) },
	{ 'K', NULL, offsetof(struct options, run.kernel_only) },
	{ 'q', NULL, offsetof(struct options, quiet) },
	{ 'v', NULL, offsetof(struct options, verbose) },
};

static const struct limit {
	int key;
	const char *option, *is; /* what the option limits */
	int most, usual;
	size_t at; /* offset of an unsigned in struct options */
} limits[] = {
#define LIMIT(name, NAME, is, most)                              \
	{                                                        \
		ARGUMENT_MAX_##NAME, "--max-" #name, is, most,   \
			ARGUMENT_##NAME##_DEFAULT,               \
			offsetof(struct options, run.max_##name) \
	}
	LIMIT(tables, TABLES, "an amount of memory; give megabytes",
	      TABLES_MAX),
	LIMIT(profile, PROFILE, "an amount of memory; give megabytes",
	      PROFILE_MAX),
	LIMIT(processes, PROCESSES, "a limit; give a whole number", COUNT_MAX),
	LIMIT(files, FILES, "a limit; give a whole number", COUNT_MAX),
#undef LIMIT
};

static int parse_limit(struct options *o, const struct limit *l,
		       const char *value)
{
	long n;

	if (number_parse(value, 1, l->most, &n)) {
		log_err("%s '%s' is not %s from 1 to %d: %s %d", l->option,
			value, l->is, l->most, l->option, l->usual);
		return -EINVAL;
	}
	*(unsigned *)((char *)o + l->at) = n;
	return 0;
}

int argument_parse(struct options *o, int key, const char *value)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (limits[i].key == key)
			return parse_limit(o, &limits[i], value);
	for (size_t i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
		const struct argument *a = &arguments[i];

		if (a->key != key)
			continue;
		if (a->parse)
			return a->parse(o, value);
		*(bool *)((char *)o + a->flag) = true;
		return 0;
	}
	if (key >= ARGUMENT_WALKER &&
	    key < ARGUMENT_WALKER + WALKER_OPTION_COUNT) {
		o->run.walker_options |= 1u << (key - ARGUMENT_WALKER);
		return 0;
	}
	/* Keys outside struct options are argp's own. */
	if (key <= ARGUMENT_FLAG(verb) ||
	    key >= ARGUMENT_FLAG(verb) + (int)sizeof(*o))
		return -ENOENT;
	*((bool *)o + key - ARGUMENT_FLAG(verb)) = true;
	return 0;
}

int argument_check_frequency(const struct options *o, const char *rate_file)
{
	_cleanup_fclose_ FILE *f = fopen(rate_file, "re");
	unsigned limit;

	if (!f || fscanf(f, "%u", &limit) != 1 || o->run.frequency <= limit)
		return 0;
	log_err("-F %u is above this kernel's limit of %u Hz; give less, or "
		"raise it: sysctl kernel.perf_event_max_sample_rate=%u",
		o->run.frequency, limit, o->run.frequency);
	return -EINVAL;
}
