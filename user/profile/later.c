/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* All addresses of a module are asked for at once.  A file is taken by its build-id,
 * whatever it is called. */
#include "user/profile/later.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "user/elf/module.h"
#include "user/lib/guard.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/recording/replay.h"
#include "user/symbolize/native.h"
#include "user/target/regular.h"

#define FILES_MAX 4096 /* of a folder that are looked at */

struct unnamed {
	u32 frame, module;
	u64 address;
};

struct later {
	struct replay *replay;
	struct unnamed *at; /* sorted by module and address */
	size_t n, capacity;
	size_t first; /* of the module that is asked for */
	size_t named;
};

static int by_place(const void *a, const void *b)
{
	const struct unnamed *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static void find_unnamed(struct later *l)
{
	const struct replay *r = l->replay;

	for (u32 i = 0; i < r->frame.n; i++) {
		const struct frame *f = &r->frame.at[i];
		u32 function = r->address.at[i].function;

		if (f->type != FRAME_IS_C || !f->module ||
		    (function && r->function.at[function - 1].name))
			continue;
		l->at = xgrow(l->at, l->n, &l->capacity, sizeof(*l->at));
		l->at[l->n++] =
			(struct unnamed){ i + 1, f->module, f->address };
	}
	if (l->n)
		qsort(l->at, l->n, sizeof(*l->at), by_place);
}

/* Whether path is a file with code of that build-id, which m then is. */
static bool open_file(struct module *m, const char *path, const char *id)
{
	int fd = regular_open(path, NULL);
	char hex[2 * MODULE_BUILD_ID_MAX + 1] = "";

	if (fd < 0 || module_open(m, fd, path))
		return false;
	for (size_t i = 0; i < m->build_id_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", m->build_id[i]);
	if (!strcmp(hex, id))
		return true;
	module_close(m);
	return false;
}

static bool find_file(struct module *m, const char *folder, const char *id)
{
	static const char *const below[] = { "/.build-id", "" };
	DIR *dir = opendir(folder);
	bool found = false;
	struct dirent *e;

	for (size_t i = 0; i < 2 && strlen(id) > 2 && !found; i++) {
		_cleanup_free_ char *path = xasprintf(
			"%s%s/%.2s/%s.debug", folder, below[i], id, id + 2);

		found = open_file(m, path, id);
	}
	for (int i = 0;
	     dir && !found && *id && i < FILES_MAX && (e = readdir(dir)); i++) {
		_cleanup_free_ char *path =
			xasprintf("%s/%s", folder, e->d_name);

		found = open_file(m, path, id);
	}
	if (dir)
		closedir(dir);
	return found;
}

static u32 add_text(struct replay *r, const char *text)
{
	r->text.at = xgrow(r->text.at, r->text.n, &r->text.capacity,
			   sizeof(*r->text.at));
	r->text.at[r->text.n++] = r->texts.len;
	buf_adds(&r->texts, text);
	buf_addc(&r->texts, '\0');
	return r->text.n;
}

/* A function of its own for the address: what was known of it stays. */
static void take_name(void *ctx, const struct native_answer *answer)
{
	struct later *l = ctx;
	struct replay *r = l->replay;
	const struct unnamed *u = &l->at[l->first + answer->index];
	struct recording_address *a = &r->address.at[u->frame - 1];
	struct recording_function f = { .module = u->module };

	if (answer->what != NATIVE_NAME || !*answer->name)
		return;
	if (a->function)
		f = r->function.at[a->function - 1];
	f.name = add_text(r, answer->name);
	f.start = answer->start;
	r->function.at = xgrow(r->function.at, r->function.n,
			       &r->function.capacity, sizeof(f));
	r->function.at[r->function.n++] = f;
	a->frame = u->frame;
	a->function = r->function.n;
	l->named++;
}

static void name_module(struct later *l, size_t end, const char *folder)
{
	const struct replay *r = l->replay;
	const struct recording_module *of =
		&r->module.at[l->at[l->first].module - 1];
	size_t n = end - l->first;
	_cleanup_free_ u64 *vaddr = xcalloc(n, sizeof(*vaddr));
	struct module m;
	struct native_file file = { &m, vaddr, n };

	if (!find_file(&m, folder, replay_text(r, of->build_id)))
		return;
	for (size_t i = 0; i < n; i++)
		vaddr[i] = l->at[l->first + i].address;
	native_ask(&file, 1, 0, take_name, l);
	module_close(&m);
}

void later_name(struct replay *r, const char *folder)
{
	struct later l = { .replay = r };
	size_t end;

	if (!folder)
		return;
	find_unnamed(&l);
	for (; l.first < l.n; l.first = end) {
		end = l.first + 1;
		while (end < l.n && l.at[end].module == l.at[l.first].module)
			end++;
		name_module(&l, end, folder);
	}
	log_info("%zu of %zu addresses without a name got one from %s", l.named,
		 l.n, folder);
	free(l.at);
}
