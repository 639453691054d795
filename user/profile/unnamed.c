/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A file is remembered by what identifies it, since it may be closed before the end. */
#include "user/profile/unnamed.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/elf/module.h"

#define MAX_FILES 4096 /* remembered; those of further ones are only counted */
#define MAX_SHOWN 3
#define PERCENT \
	100 /* a file with less than a hundredth of the frames is not shown */

struct unnamed_file {
	struct module_key key;
	char *name;
	char build_id[2 * MODULE_BUILD_ID_MAX + 1];
	u64 frames;
	UT_hash_handle hh;
};

static struct unnamed_file *find(struct unnamed *u, const struct module *m)
{
	struct unnamed_file *f;

	HASH_FIND(hh, u->files, &m->key, sizeof(m->key), f);
	if (f || HASH_COUNT(u->files) >= MAX_FILES)
		return f;
	f = xcalloc(1, sizeof(*f));
	f->key = m->key;
	f->name = xstrdup(m->name ? m->name : "?");
	for (size_t i = 0; i < m->build_id_len; i++)
		snprintf(f->build_id + 2 * i, 3, "%02x", m->build_id[i]);
	HASH_ADD(hh, u->files, key, sizeof(f->key), f);
	return f;
}

void unnamed_count(struct unnamed *u, const struct module *m, bool nameless,
		   u64 samples)
{
	struct unnamed_file *f;

	u->frames += samples;
	/* No package has the names of code that a process made. */
	if (!nameless || m->code)
		return;
	u->nameless += samples;
	f = find(u, m);
	if (f)
		f->frames += samples;
}

static int by_frames(const struct unnamed_file *a, const struct unnamed_file *b)
{
	return (a->frames < b->frames) - (a->frames > b->frames);
}

void unnamed_print(struct unnamed *u)
{
	const struct unnamed_file *f;
	size_t shown = 0;

	if (!u->nameless)
		return;
	log_info("native frames without a name: %.1f %%",
		 100.0 * u->nameless / u->frames);
	HASH_SORT(u->files, by_frames);
	for (f = u->files;
	     f && f->frames * PERCENT >= u->frames && shown < MAX_SHOWN;
	     f = f->hh.next, shown++)
		log_info("  %8.1f %%  %s, build-id %s",
			 100.0 * f->frames / u->frames, f->name,
			 f->build_id[0] ? f->build_id : "none");
	if (shown)
		log_info("  for names, install the -dbgsym packages of these "
			 "or set DEBUGINFOD_URLS");
}

void unnamed_release(struct unnamed *u)
{
	struct unnamed_file *f, *next;

	HASH_ITER (hh, u->files, f, next) {
		HASH_DEL(u->files, f);
		free(f->name);
		free(f);
	}
}
