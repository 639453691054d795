/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * A program whose functions are named as it is built: -DWHO=inside.
 *
 *   worker SECONDS [TABLE]
 *
 * Burns in truth_leaf_01, called by WHO_inner and WHO_outer; all of them are
 * static, so that their names are in .symtab only.  WHO_room bytes of code
 * stand in front, so two builds have other functions at the same addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef WHO
#define WHO  worker
#define ROOM 64
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)	    TEXT_(a)
#define LOCAL	    static __attribute__((noipa))

LOCAL unsigned long truth_leaf_01(unsigned long turns);
LOCAL unsigned long JOIN(WHO, _inner)(unsigned long turns);
LOCAL unsigned long JOIN(WHO, _outer)(unsigned long turns);

LOCAL void JOIN(WHO, _room)(void)
{
	__asm__ volatile(".skip " TEXT(ROOM) ", 0x90");
}

LOCAL unsigned long truth_leaf_01(unsigned long turns)
{
	unsigned long x = 1;

	while (turns--) {
		x = x * 6364136223846793005ul + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

LOCAL unsigned long JOIN(WHO, _inner)(unsigned long turns)
{
	return truth_leaf_01(turns) + 1;
}

LOCAL unsigned long JOIN(WHO, _outer)(unsigned long turns)
{
	return JOIN(WHO, _inner)(turns) + 1;
}

int main(int argc, char *argv[])
{
	time_t end = time(NULL) + (argc > 1 ? strtol(argv[1], NULL, 10) : 1);
	FILE *table = argc > 2 ? fopen(argv[2], "w") : NULL;

	JOIN(WHO, _room)();
	if (table) {
		fputs("truth_leaf_01\t**;main;" TEXT(WHO) "_outer;" TEXT(
			      WHO) "_inner;truth_leaf_01\t" TEXT(WHO) "\n",
		      table);
		fclose(table);
	}
	while (time(NULL) < end)
		JOIN(WHO, _outer)(100000);
	return 0;
}
