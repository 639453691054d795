/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Texts: from bytes in the process to an id.
 *
 * The id is a 64-bit hash of the bytes, so a name has the same id in every process and
 * at every time, and ids need no bookkeeping.  A small direct-mapped table per walk
 * slot remembers which ids were sent; an id that it has forgotten is sent again.
 */
#include "bpf/walk.bpf.h"

#include <jpbpf/text.h>

static __always_inline void send(struct walk *w, u64 id, u32 len)
{
	u64 *seen = &w->text_sent[id & (TEXT_CACHE_SLOTS - 1)];
	u32 size = sizeof(w->text) - TEXT_MAX + (len & (TEXT_MAX - 1)) + 1;

	if (*seen == id)
		return;
	w->text.type = RECORD_TEXT;
	w->text.len = len;
	w->text.id = id;
	if (bpf_ringbuf_output(&samples, &w->text, size, BPF_RB_NO_WAKEUP))
		w->text_unsent = 1;
	else
		*seen = id;
}

__noinline u64 text_intern(struct walk *w)
{
	u32 len;
	u64 id;

	if (!w)
		return 0;
	len = w->text_bytes & (TEXT_MAX - 1);
	w->text.text[len] = 0;
	id = text_id((const u64 *)w->text.text, len);
	send(w, id, len);
	return id;
}

/* Number of bytes before the first NUL of a little-endian word; 8: no NUL. */
static __always_inline u32 word_len(u64 word)
{
	u64 nul =
		(word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;

	if (!nul)
		return 8;
	/* The lowest mark is the top bit of the NUL's byte n.  Shifted down it is
	 * 1 << 8 * n.  The product's top byte is byte n of the factor, counted from the
	 * top, and that byte has the value n. */
	return ((nul & -nul) >> 7) * 0x0001020304050607ull >> 56;
}

/* Sets w->text_bytes to where the text ends, or to all that was looked at. */
static long find_end(u32 i, struct walk **at)
{
	struct walk *w = *at;
	u32 n = word_len(((const u64 *)w->text.text)[i & (TEXT_WORDS - 1)]);

	w->text_bytes = i * 8 + n;
	return n < 8;
}

u64 text_words(struct walk *w, u32 words)
{
	if (!w)
		return 0;
	bpf_loop(words, find_end, &w, 0);
	if (w->text_bytes >= words * 8)
		return 0;
	return text_intern(w);
}

/* Whether a text that fills the buffer goes on: the helper does not tell. */
static __always_inline bool is_longer(struct walk *w, u64 address)
{
	char *last = &w->text.text[TEXT_MAX - 1];

	return walk_read(w, last, 1, address + TEXT_MAX - 1) || *last;
}

u64 text_at(struct walk *w, u64 address)
{
	long n;

	if (!w)
		return 0;
	n = direct_copy_text(&w->direct, w->text.text, TEXT_MAX, address);
	if (n <= 0)
		return 0;
	if (n > TEXT_MAX)
		n = TEXT_MAX;
	if (n == TEXT_MAX && is_longer(w, address))
		__builtin_memcpy(&w->text.text[TEXT_MAX - 4], "...", 3);
	w->text_bytes = n - 1;
	return text_intern(w);
}
