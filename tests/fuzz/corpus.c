/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The driver of the fuzz targets in `make check`: runs the inputs of a target's
 * corpus, each once and with a bound on its time.  Needs no libFuzzer.
 *
 * Without arguments the corpus of fuzz_NOUN is tests/fuzz/corpus/NOUN and
 * JPBPF_TEST_DIR/fuzz/seeds/NOUN; else the arguments are the inputs.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "user/lib/buf.h"
#include "user/lib/guard.h"
#include "user/lib/mem.h"

#define SECONDS	  10 /* for one input, on a busy machine and under sanitizers */
#define INPUT_MAX (1u << 20)

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The name is printed before: should it be the last line, it was that one. */
static void run(const char *path)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");
	_cleanup_free_ u8 *bytes = xmalloc(INPUT_MAX);
	size_t size;

	printf("# %s\n", path);
	FUZZ_ASSERT(f);
	size = fread(bytes, 1, INPUT_MAX, f);
	alarm(SECONDS);
	/* A copy of its own size, for the sanitizers. */
	bytes = xreallocarray(bytes, size ? size : 1, 1);
	LLVMFuzzerTestOneInput(bytes, size);
	alarm(0);
}

static size_t run_folder(const char *folder)
{
	struct dirent **entry = NULL;
	int n = scandir(folder, &entry, NULL, by_name);
	size_t inputs = 0;

	for (int i = 0; i < n; i++) {
		_cleanup_free_ char *path =
			xasprintf("%s/%s", folder, entry[i]->d_name);

		if (entry[i]->d_name[0] != '.') {
			run(path);
			inputs++;
		}
		free(entry[i]);
	}
	free(entry);
	return inputs;
}

static size_t run_corpus(const char *noun)
{
	const char *built = getenv("JPBPF_TEST_DIR");
	_cleanup_free_ char *kept = xasprintf("tests/fuzz/corpus/%s", noun);
	_cleanup_free_ char *seeds =
		xasprintf("%s/fuzz/seeds/%s", built ? built : ".", noun);

	return run_folder(kept) + run_folder(seeds);
}

int main(int argc, char **argv)
{
	const char *noun = strrchr(argv[0], '_');
	size_t inputs = 0;

	setvbuf(stdout, NULL, _IONBF, 0);
	noun = noun ? noun + 1 : argv[0];
	if (argc == 1)
		inputs = run_corpus(noun);
	for (int i = 1; i < argc; i++, inputs++)
		run(argv[i]);
	printf("%sok - %s: %zu inputs\n", inputs ? "" : "not ", noun, inputs);
	return inputs ? 0 : 1;
}
