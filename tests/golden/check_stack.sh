# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# What tools/check-stack adds up: calls, a function handed to a helper, a section of
# its own; and that too much is refused.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program BYTES: the last function's array has that size.
program() {
	cat >"$work/p.c" <<-END
	#define INLINE_NOT __attribute__((noinline))
	static long (*const loop)(unsigned, void *, void *, unsigned long) =
		(void *)181;
	static long (*const read)(void *, unsigned, const void *) = (void *)112;
	INLINE_NOT int last(long n)
	{
		char text[$1];

		read(text, sizeof(text), (void *)n);
		return text[n & 7];
	}
	static INLINE_NOT int middle(long n)
	{
		long word[2];

		read(word, 16, (void *)n);
		return last(word[0]) + last(word[1]);
	}
	static int turn(unsigned i, void *context)
	{
		return middle(i + *(long *)context);
	}
	__attribute__((section("perf_event"))) int first(void *context)
	{
		long n = 1;

		return loop(8, turn, &n, 0);
	}
	END
	clang -target bpf -mcpu=v3 -O2 -c "$work/p.c" -o "$work/p.o" &&
		tools/check-stack "$work/p.o"
	echo "status $?"
}
program 416
program 424
