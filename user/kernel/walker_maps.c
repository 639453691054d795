/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Fills the walkers' maps.  A missing key of a language makes names say less, but not
 * wrong. */

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <jpbpf/text.h>

#include "user/lib/log.h"
#include "user/kernel/engine.h"
#include "walkers/walker.h"

#define MAX_KEYS 256

static u64 id_of(const char *text)
{
	u64 words[TEXT_WORDS] = { 0 };

	memcpy(words, text, strnlen(text, TEXT_MAX - 1));
	return text_id(words, strnlen(text, TEXT_MAX - 1));
}

void walker_keys_store(const struct engine *e, const char *const *asked)
{
	u64 key[MAX_KEYS];
	u32 value[MAX_KEYS];

	for (size_t i = 0; i < WALKER_COUNT; i++) {
		const struct walker *w = walkers[i];
		u32 n = w->language.map ? w->language.keys(key, MAX_KEYS) : 0;

		for (u32 k = 0; k < MAX_KEYS; k++)
			value[k] = k < n ? TEXT_KNOWN : TEXT_ASKED;
		for (size_t k = 0; n && n < MAX_KEYS && asked[k]; k++)
			key[n++] = id_of(asked[k]);
		if (n && bpf_map_update_batch(engine_map(e, w->language.map),
					      key, value, &n, NULL))
			log_warn("cannot store what is known of %s: %m",
				 w->title);
	}
}

int walker_entry_put(struct engine *e, const struct walker *w, pid_t pid,
		     const void *value)
{
	u32 key = pid;

	if (!w->process.map)
		return 0;
	if (bpf_map_update_elem(engine_map(e, w->process.map), &key, value,
				BPF_ANY))
		return -errno;
	return 0;
}

void walker_entry_drop(struct engine *e, const struct walker *w, pid_t pid)
{
	u32 key = pid;

	if (w->process.map)
		bpf_map_delete_elem(engine_map(e, w->process.map), &key);
}
