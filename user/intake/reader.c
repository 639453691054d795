/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Each record is copied out of the ring once, and belongs to whoever has it then: the
 * queue, or the list of deferred samples.  reader_take() empties the rings once more
 * itself, so the session misses nothing when the thread has not run yet.
 *
 * A sample for which there is no memory is dropped and counted.  Notices, texts and
 * mappings are small and cannot be had again, so they may use more of the limit
 * (user/lib/heap.h).  When that is used up too, the ring is left as it is until the
 * queue is empty, and the kernel side counts the records for which the ring has no room.
 *
 * Mappings come by rings of their own, one per CPU; all other records come by the
 * engine's ring.  The session gets all records in the order of their times: a child
 * starts with what its parent had mapped at the fork, and a sample is walked by what
 * was mapped when it was taken.  The rings of mappings are read last, so every mapping
 * made before a sample or notice was written is given with it.  A mapping made after
 * the engine's ring was last found empty waits, because an earlier notice may still be
 * in that ring.
 */
#include "user/intake/reader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <jpbpf/sample.h>

#include "user/lib/clock.h"
#include "user/lib/heap.h"
#include "user/lib/log.h"
#include "user/lib/mem.h"
#include "user/kernel/engine.h"
#include "user/kernel/events.h"
#include "user/kernel/privilege.h"
#include "user/intake/record.h"
#include "user/intake/sequence.h"

#define LEAST	 ((size_t)1 << 18) /* bytes that the queue may hold anyhow */
#define OVERHEAD 64 /* bytes that a record takes besides its own */
#define MANY	 ((size_t)1 << 18) /* bytes that wake the session */
#define PAUSE_NS 2000000

struct reader {
	struct engine *engine;
	struct mapwatch *mapwatch;
	struct record_sink sink;
	pthread_t thread;
	bool runs;
	int epoll;   /* the thread waits on this: the rings and stop_fd */
	int stop_fd; /* tells the thread to end */
	int end_fd;  /* a timer: no sample is taken from then on */
	int wake_fd; /* the session waits on this */

	pthread_mutex_t lock; /* of the rings and what follows */
	pthread_cond_t taken;
	struct sequence filled;
	size_t bytes; /* in filled */
	size_t busy;  /* bytes that the session has not done with */
	size_t most;  /* of them, at the worst moment */
	u64 dropped, maps_lost;
	u64 dropped_as[WALK_STATUS_COUNT]; /* by walk status */
	u64 last;     /* ns: latest time of a record read */
	u64 complete; /* ns: all earlier records of the engine's ring are read */
	u64 mappings_read; /* ns: all earlier mappings are read */
	bool urgent;   /* filled holds a notice, deferred sample or mapping */
	bool woken;    /* wake_fd is set and the session has not come yet */
	bool was_full; /* some records may still be in the rings */
	bool stopped;

	/* The session's: records not given yet, the time up to which mappings can be
	 * given (ns), and the number of malformed records. */
	struct sequence given;
	u64 settled, malformed;
};

static bool has_room(const struct reader *r)
{
	return r->bytes <= LEAST || heap_fits(HEAP_PROCESSES, 0);
}

/* Takes the malloc'ed record. */
static void queue(struct reader *r, void *record, size_t len)
{
	sequence_add(&r->filled, record_time(record, len), record, len,
		     record_type(record, len) == RECORD_MAPPED);
	r->bytes += len + OVERHEAD;
}

static void put_copy(struct reader *r, const void *record, size_t len)
{
	queue(r, memcpy(xmalloc(len), record, len), len);
}

static void put_sample(struct reader *r, const struct sample *s, size_t len)
{
	if (r->bytes + r->busy + len <= LEAST || heap_fits(HEAP_SAMPLES, len))
		return put_copy(r, s, len);
	r->dropped++;
	if (len >= sizeof(*s) && s->type == RECORD_SAMPLE &&
	    s->status < WALK_STATUS_COUNT)
		r->dropped_as[s->status]++;
}

