/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The processed profile of the Firefox Profiler, version 61: one JSON object.
 *
 * All threads (samples.h) share tables of strings, source files, libraries, functions,
 * frames and stacks.  A table is an object of columns; its rows are numbers of rows in
 * other tables, and are told apart by them.  A frame has the line, its function the file,
 * so that functions stay one in the call tree.
 *
 * Kinds of frames are categories.  Times are milliseconds since the start; samples of CPU
 * time weigh milliseconds.  Marks are phases: each lasts until the next.  They and losses
 * are markers of the first thread.  Without times, samples stand a millisecond apart; the
 * information about the profile says so.
 */
#include <stdlib.h>
#include <string.h>

#include "user/lib/buf.h"
#include "user/lib/json.h"
#include "user/lib/mem.h"
#include "user/output/escape.h"
#include "user/output/format.h"
#include "user/output/samples.h"
#include "user/output/text.h"

#define NONE (~0u)
#define MS   1e6

/* Rows. */
struct kind {
	u32 name, color;
};

struct lib {
	u32 name, path, build_id;
};

struct func {
	u32 name, resource, source;
};

struct row {
	u32 func, kind, line, address;
};

struct stack {
	u32 prefix, frame;
};

struct firefox {
	struct profile *profile;
	struct samples samples;
	struct intern *strings, *kinds, *sources, *libs, *funcs, *frames,
		*stacks;
	u32 *frame, *stack; /* rows of the profile's frames and stacks */
	bool timed;
	u64 origin; /* ns: what times are counted from */
	struct buf out;
	FILE *stream;
	int err;
};

static void flush(struct firefox *w)
{
	if (!w->err)
		w->err = format_put(&w->out, w->stream);
	buf_reset(&w->out);
}

/* Shared: the row of these columns. */
#define ROW(table, ...)                                                      \
	intern_id(table,                                                     \
		  &(struct intern_key){ &(__VA_ARGS__), sizeof(__VA_ARGS__), \
					NULL, 0 },                           \
		  true)

static u32 string(struct firefox *w, const char *text)
{
	_cleanup_buf_ struct buf escaped = { 0 };

	escape_text(text, ESCAPE_TEXT, &escaped);
	return intern_text(w->strings, buf_text(&escaped));
}

static u32 lib_of(struct firefox *w, const struct frame *f)
{
	const struct profile *p = w->profile;
	struct lib lib = {
		string(w, profile_module(p, f->module, PROFILE_NAME)),
		string(w, profile_module(p, f->module, PROFILE_PATH)),
		string(w, profile_module(p, f->module, PROFILE_BUILD_ID)),
	};

	if (f->type == FRAME_IS_KERNEL)
		lib.name = lib.path = string(w, "[kernel.kallsyms]");
	else if (!f->module)
		return NONE;
	return ROW(w->libs, lib);
}

static u32 kind_of(struct firefox *w, const struct frame *f)
{
	static const char *const color[] = {
		[FRAME_IS_C] = "blue",	      [FRAME_IS_INLINED] = "lightblue",
		[FRAME_IS_JIT] = "magenta",   [FRAME_IS_INTERPRETER] = "yellow",
		[FRAME_IS_KERNEL] = "orange", [FRAME_IS_SCRIPT] = "green",
		[FRAME_IS_MARKER] = "grey",
	};
	bool other = f->type == FRAME_IS_SCRIPT && f->walker;

	return ROW(w->kinds,
		   (struct kind){
			   string(w, text_kind_name(f)),
			   string(w, other ? "purple" : color[f->type]),
		   });
}

static u32 frame_row(struct firefox *w, const struct frame *f)
{
	u32 file = string(w, profile_text(w->profile, f->file));
	struct func func = { .resource = lib_of(w, f) };
	_cleanup_buf_ struct buf name = { 0 };

	text_function(w->profile, f, &name);
	func.name = intern_text(w->strings, buf_text(&name));
	func.source = f->file ? ROW(w->sources, file) : NONE;
	return ROW(w->frames, (struct row){
				      .func = ROW(w->funcs, func),
				      .kind = kind_of(w, f),
				      .line = f->line ? f->line : NONE,
				      .address = f->address && f->address < NONE
							 ? f->address
							 : NONE,
			      });
}

/* The row of a stack, which is its innermost frame's. */
static u32 stack_row(struct firefox *w, u32 id)
{
	struct profile_stack s = profile_stack(w->profile, id);
	u32 row = NONE;

	for (size_t i = 0; i < s.depth; i++)
		row = ROW(w->stacks,
			  (struct stack){ row, w->frame[s.frame[i]] });
	/* Without one a sample would not count. */
	return s.depth ? row : ROW(w->stacks, (struct stack){ NONE, 0 });
}

