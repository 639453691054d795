/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Text ids: how both sides make one from the same bytes.
 *
 * The kernel side hashes what it has read; user space does it to ask for texts
 * that it knows beforehand, as in a table of names.
 */
#ifndef JPBPF_TEXT_H
#define JPBPF_TEXT_H

#include <jpbpf/sample.h>
#include <jpbpf/types.h>

#define TEXT_WORDS (TEXT_MAX / 8)

#define TEXT_INLINE static inline __attribute__((always_inline))

TEXT_INLINE u64 text_mix(u64 h, u64 word)
{
	h ^= word * 0x9e3779b97f4a7c15ull;
	h = (h << 27 | h >> 37) * 0xbf58476d1ce4e5b9ull;
	return h;
}

/* Id of the len bytes in words, never 0.  What follows them in the last word is
 * not looked at; len is below TEXT_MAX. */
TEXT_INLINE u64 text_id(const u64 *words, u32 len)
{
	u64 h = 0x243f6a8885a308d3ull ^ len;
	u32 whole = (len / 8) & (TEXT_WORDS - 1);

	/* No other branch in here: the kernel's verifier follows them all. */
	for (u32 i = 0; i < TEXT_WORDS - 1; i++) {
		if (i >= whole)
			break;
		h = text_mix(h, words[i]);
	}
	if (len & 7)
		h = text_mix(h, words[whole] & ((1ull << ((len & 7) * 8)) - 1));
	h ^= h >> 32;
	h *= 0x94d049bb133111ebull;
	h ^= h >> 29;
	return h ? h : 1;
}

#endif
