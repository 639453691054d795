// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
// A word of C++ that throws out of two others: a guard leaves as the stack is unwound.
#include <jpbpf-interp.h>
#include <qprof.h>

#define NOINLINE __attribute__((noinline, noclone))

namespace {
const jpi_method outer = JPI_METHOD("outer", "cxx", "calc.cpp");
const jpi_method inner = JPI_METHOD("inner", "cxx", "calc.cpp");

class guard {
	jpi_mark mark;

public:
	explicit guard(const jpi_method &m) : mark(jpi_enter(&m, 0)) {}
	~guard() { jpi_leave(mark); }
};
}

extern "C" {
NOINLINE void spin(int n)
{
	for (volatile int i = 0; i < n; i = i + 1)
		;
}

NOINLINE void run_inner()
{
	guard g(inner);
	spin(20000);
	throw 1;
}

NOINLINE void run_outer()
{
	guard g(outer);
	try {
		run_inner();
	} catch (int) {
	}
	spin(20000);
}
}

int main()
{
	for (;;)
		run_outer();
}
