/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Does for this process what the session does for a target, with the same
 * libraries but plain memory for the maps: read the maps file, build the tables,
 * let the walker look at every file, publish the process.
 */
#include "self.h"
#include "text.h"

#include "bpf/walk.bpf.h"
#include "walkers/r/kernel/r.bpf.h"
#include "walkers/tcl/kernel/tcl.bpf.h"
#include "walkers/tcl/kernel/tcl_names.bpf.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compare.h"
#include "self_maps.h"
#include "user/lib/buf.h"
#include "user/lib/mem.h"
#include "user/target/maps.h"
#include "user/target/memory.h"
#include "user/elf/module.h"
#include "user/target/proc.h"
#include "user/unwind/arena.h"
#include "user/unwind/cfi.h"
#include "user/unwind/table.h"
#include "user/unwind/unwind.h"
#include "walkers/walker.h"

#define MAX_MAPS    1024
#define ARENA_BYTES (128ul << 20)

int on_sample(struct bpf_perf_event_data *ctx);

static struct {
	struct arena *arena;
	struct module *file[SELF_FILES]; /* index = file id; 0 stays free */
	struct unwind_mapping map[MAX_MAPS];
	u32 files_used, maps_used;
	struct maps maps;
	const struct walker *walker;
	u32 walker_id;
	u32 interpreter; /* file id, 0: none */
	u64 bias;
} self;

static struct mm_struct mm;

static struct module *open_vdso(const struct map *map)
{
	struct module *m = xcalloc(1, sizeof(*m));
	size_t len = map->end - map->start;
	void *bytes = xmalloc(len);

	if (memory_read(getpid(), map->start, bytes, len) ||
	    module_open_image(m, bytes, len, "[vdso]"))
		errx(1, "cannot read the vDSO");
	free(bytes);
	return m;
}

static struct module *open_file(const struct map *map)
{
	int fd = proc_open_map("/proc", getpid(), map);
	struct module *m = xcalloc(1, sizeof(*m));

	if (fd < 0 || module_open(m, fd, map->path))
		errx(1, "cannot open %s", map->path);
	return m;
}

/* Id of the file behind a mapping; opens it when it is new. */
static u32 file_of(const struct map *map, bool *is_new)
{
	struct module *m;
	u32 id;

	for (id = 1; id <= self.files_used; id++)
		if (!strcmp(self.file[id]->path, map->path))
			return id;
	if (id >= SELF_FILES)
		errx(1, "more files than expected");
	m = map->ino ? open_file(map) : open_vdso(map);
	m->id = id;
	self.file[id] = m;
	self.files_used = id;
	*is_new = true;
	return id;
}

static size_t probe(struct module *m, struct cfi_mark *out)
{
	struct walker_mark mark[WALKER_MAX_MARKS];
	const struct walker *w = self.walker;
	struct buf why = { 0 };
	size_t n = 0;
	int got;

	if (!w)
		return 0;
	got = w->file.probe(m, &m->walker[self.walker_id], &why);
	if (got < 0)
		errx(1, "%s: %s", m->path, buf_text(&why));
	buf_release(&why);
	if (!got)
		return 0;
	self.interpreter = m->id;
	if (w->file.marks)
		n = w->file.marks(m->walker[self.walker_id], mark,
				  WALKER_MAX_MARKS);
	for (size_t i = 0; i < n; i++)
		out[i] = (struct cfi_mark){ mark[i].start, mark[i].end,
					    UNWIND_MARK(self.walker_id,
							mark[i].index) };
	return n;
}

static void build_tables(struct module *m)
{
	struct cfi_mark mark[WALKER_MAX_MARKS];
	struct unwind_file file = { .rules = CUT_NO_TABLE };
	struct cfi_table table;
	u32 id = m->id;
	size_t marks = probe(m, mark);

	if (!cfi_build(&table, m, mark, marks)) {
		if (table_store(self.arena, &table, &file))
			errx(1, "arena too small");
		cfi_release(&table);
	}
	host_map_update(&files, &id, &file, BPF_ANY);
}