/* -ENOSPC: this record was the last that fits. */
static int put(void *ctx, const void *record, size_t len)
{
	u32 type = record_type(record, len);
	u64 time = record_time(record, len);
	struct reader *r = ctx;

	if (time > r->last)
		r->last = time;
	r->urgent |= type != RECORD_SAMPLE && type != RECORD_TEXT;
	if (type == RECORD_SAMPLE || type == RECORD_DEFERRED)
		put_sample(r, record, len);
	else /* no mapping comes from the engine's ring: length 0 is malformed */
		put_copy(r, record, type == RECORD_MAPPED ? 0 : len);
	if (has_room(r))
		return 0;
	r->complete = r->last;
	return -ENOSPC;
}

static void put_mapped(void *ctx, const struct mapwatch_event *e)
{
	const char *path = e->map.path ? e->map.path : "";
	size_t len = strlen(path) + 1;
	struct reader *r = ctx;
	struct record_mapped *m;

	if (!has_room(r)) {
		r->maps_lost++;
		return;
	}
	m = xmalloc(sizeof(*m) + len);
	m->type = RECORD_MAPPED;
	m->event = *e;
	memcpy(m->path, path, len);
	queue(r, m, sizeof(*m) + len);
	r->urgent = true;
}

static void read_mappings(struct reader *r)
{
	const struct mapwatch_event lost = { .time = r->mappings_read,
					     .lost = true };

	r->mappings_read = now_ns();
	if (mapwatch_read(r->mapwatch, put_mapped, r, &r->maps_lost))
		put_mapped(r, &lost);
}

/* The lock is held. */
static void empty_rings(struct reader *r)
{
	if (!has_room(r))
		return;
	engine_consume(r->engine, put, r);
	if (has_room(r))
		r->complete = now_ns();
	/* The mappings are read after the engine's ring: a process's mappings are then
	 * known whenever its end is. */
	if (r->mapwatch)
		read_mappings(r);
}

struct reader *reader_new(struct engine *e, struct mapwatch *m,
			  const struct record_sink *sink)
{
	struct reader *r = xcalloc(1, sizeof(*r));
	int err;

	r->engine = e;
	r->mapwatch = m;
	r->mappings_read = now_ns();
	r->sink = *sink;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->taken, NULL);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	r->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->end_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (r->epoll >= 0 && r->stop_fd >= 0 && r->wake_fd >= 0 &&
	    r->end_fd >= 0)
		return r;
	err = errno;
	reader_free(r);
	errno = err;
	return NULL;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	reader_stop(r);
	close_fd(r->epoll);
	close_fd(r->stop_fd);
	close_fd(r->wake_fd);
	close_fd(r->end_fd);
	sequence_release(&r->filled);
	sequence_release(&r->given);
	pthread_cond_destroy(&r->taken);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* The lock is held. */
static void wake_session(struct reader *r)
{
	if (r->woken || (!r->urgent && r->bytes < MANY))
		return;
	r->woken = true;
	eventfd_write(r->wake_fd, 1);
}

/* Returns false when the thread has to end. */
static bool empty_once(struct reader *r)
{
	bool is_empty, goes_on;

	pthread_mutex_lock(&r->lock);
	do {
		empty_rings(r);
		wake_session(r);
		/* Wake-ups are edge-triggered: there may be none for what a full queue
		 * left in the rings, so the loop goes on until the rings are empty. */
		is_empty = has_room(r);
		while (!r->stopped && !has_room(r))
			pthread_cond_wait(&r->taken, &r->lock);
	} while (!r->stopped && !is_empty);
	goes_on = !r->stopped;
	pthread_mutex_unlock(&r->lock);
	return goes_on;
}

