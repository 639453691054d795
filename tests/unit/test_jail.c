/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What a reader in the jail can do (nothing but answer), and what becomes of one that
 * crashes, loops, or eats memory. */
#include "tests/unit/fixture.h"
#include "user/debuginfo/jail.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/lib/buf.h"
#include "user/lib/heap.h"

enum {
	ECHO,
	LONG,
	CRASH,
	LOOP,
	CLOSE,
	FILL,
	EXECUTE,
	OPEN,
	CONNECT,
	FORK,
	KILL,
	LEFT,
	SHARED,
};

/* What a call says of itself: its error, or 0. */
static int refused(int what)
{
	long got = 0;

	switch (what) {
	case OPEN:
		got = open("/etc/passwd", O_RDONLY);
		break;
	case CONNECT:
		got = socket(AF_UNIX, SOCK_STREAM, 0);
		break;
	case FORK:
		got = fork();
		break;
	case KILL:
		got = kill(getppid(), 0);
		break;
	case EXECUTE:
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			got = -1;
		break;
	}
	return got < 0 ? errno : 0;
}

static u64 fill(void)
{
	void *piece;
	u64 mib = 0;

	while (mib < 4096 && (piece = malloc(16 << 20))) {
		memset(piece, 1, 16 << 20);
		mib += 16;
	}
	return mib;
}

/* Descriptors that are open. */
static int left(void)
{
	int fds = 0;

	for (int fd = 0; fd < 1024; fd++)
		fds += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
	return fds;
}

struct task {
	int what;
	size_t n;
	int keep[3];
	volatile int *shared;
};

static void work(void *ctx, FILE *out)
{
	const struct task *t = ctx;

	switch (t->what) {
	case ECHO:
		fprintf(out, "%zu", t->n);
		break;
	case LONG:
		for (size_t i = 0; i < t->n; i++)
			fputc('x', out);
		break;
	case CRASH:
		fputs("before", out);
		fflush(out);
		__builtin_trap();
		break;
	case LOOP:
		fputs("before", out);
		fflush(out);
		while (*(const volatile int *)&t->what == LOOP)
			;
		break;
	case CLOSE:
		close(fileno(out));
		while (*(const volatile int *)&t->what == CLOSE)
			;
		break;
	case FILL:
		fprintf(out, "%llu", fill());
		break;
	case LEFT:
		fprintf(out, "%d, got %d %d", left(),
			lseek(t->keep[0], 0, SEEK_END) > 0,
			lseek(t->keep[2], 0, SEEK_END) > 0);
		break;
	case SHARED:
		*t->shared = 2;
		break;
	default:
		fprintf(out, "%d", refused(t->what));
	}
}

/* Only what never ends has to take its whole time. */
#define ANSWER_MS 60000
#define LOOP_MS	  300

static int run(struct task t, struct buf *out)
{
	int err, fd = fixture_open("native.so");

	t.keep[0] = t.keep[2] = fd;
	t.keep[1] = -1;
	buf_reset(out);
	err = jail_run(work, &t, t.keep, 3,
		       t.what == LOOP || t.what == CLOSE ? LOOP_MS : ANSWER_MS,
		       out);
	close(fd);
	return err;
}

static void test_answers(void **state)
{
	struct buf out = { 0 };

	(void)state;
	assert_int_equal(run((struct task){ .what = ECHO, .n = 17 }, &out), 0);
	assert_string_equal(buf_text(&out), "17");
	assert_int_equal(run((struct task){ .what = LONG }, &out), 0);
	assert_int_equal(out.len, 0);
	assert_int_equal(run((struct task){ .what = LONG, .n = 1 << 20 }, &out),
			 0);
	assert_int_equal(out.len, 1 << 20);
	assert_int_equal(
		run((struct task){ .what = LONG, .n = JAIL_OUTPUT_MAX + 1 },
		    &out),
		-EPIPE);
	assert_in_range(out.len, JAIL_OUTPUT_MAX - (1 << 20), JAIL_OUTPUT_MAX);
	buf_release(&out);
}

static void test_refused(void **state)
{
	struct buf out = { 0 };

	(void)state;
	for (int what = EXECUTE; what <= KILL; what++) {
		assert_int_equal(run((struct task){ .what = what }, &out), 0);
		assert_int_equal(strtol(buf_text(&out), NULL, 10), EPERM);
	}
	assert_int_equal(run((struct task){ .what = LEFT }, &out), 0);
	assert_string_equal(buf_text(&out), "2, got 1 1");
	buf_release(&out);
}

/* What was written until then counts. */
static void test_ends(void **state)
{
	static const struct {
		int what, err;
		const char *out;
	} cases[] = {
		{ CRASH, -EPIPE, "before" },
		{ LOOP, -ETIME, "before" },
		{ CLOSE, -EPIPE, "" },
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(
			run((struct task){ .what = cases[i].what }, &out),
			cases[i].err);
		assert_string_equal(buf_text(&out), cases[i].out);
	}
	assert_int_equal(run((struct task){ .what = FILL }, &out), 0);
	/* What it may have is as much again as the reserve. */
	assert_in_range(strtol(buf_text(&out), NULL, 10), 512,
			1024 + (HEAP_RESERVE >> 20));
	buf_release(&out);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* The kernel side's maps are such memory. */
static void test_shared(void **state)
{
	volatile int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct buf out = { 0 };

	(void)state;
	assert_true(shared != MAP_FAILED);
	*shared = 1;
	assert_int_equal(
		run((struct task){ .what = SHARED, .shared = shared }, &out),
		-EPIPE);
	assert_int_equal(*shared, 1);
	munmap((void *)shared, 4096);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
