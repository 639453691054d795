/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The leaves alone, for programs that are built with debug information: a leaf has
 * no line.  Not a program; main is for the Makefile, which makes one of each file. */
#include "truth_leaf.h"

__attribute__((weak)) int main(void)
{
	return !truth_leaf[0] || !truth_measure();
}
