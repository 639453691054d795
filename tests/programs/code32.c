/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* A program that needs no library, to be built with -m32 -nostdlib -static. */
#ifdef __i386__
void _start(void);
void _start(void)
{
	for (;;)
		__asm__ volatile("");
}
#else
int main(void)
{
	return 0;
}
#endif
