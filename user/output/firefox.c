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
 * profile says so as what it was imported from.
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

/* Tables that are written, and texts: of the profile, and of JSON. */
enum {
	KINDS,
	SOURCES,
	LIBS,
	FUNCS,
	FRAMES,
	STACKS,
	MARKERS,
	EMPTY,
	STRINGS,
	VALUES,
	TABLES
};

struct firefox {
	struct profile *profile;
	struct samples samples;
	struct intern *table[TABLES]; /* rows of u32; STRINGS, VALUES: texts */
	u32 *stack;		      /* rows of the profile's stacks */
	bool timed;
	u64 origin; /* ns: what times are counted from */
	struct output out;
};

static u32 string(struct firefox *w, const char *text)
{
	_cleanup_buf_ struct buf escaped = { 0 };

	escape_text(text, ESCAPE_TEXT, &escaped);
	return intern_text(w->table[STRINGS], buf_text(&escaped));
}

/* The number of the row that has these columns. */
static u32 row(struct firefox *w, int table, const u32 *column, size_t len)
{
	return intern_id(w->table[table],
			 &(struct intern_key){ column, len, NULL, 0 }, true);
}

#define ROW(w, table, ...)                          \
	row(w, table, (const u32[]){ __VA_ARGS__ }, \
	    sizeof((const u32[]){ __VA_ARGS__ }))

static u32 lib_of(struct firefox *w, const struct frame *f)
{
	bool kernel = f->type == FRAME_IS_KERNEL;
	u32 part[3];

	if (!kernel && !f->module)
		return NONE;
	for (int i = PROFILE_NAME; i <= PROFILE_PATH; i++)
		part[i] = string(
			w, kernel && i != PROFILE_BUILD_ID
				   ? "[kernel.kallsyms]"
				   : profile_module(w->profile, f->module, i));
	return row(w, LIBS, part, sizeof(part));
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

	return ROW(w, KINDS, string(w, text_kind_name(f)),
		   string(w, other ? "purple" : color[f->type]));
}

/* Frames have the rows of their ids + 1: the id tells them apart, too. */
static void add_frame(struct firefox *w, u32 id)
{
	const struct frame *f = profile_frame(w->profile, id);
	u32 file = string(w, profile_text(w->profile, f->file));
	_cleanup_buf_ struct buf name = { 0 };
	u32 func;

	text_function(w->profile, f, &name);
	func = ROW(w, FUNCS, intern_text(w->table[STRINGS], buf_text(&name)),
		   lib_of(w, f), f->file ? ROW(w, SOURCES, file) : NONE);
	ROW(w, FRAMES, func, kind_of(w, f), f->line ? f->line : NONE,
	    f->address && f->address < NONE ? f->address : NONE, id);
}

static double ms(const struct firefox *w, u64 time)
{
	return (s64)(time - w->origin) / MS;
}

static u32 number(struct firefox *w, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15g", value);
	return intern_text(w->table[VALUES], text);
}

/* Marks last until the next; losses have no end. */
static void add_markers(struct firefox *w, const struct profile_notes *notes,
			const char *name)
{
	bool marks = notes == &w->profile->marks;

	for (size_t i = 0; i < notes->n; i++) {
		const struct profile_note *n = &notes->at[i];
		u64 end = i + 1 < notes->n ? n[1].time : w->profile->end;
		bool lasts = marks && end > n->time;
		_cleanup_buf_ struct buf data = { 0 };

		buf_adds(&data, "{\"type\":\"note\",\"text\":");
		escape_json(profile_text(w->profile, n->text), &data);
		json_number(&data, "count", n->count);
		buf_addc(&data, '}');
		ROW(w, MARKERS, string(w, name), number(w, ms(w, n->time)),
		    lasts ? number(w, ms(w, end)) : NONE, lasts,
		    intern_text(w->table[VALUES], data.data), i);
	}
}

/* The first frame stands for those of a stack without any, whose samples would not count
 * else; its kind is the grey one that must be there. */
static void make_rows(struct firefox *w)
{
	const struct frame none = { .type = FRAME_IS_MARKER };
	u32 stacks = intern_count(w->profile->stacks);

	w->stack = xcalloc(stacks + 1, sizeof(*w->stack));
	ROW(w, FRAMES, ROW(w, FUNCS, string(w, "[no frames]"), NONE, NONE),
	    kind_of(w, &none), NONE, NONE, NONE);
	for (u32 i = 0; i < intern_count(w->profile->frames); i++)
		add_frame(w, i);
	for (u32 i = 0; i < stacks; i++) {
		struct profile_stack s = profile_stack(w->profile, i);
		u32 at = s.depth ? NONE : ROW(w, STACKS, NONE, 0);

		for (size_t k = 0; k < s.depth; k++)
			at = ROW(w, STACKS, at, s.frame[k] + 1);
		w->stack[i] = at;
	}
	add_markers(w, &w->profile->marks, "mark");
	add_markers(w, &w->profile->losses, "lost");
}