/* All rows, so that the tables can be written first.  The first kind is of nothing, and
 * is the first frame's, which stands for all of a stack that has no frames. */
static void make_rows(struct firefox *w)
{
	u32 frames = intern_count(w->profile->frames);
	u32 stacks = intern_count(w->profile->stacks);
	struct func func = { string(w, "[no frames]"), NONE, NONE };

	w->frame = xcalloc(frames + 1, sizeof(*w->frame));
	w->stack = xcalloc(stacks + 1, sizeof(*w->stack));
	ROW(w->kinds, (struct kind){ string(w, "marker"), string(w, "grey") });
	ROW(w->frames, (struct row){ ROW(w->funcs, func), 0, NONE, NONE });
	string(w, "mark");
	string(w, "lost");
	for (u32 i = 0; i < frames; i++)
		w->frame[i] = frame_row(w, profile_frame(w->profile, i));
	for (u32 i = 0; i < stacks; i++)
		w->stack[i] = stack_row(w, i);
}

/* A column: a number of the row, its own number, or always the same text. */
#define OWN   (-1)
#define FIXED (-2)

struct column {
	const char *key;
	int at;
	const char *text; /* fixed, or for NONE */
};

static void put_table(struct firefox *w, const char *name,
		      const struct intern *table, const struct column *c)
{
	u32 n = intern_count(table);

	buf_addf(&w->out, "\"%s\":{\"length\":%u", name, n);
	for (; c->key; c++) {
		buf_addf(&w->out, ",\n\"%s\":[", c->key);
		for (u32 i = 0; i < n; i++) {
			const u32 *row = intern_get(table, i, NULL);

			buf_adds(&w->out, i ? "," : "");
			if (c->at == FIXED ||
			    (c->at >= 0 && row[c->at] == NONE))
				buf_adds(&w->out, c->text);
			else
				buf_addf(&w->out, "%u",
					 c->at == OWN ? i : row[c->at]);
		}
		buf_addc(&w->out, ']');
		flush(w);
	}
	buf_adds(&w->out, "},\n");
}

static void put_shared(struct firefox *w)
{
	static const struct column sources[] = {
		{ "id", FIXED, "null" },
		{ "filename", 0, NULL },
		{ "startLine", FIXED, "1" },
		{ "startColumn", FIXED, "1" },
		{ "sourceMapURL", FIXED, "null" },
		{ 0 },
	}, resources[] = {
		{ "name", 0, NULL },
		{ "lib", OWN, NULL },
		{ "host", FIXED, "null" },
		{ "type", FIXED, "1" },
		{ 0 },
	}, funcs[] = {
		{ "name", 0, NULL },
		{ "resource", 1, "-1" },
		{ "source", 2, "null" },
		{ "isJS", FIXED, "false" },
		{ "relevantForJS", FIXED, "false" },
		{ "lineNumber", FIXED, "null" },
		{ "columnNumber", FIXED, "null" },
		{ 0 },
	}, frames[] = {
		{ "func", 0, NULL },
		{ "category", 1, NULL },
		{ "line", 2, "null" },
		{ "address", 3, "-1" },
		{ "subcategory", FIXED, "0" },
		{ "inlineDepth", FIXED, "0" },
		{ "nativeSymbol", FIXED, "null" },
		{ "innerWindowID", FIXED, "null" },
		{ "column", FIXED, "null" },
		{ 0 },
	}, stacks[] = {
		{ "prefix", 0, "null" },
		{ "frame", 1, NULL },
		{ 0 },
	};

	buf_adds(&w->out, "\"shared\":{\n");
	put_table(w, "sources", w->sources, sources);
	put_table(w, "resourceTable", w->libs, resources);
	put_table(w, "funcTable", w->funcs, funcs);
	put_table(w, "frameTable", w->frames, frames);
	put_table(w, "stackTable", w->stacks, stacks);
	buf_adds(&w->out, "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],"
			  "\"address\":[],\"name\":[],"
			  "\"functionSize\":[]},\n\"stringArray\":[");
	for (u32 i = 0; i < intern_count(w->strings); i++) {
		buf_adds(&w->out, i ? ",\n" : "\n");
		json_text(&w->out, intern_get(w->strings, i, NULL));
	}
	buf_adds(&w->out, "]},\n");
}

static void put_extra(struct firefox *w, const char *label, const char *text)
{
	buf_addf(&w->out,
		 "%s{\"label\":\"%s\",\"format\":\"string\",\"value\":",
		 w->out.data[w->out.len - 1] == '[' ? "" : ",", label);
	escape_json(text, &w->out);
	buf_addc(&w->out, '}');
}

