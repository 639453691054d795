/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Text ids: both sides make the same id from the same bytes.
 *
 * The kernel side hashes what it has read.  User space hashes texts that it knows
 * beforehand, such as a table of names, to find them among the kernel side's.
 */
#ifndef JPBPF_TEXT_H
#define JPBPF_TEXT_H

#include <jpbpf/sample.h>
#include <jpbpf/types.h>

#define TEXT_WORDS (TEXT_MAX / 8)

/* Values of a map of texts that the kernel side looks for. */
enum text_from {
	TEXT_KNOWN = 1, /* of the language */
	TEXT_ASKED,	/* named by the user */
};

#define TEXT_INLINE static inline __attribute__((always_inline))

TEXT_INLINE u64 text_mix(u64 h, u64 word)
{
	h ^= word * 0x9e3779b97f4a7c15ull;
	h = (h << 27 | h >> 37) * 0xbf58476d1ce4e5b9ull;
	return h;
}

/* Id of the first len bytes in words, never 0.  Bytes behind them in the last word do
 * not count.  len is below TEXT_MAX. */
TEXT_INLINE u64 text_id(const u64 *words, u32 len)
{
	u64 h = 0x243f6a8885a308d3ull ^ len;
	u32 whole = (len / 8) & (TEXT_WORDS - 1);

	/* No other branch in this loop, because the verifier follows all of them. */
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