static void add_mapping(const struct map *map)
{
	bool is_new = false;
	u32 id;
	u64 vaddr;

	if (!map->executable || (!map->ino && strcmp(map->path, "[vdso]")))
		return;
	id = file_of(map, &is_new);
	if (is_new)
		build_tables(self.file[id]);
	if (self.maps_used >= MAX_MAPS ||
	    module_offset_to_vaddr(self.file[id], map->ino ? map->offset : 0,
				   &vaddr))
		errx(1, "cannot place %s", map->path);
	self.map[self.maps_used++] =
		(struct unwind_mapping){ map->start, map->end,
					 map->start - vaddr, id, 0 };
	if (id == self.interpreter)
		self.bias = map->start - vaddr;
}

/* What the walker knows of the file and of the process, into its maps. */
static void attach_walker(void)
{
	const struct walker *w = self.walker;
	u32 id = self.interpreter, pid = getpid();
	_Alignas(8) u8 value[16384] = { 0 };
	const struct module *m;
	struct buf why = { 0 };

	if (!w)
		return;
	if (!id)
		errx(1, "no module has %s", w->title);
	m = self.file[id];
	if (w->file.map) {
		w->file.value(m->walker[self.walker_id], value);
		host_map_update(host_map_named(w->file.map), &id, value,
				BPF_ANY);
	}
	memset(value, 0, sizeof(value));
	if (w->process.attach &&
	    w->process.attach(pid, m, self.bias, &self.maps,
			      m->walker[self.walker_id], value, &why) != 1)
		errx(1, "attach: %s", buf_text(&why));
	if (w->process.map)
		host_map_update(host_map_named(w->process.map), &pid, value,
				BPF_ANY);
	buf_release(&why);
}

static void publish(void)
{
	u32 pid = getpid(), chunks = (self.maps_used + 1) / 2, first;
	struct process_entry entry = {
		.serial = 1,
		.state = PROCESS_READY,
		.maps = self.maps_used,
		.walkers = self.walker ? 1u << self.walker_id : 0,
		/* What is cut stays cut; self_sample_late() is for the rest. */
		.strays = 1,
	};
	struct unwind_mapping *pair;

	if (arena_alloc(self.arena, chunks, &first))
		errx(1, "arena too small");
	for (u32 i = 0; i < self.maps_used; i++) {
		pair = arena_chunk(self.arena, first + i / 2);
		pair[i & 1] = self.map[i];
	}
	entry.maps_first = first;
	host_map_update(&processes, &pid, &entry, BPF_ANY);
}

void self_open(const struct walker *walker, u32 id)
{
	memset(&self, 0, sizeof(self));
	self.walker = walker;
	self.walker_id = id;
	self.arena = arena_new(-1, ARENA_BYTES);
	host_task_current.mm = &mm;
	self_maps_bind();
	host_map_bind_arena(&arena, self.arena);
	if (proc_maps("/proc", getpid(), &self.maps))
		errx(1, "cannot read /proc/self/maps");
	for (size_t i = 0; i < self.maps.n; i++)
		add_mapping(&self.maps.map[i]);
	attach_walker();
	publish();
	host_faults_set(NULL);
}

void self_close(void)
{
	for (u32 id = 1; id <= self.files_used; id++) {
		struct module *m = self.file[id];

		if (self.walker && m->walker[self.walker_id] &&
		    self.walker->file.forget)
			self.walker->file.forget(m->walker[self.walker_id]);
		module_close(m);
		free(m);
	}
	maps_release(&self.maps);
	arena_free(self.arena);
	host_map_release();
	host_records_release();
	memset(&self, 0, sizeof(self));
	for (int i = 0; i < SELF_WANTS; i++)
		self_want(i, false);
}

void self_want(enum self_wanted what, bool wanted)
{
	static const u32 bits[] = {
		[SELF_LEXICAL] = 1u << R_LEXICAL_OPTION,
		[SELF_PROMISES] = 1u << R_PROMISES_OPTION,
		[SELF_EXPR] = 1u << R_EXPR_OPTION,
	};
	u32 bit = bits[what];

	if (what == SELF_LINES)
		self_set(&config.lines, wanted);
	else
		self_set(&config.walker_options,
			 wanted ? config.walker_options | bit
				: config.walker_options & ~bit);
}

