// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
//
// native_calls N: after a line of input, calls functions N times in several threads, in
// all ways that compilers know, and leaves them by returns, sibling calls, longjmp(),
// exceptions, and cancellation.  Prints of each how often it was entered, and left by a
// return, a sibling call, and a jump.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline, noipa))

struct Count {
	const char *name;
	long how[3]; // enum how
	Count *next;
	static Count *all;
	explicit Count(const char *text) : name(text), how(), next(all)
	{
		all = this;
	}
};
Count *Count::all;

enum how { RETURNS, TAILS, JUMPS };

#define COUNTED(f) static Count count_##f("app::" #f)
#define COUNT(f, way) \
	__atomic_fetch_add(&count_##f.how[way], 1, __ATOMIC_RELAXED)

COUNTED(leaf);
COUNTED(two);
COUNTED(forward);
COUNTED(pointer);
COUNTED(recursive);
COUNTED(chooses);
COUNTED(array);
COUNTED(rare);
COUNTED(jumps);
COUNTED(deep);
COUNTED(throws);
COUNTED(middle);
COUNTED(catches);
COUNTED(rethrows);
COUNTED(nested);
COUNTED(cancelled);

static volatile int sink;

namespace app
{

PLAIN int leaf(int x)
{
	COUNT(leaf, RETURNS);
	return sink = x;
}

PLAIN int two(int x)
{
	COUNT(two, RETURNS);
	if (x & 1)
		return sink = x;
	sink = leaf(x);
	return sink * 2;
}

PLAIN int forward(int x)
{
	sink = leaf(x);
	COUNT(forward, TAILS);
	return two(x);
}

PLAIN int pointer(int (*f)(int), int x)
{
	COUNT(pointer, TAILS);
	return f(x);
}

PLAIN int recursive(int n)
{
	int x = n > 1 ? recursive(n - 1) + recursive(n - 2) : n;

	COUNT(recursive, RETURNS);
	return sink = x;
}

PLAIN int chooses(int x)
{
	switch (x & 7) {
	case 0:
		COUNT(chooses, TAILS);
		return two(x);
	case 1:
		COUNT(chooses, RETURNS);
		return sink = 3;
	case 2:
		COUNT(chooses, RETURNS);
		return sink * 7;
	case 3:
		COUNT(chooses, TAILS);
		return forward(x);
	case 4:
		COUNT(chooses, RETURNS);
		return sink ^ 9;
	case 5:
		COUNT(chooses, TAILS);
		return leaf(x + 1);
	default:
		COUNT(chooses, RETURNS);
		return -sink;
	}
}

PLAIN int array(int n)
{
	char room[n + 1];

	COUNT(array, RETURNS);
	memset(room, n, n + 1);
	sink = room[n / 2];
	return leaf(sink) + room[0];
}

PLAIN int rare(int x)
{
	COUNT(rare, RETURNS);
	if (__builtin_expect(x % 100 == 0, 0)) {
		sink = leaf(x);
		if (sink == -1)
			abort();
		return sink + fflush(stdin);
	}
	return x * 3;
}

PLAIN void jumps(jmp_buf where, int x)
{
	COUNT(jumps, x & 1 ? JUMPS : RETURNS);
	if (x & 1)
		longjmp(where, 1);
	sink = x;
}

PLAIN void deep(jmp_buf where, int n, int x)
{
	COUNT(deep, x & 1 ? JUMPS : RETURNS);
	if (n)
		deep(where, n - 1, x);
	else
		jumps(where, x);
	sink = sink + 1;
}

struct Last {
	int x;
	~Last()
	{
		leaf(x);
		sink = x;
	}
};

PLAIN void throws(int x)
{
	COUNT(throws, x % 3 < 2 ? JUMPS : RETURNS);
	if (x % 3 == 0)
		throw std::runtime_error("x");
	if (x % 3 == 1)
		throw x;
	sink = x;
}

PLAIN void middle(int n, int x)
{
	COUNT(middle, x % 3 < 2 ? JUMPS : RETURNS);
	{
		Last last = { n };

		if (n)
			middle(n - 1, x);
		else
			throws(x);
	}
	sink = n;
}

PLAIN int catches(int n, int x)
{
	Last last = { n };

	COUNT(catches, RETURNS);
	try {
		middle(n, x);
	} catch (std::exception &e) {
		leaf(x);
		return sink = 2;
	} catch (int i) {
		return sink = two(i);
	}
	return sink;
}

PLAIN int rethrows(int n, int x)
{
	Last last = { n };

	COUNT(rethrows, x % 3 < 2 ? JUMPS : RETURNS);
	try {
		middle(n, x);
	} catch (...) {
		leaf(x);
		throw;
	}
	return sink;
}

PLAIN int nested(int n, int x)
{
	COUNT(nested, RETURNS);
	try {
		try {
			rethrows(n, x);
		} catch (int i) {
			catches(n, x);
			throw std::string("y");
		}
	} catch (std::runtime_error &e) {
		leaf(1);
	} catch (std::string &s) {
		leaf(2);
	}
	return sink;
}

PLAIN void cancelled(int n)
{
	Last last = { n };

	COUNT(cancelled, JUMPS);
	if (n)
		cancelled(n - 1);
	else
		pause();
	sink = 2;
}

} // namespace app

static void step(unsigned int r)
{
	int x = r >> 4, n = r >> 8 & 3;
	jmp_buf where;

	switch (r % 9) {
	case 0:
		app::forward(x);
		break;
	case 1:
		app::pointer(r & 16 ? app::leaf : app::two, x);
		break;
	case 2:
		app::recursive(n);
		break;
	case 3:
		app::chooses(x);
		break;
	case 4:
		app::array(x & 255);
		break;
	case 5:
		app::rare(x);
		break;
	case 6:
		if (!setjmp(where))
			app::deep(where, n, x);
		break;
	case 7:
		app::catches(n, x);
		break;
	default:
		app::nested(n, x);
	}
}

static void work(int n, unsigned int seed)
{
	for (int i = 0; i < n; i++)
		step(rand_r(&seed));
}

static void *wait(void *n)
{
	app::cancelled((int)(long)n);
	return nullptr;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	std::vector<std::thread> threads;

	getchar();
	for (int i = 0; i < 3; i++)
		threads.emplace_back(work, n, n + i);
	for (auto &t : threads)
		t.join();
	for (long i = 0; i < 4; i++) {
		pthread_t t;

		pthread_create(&t, nullptr, wait, (void *)i);
		while (__atomic_load_n(&count_cancelled.how[JUMPS],
				       __ATOMIC_RELAXED) <
		       (i + 1) * (i + 2) / 2)
			usleep(100);
		pthread_cancel(t);
		pthread_join(t, nullptr);
	}
	for (Count *c = Count::all; c; c = c->next)
		printf("%s %ld %ld %ld %ld\n", c->name,
		       c->how[0] + c->how[1] + c->how[2], c->how[0], c->how[1],
		       c->how[2]);
}
