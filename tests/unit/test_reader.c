/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* An engine of the test's own: a ring of so many records of one length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <jpbpf/sample.h>

#include "user/lib/heap.h"
#include "user/kernel/engine.h"
#include "user/lib/clock.h"
#include "user/intake/reader.h"
#include "user/intake/record.h"

#define LEN   (200u << 10)
#define LIMIT (64u << 20) /* bytes that the heap may grow */

struct engine {
	int fd;
	_Alignas(8)
		u32 record[LEN /
			   4]; /* what each is; its number is the fourth word */
	size_t len;
	u32 n; /* in the ring */
	u32 written;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int engine_poll_fd(const struct engine *e)
{
	return e->fd;
}

void engine_consume(struct engine *e,
		    int (*fn)(void *ctx, const void *record, size_t len),
		    void *ctx)
{
	int err = 0;

	pthread_mutex_lock(&lock);
	while (e->n && err >= 0) {
		e->record[3] = e->written++;
		e->n--;
		err = fn(ctx, e->record, e->len);
	}
	if (!e->n)
		eventfd_read(e->fd, &(eventfd_t){ 0 });
	pthread_mutex_unlock(&lock);
}

/* When sampling was told to end, and whether it has. */
static u64 until;
static bool ended;

void engine_sample_until(struct engine *e, u64 time)
{
	(void)e;
	until = time;
}

void engine_stop(struct engine *e)
{
	pthread_mutex_lock(&lock);
	ended = true;
	pthread_mutex_unlock(&lock);
	(void)e;
}

static void engine_init(struct engine *e)
{
	memset(e, 0, sizeof(*e));
	e->fd = eventfd(0, EFD_NONBLOCK);
	assert_true(e->fd >= 0);
}

static void write_records(struct engine *e, u32 type, size_t len, u32 n)
{
	pthread_mutex_lock(&lock);
	e->record[0] = type;
	e->len = len;
	e->n = n;
	eventfd_write(e->fd, 1);
	pthread_mutex_unlock(&lock);
}

static u32 left_in(struct engine *e)
{
	u32 n;

	pthread_mutex_lock(&lock);
	n = e->n;
	pthread_mutex_unlock(&lock);
	return n;
}

static bool is_empty(struct engine *e)
{
	return !left_in(e);
}

struct seen {
	u32 n, kind[8], last;
	bool in_order;
};

static void see(struct seen *s, const void *record)
{
	u32 head[4];

	memcpy(head, record, sizeof(head));
	s->kind[head[0]]++;
	s->in_order &= !s->n++ || head[3] > s->last;
	s->last = head[3];
}

static void see_sample(void *ctx, const struct sample *s)
{
	see(ctx, s);
}

static void see_text(void *ctx, const struct text *t)
{
	see(ctx, t);
}

static void see_notice(void *ctx, const struct notice *n)
{
	see(ctx, n);
}

static struct reader *new_reader(struct engine *e, struct seen *s)
{
	const struct record_sink sink = { .sample = see_sample,
					  .text = see_text,
					  .notice = see_notice,
					  .ctx = s,
					  .processes = s,
					  .texts = s };