static void put_kinds(struct firefox *w)
{
	for (u32 i = 0; i < intern_count(w->kinds); i++) {
		const struct kind *k = intern_get(w->kinds, i, NULL);

		buf_addf(&w->out, "%s{\"name\":", i ? "," : "");
		json_text(&w->out, intern_get(w->strings, k->name, NULL));
		buf_addf(&w->out,
			 ",\"color\":\"%s\",\"subcategories\":[\"Other\"]}",
			 (char *)intern_get(w->strings, k->color, NULL));
	}
}

static void put_meta(struct firefox *w)
{
	static const char fixed[] =
		"\"processType\":0,\"product\":\"jpbpf\",\"stackwalk\":1,"
		"\"version\":24,\"preprocessedProfileVersion\":61,"
		"\"symbolicated\":true,\"debug\":false,"
		"\"usesOnlyOneStackType\":true,\"keepProfileThreadOrder\":true,"
		"\"sourceCodeIsNotOnSearchfox\":true,\"sampleUnits\":{"
		"\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},"
		"\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],"
		"\"name\":[]},\n\"markerSchema\":[";
	static const char schema[] =
		"{\"name\":\"%s\",\"display\":[\"marker-chart\",\"marker-table\","
		"\"timeline-overview\"],\"chartLabel\":\"{marker.data.text}\","
		"\"tableLabel\":\"{marker.data.text}\",\"fields\":["
		"{\"key\":\"text\",\"label\":\"%s\",\"format\":\"string\"},"
		"{\"key\":\"count\",\"label\":\"Number\",\"format\":\"integer\"}]}";
	const struct profile *p = w->profile;
	u64 interval = p->events ? p->event[0].interval : 0;

	buf_addf(&w->out, "{\"meta\":{\"interval\":%.15g,\"startTime\":%.15g,",
		 interval ? interval / MS : 1, p->start_real / MS);
	if (w->timed && p->end > w->origin)
		buf_addf(&w->out,
			 "\"profilingStartTime\":0,"
			 "\"profilingEndTime\":%.15g,",
			 (p->end - w->origin) / MS);
	buf_adds(&w->out, fixed);
	buf_addf(&w->out, schema, "mark", "Phase");
	buf_addc(&w->out, ',');
	buf_addf(&w->out, schema, "lost", "Reason");
	buf_adds(&w->out, "],\n\"categories\":[");
	put_kinds(w);
	buf_adds(&w->out, "],\n\"extra\":[{\"label\":\"Recording\","
			  "\"entries\":[");
	put_extra(w, "Host", profile_text(p, p->host));
	put_extra(w, "Kernel", profile_text(p, p->kernel));
	put_extra(w, "Options", profile_text(p, p->options));
	put_extra(w, "Times",
		  w->timed ? "of the samples"
			   : "not known: each stack is one sample");
	buf_adds(&w->out, "]}]},\n\"libs\":[");
}

static void put_libs(struct firefox *w)
{
	static const char *const key[] = { "name", "debugName", "path",
					   "debugPath", "codeId" };
	static const int field[] = { 0, 0, 1, 1, 2 };

	for (u32 i = 0; i < intern_count(w->libs); i++) {
		const u32 *lib = intern_get(w->libs, i, NULL);

		buf_addf(&w->out, "%s{\"arch\":\"\",\"breakpadId\":\"\"",
			 i ? "," : "");
		for (size_t k = 0; k < sizeof(key) / sizeof(*key); k++) {
			buf_addf(&w->out, ",\"%s\":", key[k]);
			json_text(&w->out,
				  intern_get(w->strings, lib[field[k]], NULL));
		}
		buf_addc(&w->out, '}');
	}
	buf_adds(&w->out, "],\"pages\":[],\"counters\":[],"
			  "\"profilerOverhead\":[],\n");
}

static double ms(const struct firefox *w, u64 time)
{
	return (s64)(time - w->origin) / MS;
}

static void put_samples(struct firefox *w, const struct samples_thread *t)
{
	const struct profile_event *e = &w->profile->event[t->key.event];
	const char *unit = profile_text(w->profile, e->unit);
	bool time = !strcmp(unit, "nanoseconds");
	size_t i;

	buf_addf(&w->out, "\"samples\":{\"length\":%zu,\"weightType\":\"%s\"",
		 t->n,
		 time			 ? "tracing-ms"
		 : strcmp(unit, "bytes") ? "samples"
					 : unit);
	buf_adds(&w->out, ",\n\"stack\":[");
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out, i ? ",%u" : "%u", w->stack[t->at[i].stack]);
	buf_adds(&w->out, "],\n\"time\":[");
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out, i ? ",%.15g" : "%.15g",
			 w->timed ? ms(w, t->at[i].time) : (double)i);
	buf_adds(&w->out, "],\n\"weight\":[");
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out, i ? ",%.15g" : "%.15g",
			 samples_value(w->profile, t->key.event, &t->at[i]) /
				 (time ? MS : 1));
	buf_adds(&w->out, "]},\n");
	flush(w);
}

