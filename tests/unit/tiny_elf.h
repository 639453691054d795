/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The smallest file that is an ELF file for x86-64, with a segment of code. */
#ifndef JPBPF_TESTS_UNIT_TINY_ELF_H
#define JPBPF_TESTS_UNIT_TINY_ELF_H

#include <stdio.h>
#include <unistd.h>

static inline void tiny_elf_write(const char *path)
{
	unsigned char image[120] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
	FILE *f = fopen(path, "we");

	image[16] = 3;	     /* e_type: ET_DYN */
	image[18] = 62;	     /* e_machine: x86-64 */
	image[20] = 1;	     /* e_version */
	image[32] = 64;	     /* e_phoff */
	image[52] = 64;	     /* e_ehsize */
	image[54] = 56;	     /* e_phentsize */
	image[56] = 1;	     /* e_phnum */
	image[64] = 1;	     /* p_type: PT_LOAD */
	image[68] = 5;	     /* p_flags: read, execute */
	image[64 + 33] = 16; /* p_filesz: 4096 */
	image[64 + 41] = 16; /* p_memsz */
	assert_non_null(f);
	assert_int_equal(fwrite(image, 1, sizeof(image), f), sizeof(image));
	assert_int_equal(fclose(f), 0);
	assert_int_equal(truncate(path, 4096), 0);
}

#endif