	return reader_new(e, NULL, &sink);
}

/* Samples that did not fit.  All were walked, and so they count no more. */
static u64 dropped(struct reader *r, u32 as)
{
	u64 status[WALK_STATUS_COUNT] = { 0 };

	status[as] = 1000;
	reader_count(r, status);
	assert_int_equal(status[as], 1000 - status[LOST_NO_MEMORY]);
	return status[LOST_NO_MEMORY];
}

static void gives_all_in_order(void **state)
{
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_non_null(r);
	/* With no thread. */
	write_records(&e, RECORD_SAMPLE, sizeof(struct sample), 1000);
	reader_take(r);
	assert_int_equal(s.kind[RECORD_SAMPLE], 1000);
	/* What the thread took before it was stopped is there still. */
	assert_int_equal(reader_start(r), 0);
	write_records(&e, RECORD_NOTICE, sizeof(struct notice), 1000);
	while (!is_empty(&e))
		sched_yield();
	assert_int_equal(s.kind[RECORD_NOTICE], 0);
	reader_stop(r);
	reader_take(r);
	assert_int_equal(s.kind[RECORD_NOTICE], 1000);
	assert_true(s.in_order);
	assert_int_equal(dropped(r, WALK_ROOT), 0);
	reader_free(r);
	close(e.fd);
}

/* What was never there, or never ran, can be stopped. */
static void stops_nothing(void **state)
{
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;

	(void)state;
	reader_stop(NULL);
	reader_free(NULL);
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_non_null(r);
	reader_stop(r);
	reader_free(r);
	close(e.fd);
}

static void wakes(void **state)
{
	struct seen s = { .in_order = true };
	struct epoll_event ev;
	int epoll = epoll_create1(0);
	struct engine e;
	struct reader *r;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, reader_fd(r),
				   &(struct epoll_event){ .events = EPOLLIN }),
			 0);
	assert_int_equal(reader_start(r), 0);
	for (u32 i = 1; i <= 100; i++) {
		write_records(&e, RECORD_NOTICE, sizeof(struct notice), 1);
		assert_int_equal(epoll_wait(epoll, &ev, 1, 10000), 1);
		reader_take(r);
		assert_int_equal(s.n, i);
	}
	/* And not without a reason. */
	assert_int_equal(epoll_wait(epoll, &ev, 1, 0), 0);
	reader_free(r);
	close(epoll);
	close(e.fd);
}

/* One sample wakes nobody; something else, or many of them, do. */
static void lets_samples_wait(void **state)
{
	static const struct {
		u32 type, len, n;
		int wakes;
	} row[] = { { RECORD_SAMPLE, 1000, 100, 0 },
		    { RECORD_TEXT, 100, 100, 0 },
		    { RECORD_NOTICE, sizeof(struct notice), 1, 1 },
		    { RECORD_TEXT, 100, 1, 0 },
		    { RECORD_SAMPLE, 1000, 1000, 1 } };
	struct seen s = { .in_order = true };
	int epoll = epoll_create1(0);
	struct epoll_event ev;
	struct engine e;
	struct reader *r;
	u32 n = 0;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, reader_fd(r),
				   &(struct epoll_event){ .events = EPOLLIN }),
			 0);
	assert_int_equal(reader_start(r), 0);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		print_message("# %u records of type %u\n", row[i].n,
			      row[i].type);
		write_records(&e, row[i].type, row[i].len, row[i].n);
		n += row[i].n;
		while (!is_empty(&e))
			sched_yield();
		assert_int_equal(
			epoll_wait(epoll, &ev, 1, row[i].wakes ? 10000 : 0),
			row[i].wakes);
		if (!row[i].wakes)
			continue;
		reader_take(r);
		assert_int_equal(s.n, n);
	}
	assert_true(s.in_order);
	reader_free(r);
	close(epoll);
	close(e.fd);
}

/* A record that makes no sense is counted, and given to nobody. */
static void counts_nonsense(void **state)
{
	u64 status[WALK_STATUS_COUNT] = { 0 };
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_int_equal(reader_start(r), 0);
	write_records(&e, RECORD_NOTICE, sizeof(struct notice) - 8, 3);
	while (!is_empty(&e))
		sched_yield();
	write_records(&e, RECORD_NOTICE, sizeof(struct notice), 2);
	while (!is_empty(&e))
		sched_yield();
	reader_take(r);
	assert_int_equal(s.n, 2);
	reader_count(r, status);
	assert_int_equal(status[HOST_RECORDS], 3);
	reader_free(r);
	close(e.fd);
}