void self_set(const volatile u32 *setting, u32 value)
{
	volatile u32 *word = (volatile u32 *)setting;
	u64 size = sysconf(_SC_PAGESIZE);
	void *page = (void *)((u64)word & -size);

	/* To the program that uses it, it is a constant. */
	if (mprotect(page, size, PROT_READ | PROT_WRITE))
		err(1, "config");
	*word = value;
}

static struct sample *take(void *ctx)
{
	const struct sample *s;
	struct sample *out;
	size_t size;

	host_records_forget();
	on_sample(ctx);
	s = host_record_sample();
	if (!s)
		errx(1, "the sample was not kept");
	size = sizeof(*s) + s->words * 8ull;
	out = xmalloc(size);
	memcpy(out, s, size);
	return out;
}

static u32 find_rule(void *ctx, u64 address, struct unwind_rule *rule,
		     u64 *word)
{
	const struct unwind_mapping *m = self.map;
	const struct unwind_file *f;

	(void)ctx;
	*word = frame_value58(FRAME_UNMAPPED, address);
	for (u32 i = 0; i < self.maps_used; i++, m++) {
		if (address < m->start || address >= m->end)
			continue;
		*word = frame_native(m->file, address - m->bias);
		f = host_map_lookup(&files, &m->file);
		if (!f->chunks)
			return CUT_NO_TABLE;
		*rule = *table_find(self.arena, f, address - m->bias);
		return 0;
	}
	return CUT_NO_MAPPING;
}

static bool read_code(void *ctx, u64 address, u64 *out)
{
	struct unwind_rule rule;
	u64 word;

	if (find_rule(ctx, address, &rule, &word) == CUT_NO_MAPPING)
		return false;
	memcpy(out, (const void *)address, sizeof(*out));
	return true;
}

static void add_word(void *ctx, u64 word, const struct unwind_rule *rule,
		     u64 cfa)
{
	struct sample *s = ctx;

	(void)rule;
	(void)cfa;
	s->word[s->words++] = word;
}

/* Of a thread that is interrupted in user mode; the kernel keeps the same on its
 * stack.  Both have the layout of struct pt_regs. */
static struct bpf_perf_event_data interrupt(const struct perf_regs *regs)
{
	memcpy(&host_task_saved, regs, sizeof(host_task_saved));
	return (struct bpf_perf_event_data){ .regs = *regs };
}

struct sample *self_sample_deferred(const struct perf_regs *regs)
{
	struct bpf_perf_event_data ctx = interrupt(regs);
	struct unwind_env env = { find_rule, add_word, read_code, NULL };
	const struct sample *s;
	struct sample *out;

	host_records_forget();
	on_sample(&ctx);
	s = host_record_deferred();
	if (!s || host_record_sample())
		errx(1, "the sample was not kept for later");
	out = xcalloc(1, sizeof(*out) + WALK_WORDS * sizeof(u64));
	memcpy(out, s, sizeof(*s) + s->words * sizeof(u64));
	env.ctx = out;
	out->status = unwind_deferred((const void *)&s->word[s->words], &env);
	return out;
}

struct sample *self_sample_late(const struct perf_regs *regs)
{
	u32 pid = getpid();
	struct process_entry *p = host_map_lookup(&processes, &pid);
	struct sample *s;

	p->state = PROCESS_PENDING;
	s = self_sample_deferred(regs);
	p->state = PROCESS_READY;
	return s;
}

struct sample *self_sample_replaced(const struct perf_regs *regs,
				    bool in_kernel)
{
	static struct mm_struct other;
	struct sample *s;

	host_task_current.mm = &other;
	s = in_kernel ? self_sample_in_kernel(regs)
		      : self_sample_deferred(regs);
	host_task_current.mm = &mm;
	return s;
}

struct sample *self_sample(const struct perf_regs *regs)
{
	struct bpf_perf_event_data ctx = interrupt(regs);

	return compare_sample(take, &ctx);
}

void self_sample_lost(const struct perf_regs *regs)
{
	struct bpf_perf_event_data ctx = interrupt(regs);
	u64 lost = self_count(LOST_RING_FULL), root = self_count(WALK_ROOT);

	host_ring_full = true;
	on_sample(&ctx);
	host_ring_full = false;
	if (self_count(LOST_RING_FULL) != lost + 1)
		errx(1, "a lost sample was not counted");
	if (self_count(WALK_ROOT) != root)
		errx(1, "a lost sample was counted as a whole stack");
}

