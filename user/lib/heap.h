/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The memory of this program: counted, limited, and with a reserve.
 *
 * malloc(), calloc(), realloc() and free() of the whole program and its libraries are
 * those of heap.c.  They count what is in use.  Where the C library has no memory, they
 * let it have a reserve of HEAP_RESERVE bytes.  So no allocation fails before the
 * reserve is used up; heap_fits() says no meanwhile, and whoever asks it loses or drops
 * something and counts that.  A run ends when heap_is_ending().
 */
#ifndef JPBPF_USER_LIB_HEAP_H
#define JPBPF_USER_LIB_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP_RESERVE ((size_t)32 << 20)

/* What memory is for.  The earlier in this list, the sooner there is none left. */
enum heap_use {
	HEAP_SAMPLES, /* that wait, for what the next two bring; they are lost */
	HEAP_TABLES,  /* of unwind rules; others are dropped for new ones */
	HEAP_FILES,   /* with code; unused ones are closed */
	HEAP_PROCESSES, /* they are not followed, and counted */
	HEAP_READING,	/* what is needed for a moment */
	HEAP_STACKS,	/* with their names; those without room are counted */
	HEAP_USES
};

/* Whether the reserve is there, or again.  The program does not begin without. */
bool heap_has_reserve(void);
/* Set the limit (--max-memory), and forget the most that was in use.  0: no limit. */
void heap_limit(size_t bytes);
/* Count memory that is not malloc()'s: BPF maps.  What is given back is negative. */
void heap_charge(long bytes);
/* Whether so many bytes more are within the limit, and the reserve is there. */
bool heap_fits(enum heap_use use, size_t bytes);
/* The same for item number n of an array that xgrow() makes grow. */
bool heap_grows(enum heap_use use, size_t n, size_t capacity, size_t item);
/* Whether the system has so many bytes now, whatever the limit. */
bool heap_has(size_t bytes);
/* Whether so much of the reserve is used that only the end of the run can follow. */
bool heap_is_ending(void);
size_t heap_used(void); /* bytes in use */
size_t heap_most(void); /* at the worst moment since heap_limit() */

#endif