/* Columns: "key?TEXT" is the row's next number, TEXT where that is NONE; "key$TEXT" is
 * the value of that number; "key=TEXT" is always TEXT; "key#" is the row's own number. */
static void put_table(struct firefox *w, const char *name, int table,
		      const char *columns)
{
	u32 n = intern_count(w->table[table]), field = 0;
	struct buf *out = &w->out.text;
	size_t len, key;

	buf_addf(out, "\"%s\":{\"length\":%u", name, n);
	for (const char *c = columns; *c; c += len + (c[len] == ' ')) {
		len = strcspn(c, " ");
		key = strcspn(c, "?$=#");
		buf_addf(out, ",\n\"%.*s\":[", (int)key, c);
		for (u32 i = 0; i < n; i++) {
			const u32 *of = intern_get(w->table[table], i, NULL);

			json_next(out);
			if (c[key] == '#')
				buf_addf(out, "%u", i);
			else if (c[key] == '=' || of[field] == NONE)
				buf_add(out, c + key + 1, len - key - 1);
			else if (c[key] == '$')
				buf_adds(out, intern_get(w->table[VALUES],
							 of[field], NULL));
			else
				buf_addf(out, "%u", of[field]);
		}
		buf_addc(out, ']');
		output_put(&w->out);
		field += !strchr("=#", c[key]);
	}
	buf_adds(out, "},\n");
}

static void put_string(struct firefox *w, const char *key, u32 id)
{
	json_key(&w->out.text, key);
	json_text(&w->out.text, intern_get(w->table[STRINGS], id, NULL));
}

static void put_shared(struct firefox *w)
{
	buf_adds(&w->out.text, "\"shared\":{\n");
	put_table(w, "sources", SOURCES,
		  "filename? id=null startLine=1 startColumn=1 "
		  "sourceMapURL=null");
	put_table(w, "resourceTable", LIBS, "name? lib# host=null type=1");
	put_table(w, "funcTable", FUNCS,
		  "name? resource?-1 source?null isJS=false "
		  "relevantForJS=false lineNumber=null columnNumber=null");
	put_table(w, "frameTable", FRAMES,
		  "func? category? line?null address?-1 subcategory=0 "
		  "inlineDepth=0 nativeSymbol=null innerWindowID=null "
		  "column=null");
	put_table(w, "stackTable", STACKS, "prefix?null frame?");
	put_table(w, "nativeSymbols", EMPTY,
		  "libIndex=0 address=0 name=0 functionSize=0");
	buf_adds(&w->out.text, "\"stringArray\":[");
	for (u32 i = 0; i < intern_count(w->table[STRINGS]); i++) {
		json_next(&w->out.text);
		json_text(&w->out.text, intern_get(w->table[STRINGS], i, NULL));
	}
	buf_adds(&w->out.text, "]},\n\"threads\":[");
}

static void put_kinds(struct firefox *w)
{
	for (u32 i = 0; i < intern_count(w->table[KINDS]); i++) {
		const u32 *kind = intern_get(w->table[KINDS], i, NULL);

		json_next(&w->out.text);
		buf_adds(&w->out.text, "{\"subcategories\":[\"Other\"]");
		put_string(w, "name", kind[0]);
		put_string(w, "color", kind[1]);
		buf_addc(&w->out.text, '}');
	}
}

static void put_libs(struct firefox *w)
{
	for (u32 i = 0; i < intern_count(w->table[LIBS]); i++) {
		const u32 *lib = intern_get(w->table[LIBS], i, NULL);

		json_next(&w->out.text);
		buf_adds(&w->out.text, "{\"arch\":\"\",\"breakpadId\":\"\"");
		put_string(w, "name", lib[PROFILE_NAME]);
		put_string(w, "debugName", lib[PROFILE_NAME]);
		put_string(w, "path", lib[PROFILE_PATH]);
		put_string(w, "debugPath", lib[PROFILE_PATH]);
		put_string(w, "codeId", lib[PROFILE_BUILD_ID]);
		buf_addc(&w->out.text, '}');
	}
}

