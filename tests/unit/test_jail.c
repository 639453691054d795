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
#include <unistd.h>

#include "user/lib/buf.h"

enum {
	ECHO,
	LONG,
	CRASH,
	LOOP,
	FILL,
	EXECUTE,
	OPEN,
	CONNECT,
	FORK,
	KILL,
	LEFT
};

/* What a call says of itself: its error, or 0. */
static int refused(u64 what)
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

static void fill(struct buf *out)
{
	void *piece;
	u64 mib = 0;

	while (mib < 4096 && (piece = malloc(16 << 20))) {
		memset(piece, 1, 16 << 20);
		mib += 16;
	}
	buf_addf(out, "%llu", mib);
}

static void take(void *ctx, const struct jail_question *q, struct buf *out)
{
	const int *never = ctx;
	int fds = 0;

	switch (q->what) {
	case ECHO:
		buf_addf(out, "%llx", q->vaddr);
		break;
	case LONG:
		for (u64 i = 0; i < q->vaddr; i++)
			buf_addc(out, 'x');
		break;
	case CRASH:
		__builtin_trap();
		break;
	case LOOP:
		while (*(const volatile int *)never >= 0)
			;
		break;
	case FILL:
		fill(out);
		break;
	case LEFT:
		for (int fd = 0; fd < 1024; fd++)
			fds += lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
		buf_addf(out, "%d, got %d %d %d", fds,
			 lseek(q->files.file, 0, SEEK_END) > 0, q->files.debug,
			 lseek(q->files.alt[1], 0, SEEK_END) > 0);
		break;
	default:
		buf_addf(out, "%d", refused(q->what));
	}
	files_close((struct files *)&q->files);
}

static int kept = -1;

/* Only what never answers has to take its whole time. */
#define ANSWER_MS 60000
#define LOOP_MS	  300

static int ask(struct jail *j, u64 what, u64 vaddr, struct buf *out)
{
	const struct jail_question q = {
		.vaddr = vaddr,
		.what = what,
		.files = { .file = kept, .debug = -1, .alt = { -1, kept } },
	};

	return jail_ask(j, &q, what == LOOP ? LOOP_MS : ANSWER_MS, out);
}

static void start(struct jail *j)
{
	kept = fixture_open("native.so");
	assert_int_equal(jail_start(j, take, &kept), 0);
}

static void end(struct jail *j)
{
	jail_end(j);
	assert_int_equal(j->pid, 0);
	jail_end(j);
	close(kept);
}

static void test_answers(void **state)
{
	struct buf out = { 0 };
	struct jail j;

	(void)state;
	start(&j);
	for (u64 i = 0; i < 3; i++) {
		assert_int_equal(ask(&j, ECHO, 0xab + i, &out), 0);
		assert_int_equal(strtoul(buf_text(&out), NULL, 16), 0xab + i);
	}
	assert_int_equal(ask(&j, LONG, 0, &out), 0);
	assert_int_equal(out.len, 0);
	assert_int_equal(ask(&j, LONG, 2 * JAIL_ANSWER_MAX, &out), 0);
	assert_int_equal(out.len, JAIL_ANSWER_MAX);
	buf_release(&out);
	end(&j);
}

static void test_refused(void **state)
{
	struct buf out = { 0 };
	struct jail j;

	(void)state;
	start(&j);
	for (u64 what = EXECUTE; what <= KILL; what++) {
		assert_int_equal(ask(&j, what, 0, &out), 0);
		assert_int_equal(strtol(buf_text(&out), NULL, 10), EPERM);
	}
	assert_int_equal(ask(&j, LEFT, 0, &out), 0);
	assert_string_equal(buf_text(&out), "3, got 1 -1 1");
	buf_release(&out);
	end(&j);
}

static void test_ends(void **state)
{
	static const struct {
		int what, err;
	} cases[] = { { CRASH, -EPIPE }, { LOOP, -ETIME }, { FILL, 0 } };
	struct buf out = { 0 };
	struct jail j;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		start(&j);
		assert_int_equal(ask(&j, cases[i].what, 0, &out), cases[i].err);
		if (!cases[i].err)
			assert_in_range(strtol(buf_text(&out), NULL, 10), 512,
					1024);
		end(&j);
	}
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