/* What does not fit is counted, but only samples are dropped. */
static void is_bounded(void **state)
{
	const size_t limit = heap_used() + LIMIT;
	u32 n = 2 * LIMIT / LEN, fit;
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;

	(void)state;
	engine_init(&e);
	e.record[offsetof(struct sample, status) / 4] = CUT_DEPTH;
	heap_limit(limit);
	r = new_reader(&e, &s);
	assert_int_equal(reader_start(r), 0);
	write_records(&e, RECORD_SAMPLE, LEN, n);
	while (!is_empty(&e))
		sched_yield();
	write_records(&e, RECORD_NOTICE, sizeof(struct notice), 1000);
	while (!is_empty(&e))
		sched_yield();
	reader_take(r);
	print_message("# %u of %u samples fit\n", s.kind[RECORD_SAMPLE], n);
	fit = s.kind[RECORD_SAMPLE];
	assert_in_range(fit, LIMIT / LEN / 2, LIMIT / LEN);
	assert_int_equal(fit + dropped(r, CUT_DEPTH), n);
	assert_int_equal(s.kind[RECORD_NOTICE], 1000);
	assert_in_range(heap_most(), 0, limit / 16 * 14);
	/* There is room again. */
	write_records(&e, RECORD_SAMPLE, LEN, fit / 2);
	reader_take(r);
	assert_int_equal(s.kind[RECORD_SAMPLE], fit + fit / 2);
	assert_true(s.in_order);
	heap_limit(0);
	reader_free(r);
	close(e.fd);
}

/* More notices than there is room for: the ring keeps them, and none is lost. */
static void leaves_the_rest(void **state)
{
	const size_t limit = heap_used() + LIMIT;
	u32 n = 2 * LIMIT / LEN, left = 0;
	const struct timespec pause = { .tv_nsec = 50000000 };
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;

	(void)state;
	engine_init(&e);
	heap_limit(limit);
	r = new_reader(&e, &s);
	assert_int_equal(reader_start(r), 0);
	write_records(&e, RECORD_NOTICE, LEN, n);
	reader_take(r);
	assert_true(is_empty(&e));
	assert_int_equal(s.kind[RECORD_NOTICE], n);
	/* Stopped while it waits for room. */
	write_records(&e, RECORD_NOTICE, LEN, n);
	while (left_in(&e) == n || left_in(&e) != left) {
		left = left_in(&e);
		nanosleep(&pause, NULL);
	}
	assert_in_range(left, n / 2, n - n / 4);
	assert_in_range(heap_most(), 0, limit);
	reader_stop(r);
	reader_take(r);
	assert_int_equal(s.kind[RECORD_NOTICE], 2 * n);
	assert_true(s.in_order);
	heap_limit(0);
	reader_free(r);
	close(e.fd);
}

static volatile sig_atomic_t handled_by;

static void on_signal(int number)
{
	(void)number;
	handled_by = gettid();
}

static void takes_no_signals(void **state)
{
	struct seen s = { 0 };
	struct engine e;
	struct reader *r;
	sigset_t one, before;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	signal(SIGUSR1, on_signal);
	assert_int_equal(reader_start(r), 0);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, &before);
	kill(getpid(), SIGUSR1);
	write_records(&e, RECORD_TEXT, 32, 1);
	while (!is_empty(&e))
		sched_yield();
	assert_int_equal(handled_by, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(handled_by, gettid());
	reader_free(r);
	close(e.fd);
}

/* Sampling ends in time, whatever the session is doing. */
static void ends_sampling(void **state)
{
	struct seen s = { .in_order = true };
	struct engine e;
	struct reader *r;
	bool is_over = false;
	u64 start;

	(void)state;
	engine_init(&e);
	r = new_reader(&e, &s);
	assert_int_equal(reader_start(r), 0);
	ended = false;
	start = now_ns();
	reader_end_at(r, start + 200000000);
	assert_int_equal(until, start + 200000000);
	while (!is_over) {
		sched_yield();
		pthread_mutex_lock(&lock);
		is_over = ended;
		pthread_mutex_unlock(&lock);
	}
	assert_true(now_ns() >= until);
	reader_free(r);
	close(e.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_all_in_order),
		cmocka_unit_test(stops_nothing),
		cmocka_unit_test(wakes),
		cmocka_unit_test(lets_samples_wait),
		cmocka_unit_test(counts_nonsense),
		cmocka_unit_test(is_bounded),
		cmocka_unit_test(leaves_the_rest),
		cmocka_unit_test(takes_no_signals),
		cmocka_unit_test(ends_sampling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