/* What is always the same. */
static const char meta[] =
	",\"processType\":0,\"product\":\"jpbpf\",\"stackwalk\":1,\"version\":24,"
	"\"preprocessedProfileVersion\":61,\"symbolicated\":true,\"debug\":false,"
	"\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	"\"keepProfileThreadOrder\":true,\"sampleUnits\":{\"time\":\"ms\","
	"\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\"extensions\":{\"length\":0,"
	"\"baseURL\":[],\"id\":[],\"name\":[]},\"markerSchema\":[{\"name\":\"note\","
	"\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"chartLabel\":\"{marker.data.text}\",\"tableLabel\":\"{marker.data.text}\","
	"\"fields\":[{\"key\":\"text\",\"label\":\"Text\",\"format\":\"string\"},"
	"{\"key\":\"count\",\"label\":\"Number\",\"format\":\"integer\"}]}],\n"
	"\"categories\":[";

static void put_meta(struct firefox *w)
{
	const struct profile *p = w->profile;
	u64 interval = p->events ? p->event[0].interval : 0;

	buf_addf(&w->out.text,
		 "{\"meta\":{\"interval\":%.15g,\"startTime\":%.15g",
		 interval ? interval / MS : 1, p->start_real / MS);
	if (!w->timed)
		buf_adds(&w->out.text,
			 ",\"importedFrom\":\"stacks without times\"");
	else if (p->end > w->origin)
		buf_addf(&w->out.text,
			 ",\"profilingStartTime\":0,\"profilingEndTime\":%.15g",
			 ms(w, p->end));
	buf_adds(&w->out.text, meta);
	put_kinds(w);
	buf_adds(&w->out.text, "]},\n\"libs\":[");
	put_libs(w);
	buf_adds(&w->out.text,
		 "],\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\n");
}

static void put_samples(struct firefox *w, const struct samples_thread *t)
{
	u32 event = t->key.event;
	const char *unit =
		profile_text(w->profile, w->profile->event[event].unit);
	bool time = !strcmp(unit, "nanoseconds");
	size_t i;

	buf_addf(&w->out.text, "\"samples\":{\"length\":%zu,\"stack\":[", t->n);
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out.text, i ? ",%u" : "%u",
			 w->stack[t->at[i].stack]);
	buf_adds(&w->out.text, "],\n\"time\":[");
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out.text, i ? ",%.15g" : "%.15g",
			 w->timed ? ms(w, t->at[i].time) : (double)i);
	buf_adds(&w->out.text, "],\n\"weight\":[");
	for (i = 0; i < t->n; i++)
		buf_addf(&w->out.text, i ? ",%.15g" : "%.15g",
			 samples_value(w->profile, &t->at[i]) /
				 (time ? MS : 1));
	buf_addf(&w->out.text, "],\"weightType\":\"%s\"}}",
		 time			 ? "tracing-ms"
		 : strcmp(unit, "bytes") ? "samples"
					 : unit);
	output_put(&w->out);
}

static void put_thread(struct firefox *w, size_t i)
{
	const struct samples_thread *t = &w->samples.thread[i];
	const struct profile_task *task = profile_task(w->profile, t->key.task);
	_cleanup_buf_ struct buf name = { 0 };

	samples_name(w->profile, t, &name);
	buf_adds(&w->out.text, i ? ",\n{\"name\":" : "{\"name\":");
	json_text(&w->out.text, name.data);
	buf_addf(&w->out.text, ",\"pid\":\"%u\",\"tid\":%u,\"isMainThread\":%s",
		 task->pid, task->tid,
		 task->pid == task->tid && !t->key.event ? "true" : "false");
	buf_adds(&w->out.text, ",\"processName\":");
	escape_json(profile_text(w->profile,
				 task->program ? task->program : task->comm),
		    &w->out.text);
	buf_adds(&w->out.text,
		 ",\"processType\":\"default\","
		 "\"processStartupTime\":0,"
		 "\"processShutdownTime\":null,\"registerTime\":0,"
		 "\"unregisterTime\":null,\"pausedRanges\":[],\n");
	/* The first thread has them all. */
	put_table(w, "markers", i ? EMPTY : MARKERS,
		  "name? startTime$ endTime$null phase? category=0 data$");
	put_samples(w, t);
}

int firefox_write(struct profile *p, FILE *file)
{
	struct firefox w = { .profile = p, .out.file = file };

	w.timed = samples_fill(p);
	w.origin = p->start || !w.timed ? p->start : p->sample->time;
	samples_make(&w.samples, p);
	for (int i = 0; i < TABLES; i++)
		w.table[i] = intern_new();
	make_rows(&w);
	put_meta(&w);
	put_shared(&w);
	for (size_t i = 0; i < w.samples.n; i++)
		put_thread(&w, i);
	buf_adds(&w.out.text, "]}\n");
	for (int i = 0; i < TABLES; i++)
		intern_free(w.table[i]);
	samples_release(&w.samples);
	free(w.stack);
	return output_end(&w.out);
}
