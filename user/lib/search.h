/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Binary search in arrays that are sorted by a member of type u64. */
#ifndef JPBPF_USER_LIB_SEARCH_H
#define JPBPF_USER_LIB_SEARCH_H

#include <stddef.h>

#include <jpbpf/types.h>

/* Number of items whose member is not above value, which is also the index of the
 * first item whose member is.  item: bytes of an item; member: offset of the member in
 * it. */
static inline size_t search(const void *array, size_t n, size_t item,
			    size_t member, u64 value)
{
	const char *first = array;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const u64 *)(first + middle * item + member) <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same search, by the member's name.  The comparison is never evaluated: it makes
 * the compiler refuse a member of another type. */
#define SEARCH(array, n, member, value)                          \
	search(array, n, sizeof(*(array)),                       \
	       offsetof(__typeof__(*(array)), member) +          \
		       0 * sizeof(&(array)->member == (u64 *)0), \
	       value)

#endif