struct sample *self_sample_in_kernel(const struct perf_regs *regs)
{
	struct bpf_perf_event_data ctx = interrupt(regs);

	ctx.regs = (struct perf_regs){ .cs = 0x10 };
	return compare_sample(take, &ctx);
}

static const struct unwind_mapping *mapping_of(u64 address)
{
	for (u32 i = 0; i < self.maps_used; i++)
		if (address >= self.map[i].start && address < self.map[i].end)
			return &self.map[i];
	return NULL;
}

u64 self_word(const void *address)
{
	const struct unwind_mapping *m = mapping_of((u64)address);

	return m ? frame_native(m->file, (u64)address - m->bias) : 0;
}

const void *self_function(u64 word)
{
	struct module_function f;
	u32 id = frame_file(word);

	if (frame_kind(word) != FRAME_NATIVE || !id || id > self.files_used ||
	    module_function_at(self.file[id], frame_addr(word), &f))
		return NULL;
	for (u32 i = 0; i < self.maps_used; i++)
		if (self.map[i].file == id &&
		    mapping_of(f.start + self.map[i].bias) == &self.map[i])
			return (const void *)(f.start + self.map[i].bias);
	return NULL;
}

const struct module *self_interpreter(u64 *bias)
{
	*bias = self.bias;
	return self.file[self.interpreter];
}

const void *self_interpreter_data(void)
{
	return self.file[self.interpreter]->walker[self.walker_id];
}

/* Nobody's, and those of the slots. */
#define COUNTER(name)                                                       \
	({                                                                  \
		u64 sum_ = 0;                                               \
		for (u32 i_ = 0; i_ <= SELF_SLOTS; i_++)                    \
			sum_ += ((struct counters *)host_map_lookup(&stats, \
								    &i_))   \
					->name;                             \
		sum_;                                                       \
	})

u64 self_count(enum walk_status status)
{
	return COUNTER(status[status]);
}

u64 self_misses(void)
{
	return COUNTER(rule_misses);
}

u64 self_breaks(void)
{
	u64 sum = 0;

	for (u32 i = LOST_RING_FULL; i < WALK_STATUS_COUNT; i++)
		sum += self_count(i);
	return sum;
}

struct walk *self_walk(u32 slot)
{
	return host_map_lookup(&walks, &slot);
}

static void clear(const void *map, u32 entries, size_t size)
{
	for (u32 i = 0; i < entries; i++)
		memset(host_map_lookup(map, &i), 0, size);
}

void self_forget(void)
{
	for (u32 i = 0; i < SELF_SLOTS; i++) {
		struct walk *w = self_walk(i);

		memset(w->cache, 0, sizeof(w->cache));
		memset(w->place, 0, sizeof(w->place));
		memset(w->text_sent, 0, sizeof(w->text_sent));
	}
	clear(&tcl_names, SELF_SLOTS * TCL_NAME_SLOTS,
	      sizeof(*tcl_names.value));
	clear(&r_symbols, SELF_SLOTS * R_CACHE_SLOTS, sizeof(*r_symbols.value));
	clear(&r_closures, SELF_SLOTS * R_CACHE_SLOTS,
	      sizeof(*r_closures.value));
	host_map_empty(&r_bindings);
}

static const char *find_text(void *ctx, u64 id)
{
	(void)ctx;
	return host_record_text(id);
}

/* Read the words, and append their text if they say one of these. */
static bool read_if(const u64 *word, enum walker_says one,
		    enum walker_says other, struct buf *out)
{
	const struct walker_texts texts = { find_text, NULL };
	struct buf text = { 0 };
	enum walker_says says = text_read(self.walker, word, &texts, &text);
	bool is = says == one || says == other;

	if (is)
		buf_adds(out, buf_text(&text));
	buf_release(&text);
	return is;
}

bool self_note(const u64 *word, struct buf *out)
{
	return read_if(word, WALKER_PLACE, WALKER_ASIDE, out);
}

bool self_name(const u64 *word, struct buf *out)
{
	return read_if(word, WALKER_FRAME, WALKER_FRAME, out);
}