void reader_end_at(struct reader *r, u64 time)
{
	const struct itimerspec at = {
		.it_value = { time / 1000000000, time % 1000000000 },
	};

	engine_sample_until(r->engine, time);
	timerfd_settime(r->end_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

static void *run(void *arg)
{
	/* The pause makes portions of a steady stream; the rings hold far more than one
	 * portion. */
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct reader *r = arg;
	struct epoll_event ev = { 0 };

	/* The thread reads data that targets influence. */
	privilege_keep(0);
	do {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		epoll_wait(r->epoll, &ev, 1, -1);
		/* The session may be at work for long.  The interrupts of a high
		 * frequency would slow that down. */
		if (ev.data.fd == r->end_fd)
			engine_stop(r->engine);
	} while (empty_once(r));
	return NULL;
}

static int watch(int epoll_fd, int fd, u32 how)
{
	struct epoll_event ev = { .events = EPOLLIN | how, .data.fd = fd };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

int reader_start(struct reader *r)
{
	sigset_t all, before;
	int err = watch(r->epoll, engine_poll_fd(r->engine), EPOLLET);

	if (!err)
		err = watch(r->epoll, r->stop_fd, 0);
	if (!err)
		err = watch(r->epoll, r->end_fd, EPOLLONESHOT);
	if (!err && r->mapwatch)
		err = watch(r->epoll, mapwatch_fd(r->mapwatch), EPOLLET);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!err)
		err = -pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	r->runs = !err;
	errno = -err;
	if (err)
		log_err("cannot start a thread that reads samples: %m");
	return err;
}

void reader_stop(struct reader *r)
{
	if (!r || !r->runs)
		return;
	pthread_mutex_lock(&r->lock);
	r->stopped = true;
	pthread_cond_signal(&r->taken);
	pthread_mutex_unlock(&r->lock);
	eventfd_write(r->stop_fd, 1);
	pthread_join(r->thread, NULL);
	r->runs = false;
}

int reader_fd(const struct reader *r)
{
	return r->wake_fd;
}

/* Hand the queue to the session.  Returns false when no record is there. */
static bool turn(struct reader *r)
{
	eventfd_t wakes;

	pthread_mutex_lock(&r->lock);
	/* Records put from now on wake the session again. */
	if (r->woken)
		eventfd_read(r->wake_fd, &wakes);
	r->woken = false;
	empty_rings(r);
	r->urgent = false;
	r->was_full = !has_room(r);
	sequence_move(&r->given, &r->filled);
	r->busy = r->bytes;
	if (r->busy > r->most)
		r->most = r->busy;
	r->bytes = 0;
	pthread_cond_signal(&r->taken);
	r->settled = r->complete;
	pthread_mutex_unlock(&r->lock);
	return r->given.n > 0;
}

static void give(void *ctx, void *record, size_t len)
{
	struct reader *r = ctx;

	r->malformed += !record_give(record, len, &r->sink);
}

bool reader_take(struct reader *r)
{
	bool is_all = false;

	while (!is_all && turn(r)) {
		is_all = !r->was_full;
		sequence_give(&r->given, r->settled, give, r);
		pthread_mutex_lock(&r->lock);
		r->busy = 0;
		pthread_mutex_unlock(&r->lock);
	}
	return !r->given.n;
}

void reader_count(struct reader *r, u64 status[WALK_STATUS_COUNT])
{
	pthread_mutex_lock(&r->lock);
	status[LOST_NO_MEMORY] += r->dropped;
	status[HOST_RECORDS] += r->malformed;
	for (size_t i = 0; i < WALK_STATUS_COUNT; i++)
		status[i] -= r->dropped_as[i];
	pthread_mutex_unlock(&r->lock);
}

size_t reader_most(const struct reader *r)
{
	return r->most;
}

u64 reader_maps_lost(struct reader *r)
{
	u64 lost;

	pthread_mutex_lock(&r->lock);
	lost = r->maps_lost;
	pthread_mutex_unlock(&r->lock);
	return lost;
}
