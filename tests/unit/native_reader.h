/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* The reader of all files of one test program. */
#ifndef JPBPF_TESTS_UNIT_NATIVE_READER_H
#define JPBPF_TESTS_UNIT_NATIVE_READER_H

#include "user/symbolize/native.h"

static struct native_reader *reader;

__attribute__((constructor)) static void reader_begin(void)
{
	reader = native_reader_new();
}

__attribute__((destructor)) static void reader_end(void)
{
	native_reader_free(reader);
}

#endif
