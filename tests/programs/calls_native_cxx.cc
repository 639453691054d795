// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Calls that exceptions leave.  Each function counts itself: how often it began, and how it
 * ended, which it knows before it does.  Begins when a line can be read.  In the end writes a
 * line for each function: name, begun, and how often it ended by each way, with tabs between.
 *
 *   calls_native_cxx SEED ROUNDS FILE
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

#define NOINLINE __attribute__((noinline, noclone))

struct counts {
	unsigned long enter, returned, jumped;
};

static std::map<std::string, counts> count;
static unsigned seed;

static unsigned any(unsigned n)
{
	seed = seed * 1103515245u + 12345;
	return (seed >> 16) % n;
}

/* Destructors run while an exception passes. */
struct guarded {
	NOINLINE ~guarded();
};

guarded::~guarded()
{
	count["guarded::~guarded"].enter++;
	count["guarded::~guarded"].returned++;
}

static NOINLINE int throws(int how)
{
	count["throws"].enter++;
	if (how == 1) {
		count["throws"].jumped++;
		throw std::runtime_error("how");
	}
	if (how == 2) {
		count["throws"].jumped++;
		throw how;
	}
	count["throws"].returned++;
	return how;
}

static NOINLINE int passes(int n, int how)
{
	guarded here;

	count["passes"].enter++;
	if (how)
		count["passes"].jumped++;
	n = n ? passes(n - 1, how) : throws(how);
	count["passes"].returned++;
	if (how)
		abort();
	return n + 1;
}

/* Handles one kind, and lets the other pass. */
static NOINLINE int handles(int n, int how)
{
	count["handles"].enter++;
	if (how == 2)
		count["handles"].jumped++;
	try {
		n = passes(n, how);
	} catch (const std::runtime_error &) {
		n = 0;
	}
	count["handles"].returned++;
	return n;
}

static NOINLINE int throws_again(int n, int how)
{
	count["throws_again"].enter++;
	if (how)
		count["throws_again"].jumped++;
	try {
		n = passes(n, how);
	} catch (...) {
		throws(0);
		throw;
	}
	count["throws_again"].returned++;
	return n;
}

static NOINLINE void outermost(int which, int n, int how)
{
	count["outermost"].enter++;
	try {
		which ? handles(n, how) : throws_again(n, how);
	} catch (...) {
		throws(0);
	}
	count["outermost"].returned++;
}

int main(int argc, char **argv)
{
	char line[8];
	FILE *out;

	if (argc != 4)
		return 2;
	seed = strtoul(argv[1], nullptr, 10);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (long i = strtol(argv[2], nullptr, 10); i > 0; i--)
		outermost(any(2), any(4), any(3));
	out = fopen(argv[3], "w");
	for (auto &c : count)
		fprintf(out, "%s\t%lu\t%lu\t0\t0\t0\t0\t0\t%lu\n",
			c.first.c_str(), c.second.enter, c.second.returned,
			c.second.jumped);
	return fclose(out) != 0;
}