enum { NAME, START, END, PHASE, CATEGORY, DATA, COLUMNS };

/* Marks last until the next; losses have no end. */
static void add_markers(struct firefox *w, const struct profile_notes *notes,
			const char *type, struct buf *column)
{
	bool phases = notes == &w->profile->marks;

	for (size_t i = 0; i < notes->n; i++) {
		const struct profile_note *n = &notes->at[i];
		u64 end = i + 1 < notes->n ? n[1].time : w->profile->end;
		bool lasts = phases && end > n->time;

		for (int c = 0; column->len && c < COLUMNS; c++)
			buf_addc(&column[c], ',');
		buf_addf(&column[NAME], "%u", string(w, type));
		buf_addf(&column[START], "%.15g", ms(w, n->time));
		buf_addf(&column[END], lasts ? "%.15g" : "null", ms(w, end));
		buf_adds(&column[PHASE], lasts ? "1" : "0");
		buf_addc(&column[CATEGORY], '0');
		buf_addf(&column[DATA], "{\"type\":\"%s\",\"text\":", type);
		escape_json(profile_text(w->profile, n->text), &column[DATA]);
		if (!phases)
			buf_addf(&column[DATA], ",\"count\":%llu", n->count);
		buf_addc(&column[DATA], '}');
	}
}

static void put_markers(struct firefox *w, bool has)
{
	static const char *const key[] = { "name",  "startTime", "endTime",
					   "phase", "category",	 "data" };
	const struct profile *p = w->profile;
	struct buf column[COLUMNS] = { 0 };

	if (has) {
		add_markers(w, &p->marks, "mark", column);
		add_markers(w, &p->losses, "lost", column);
	}
	buf_addf(&w->out, "\"markers\":{\"length\":%zu",
		 has ? p->marks.n + p->losses.n : 0);
	for (int c = 0; c < COLUMNS; c++) {
		buf_addf(&w->out, ",\"%s\":[%s]", key[c], buf_text(&column[c]));
		buf_release(&column[c]);
	}
	buf_addc(&w->out, '}');
}

static void put_thread(struct firefox *w, size_t i)
{
	const struct samples_thread *t = &w->samples.thread[i];
	const struct profile_task *task = profile_task(w->profile, t->key.task);
	_cleanup_buf_ struct buf name = { 0 };

	samples_name(w->profile, t, &name);
	buf_adds(&w->out, i ? ",\n{\"name\":" : "{\"name\":");
	json_text(&w->out, name.data);
	buf_addf(&w->out, ",\"pid\":\"%u\",\"tid\":%u,\"isMainThread\":%s",
		 task->pid, task->tid,
		 task->pid == task->tid && !t->key.event ? "true" : "false");
	buf_adds(&w->out, ",\"processName\":");
	escape_json(profile_text(w->profile,
				 task->program ? task->program : task->comm),
		    &w->out);
	buf_adds(&w->out, ",\"processType\":\"default\","
			  "\"processStartupTime\":0,"
			  "\"processShutdownTime\":null,\"registerTime\":0,"
			  "\"unregisterTime\":null,\"pausedRanges\":[],\n");
	put_samples(w, t);
	put_markers(w, !i);
	buf_addc(&w->out, '}');
}

static void release(struct firefox *w)
{
	struct intern *const table[] = { w->strings, w->kinds, w->sources,
					 w->libs,    w->funcs, w->frames,
					 w->stacks };

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		intern_free(table[i]);
	samples_release(&w->samples);
	buf_release(&w->out);
	free(w->frame);
	free(w->stack);
}

int firefox_write(struct profile *p, FILE *out)
{
	struct firefox w = {
		.profile = p,
		.timed = samples_fill(p),
		.stream = out,
		.strings = intern_new_texts(),
		.kinds = intern_new(),
		.sources = intern_new(),
		.libs = intern_new(),
		.funcs = intern_new(),
		.frames = intern_new(),
		.stacks = intern_new(),
	};

	w.origin = p->start || !w.timed ? p->start : p->sample->time;
	samples_make(&w.samples, p);
	make_rows(&w);
	put_meta(&w);
	put_libs(&w);
	put_shared(&w);
	buf_adds(&w.out, "\"threads\":[");
	for (size_t i = 0; i < w.samples.n; i++)
		put_thread(&w, i);
	buf_adds(&w.out, "]}\n");
	flush(&w);
	release(&w);
	return w.err;
}
