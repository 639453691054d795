/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * The interface of a walker's user side: what jpbpf must know about one interpreter.
 *
 * The knowledge has four levels:
 *
 *   file      probe() looks at an ELF file once, however many processes map it.  It
 *             finds whether the file contains the interpreter, the version and build,
 *             and the functions.  The answer is kept with the module.
 *   process   attach() proves the file's facts on one live process, and fills in what
 *             the kernel side needs for this process.
 *   frame     read() turns the words that the kernel side wrote into texts.
 *   language  facts about the interpreter that need no file.
 *
 * A NULL operation means "nothing to do" or "there is none".  No function here knows a
 * BPF map: the functions fill values, and jpbpf stores them in the maps named below.
 */
#ifndef JPBPF_WALKERS_WALKER_H
#define JPBPF_WALKERS_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jpbpf/call.h>
#include <jpbpf/types.h>
#include <jpbpf/walkers.h>

#include "user/lib/buf.h"
#include "user/lib/frame.h"

struct module;
struct fact;
struct maps;

/* An address range of a file whose frames the walker's kernel side wants to see.  The
 * kernel side gets index (0-13) with the frame. */
struct walker_mark {
	u64 start, end; /* vaddr */
	u8 index;
};

#define WALKER_MAX_MARKS 96

/* A place where errors are raised.  What the kernel side needs there (bpf/cause.bpf.h). */
struct walker_probe {
	u64 vaddr;
	u8 kind;
	u8 reg; /* whose value it gets, by DWARF's numbers */
	u32 param;
	u32 warnings; /* bits of param if warnings are wanted, too */
};

/* What a place is good for while chosen functions have watchpoints. */
enum walker_call_use {
	CALL_USE_EACH, /* each call comes here: not needed then */
	CALL_USE_ALWAYS,
	CALL_USE_MADE, /* where functions are made: needed only then */
	CALL_USE_WATCH, /* no uprobe: vaddr is behind an instruction that writes a word */
};

/* A place where calls begin or end.  place.walker, bias and file are set by who asks. */
struct walker_call {
	u64 vaddr;
	struct call_place place;
	enum walker_call_use use;
	/* CALL_USE_WATCH: of the word, its offset from a function's first key word, and its
	 * bytes. */
	u32 word, size;
};

/* The functions of a walker that are chosen in one process. */
struct walker_chosen {
	u64 key[CALL_WATCHES]; /* first key words of those that exist */
	size_t n;	       /* their number, which may be larger */
	u64 known;	       /* that were ever called */
	u64 calls;	       /* of all of these */
	const char *none; /* a pattern without one that exists; NULL: none is */
	const char *open; /* a pattern that is no whole name; NULL: none is */
};

/* find(): the text of a text id; NULL: it was never received. */
struct walker_texts {
	const char *(*find)(void *ctx, u64 id);
	void *ctx;
};

/* add(): keeps a copy of a text unless there is one with this id.  Returns false if
 * there is no room; the loss is counted. */
struct walker_keep {
	bool (*add)(void *ctx, u64 id, const char *text, size_t len);
	void *ctx;
};

/* One file, and its place in a process; for facts() and config(). */
struct walker_site {
	const struct module *m;
	const void *data; /* from probe(); NULL: probe() refused the file */
	const char *proc; /* root of the proc file system */
	pid_t pid;	  /* 0: no process; then bias and maps are not set */
	u64 bias;
	const struct maps *maps;
};

/* Operations on one file, independent of processes.  data is what probe() has set. */
struct walker_file_ops {
	/* Returns 1: the file has the interpreter, *data is set, forget() frees it; 0:
	 * it does not; -errno: it has one that cannot be walked.  Then why gets one
	 * line with the reason and what can be done. */
	int (*probe)(const struct module *m, void **data, struct buf *why);
	void (*forget)(void *data);
	/* Finds what source lines need besides.  Called only if lines are wanted,
	 * before marks() and value(). */
	void (*find_lines)(const struct module *m, void *data);
	size_t (*marks)(const void *data, struct walker_mark *mark, size_t max);

	/* Returns the number of places; 0: the code is not understood. */
	size_t (*probes)(const struct module *m, const void *data,
			 struct walker_probe *probe, size_t max);

	/* The places where calls begin and end, in the order in which they have to be
	 * attached.  Returns their number; 0: the code is not understood. */
	size_t (*calls)(const struct walker_site *site,
			struct walker_call *call, size_t max);

	bool watches; /* its functions can be watched: CALL_USE_WATCH */

	/* One line about the interpreter: "Tcl 8.6.13 (threaded, optimized)". */
	void (*describe)(const void *data, struct buf *out);
	/* Adds the facts for people to read: "version", "found_by", "layout"
	 * { "versions", "proven", "proof" }, then any others.  data is not NULL.
	 * Published keys are never removed. */
	void (*facts)(const struct walker_site *site, struct fact *out);
	/* Adds each key and value of the configuration embedded in the file, as texts,
	 * in the file's order.  data may be NULL, too, of a file that may only use the
	 * interpreter. */
	void (*config)(const struct walker_site *site, struct fact *out);

	/* Name of the kernel side's map with one value per file (key: file id), NULL:
	 * none; the value's size in bytes; the function that fills the value. */
	const char *map;
	size_t value_size;
	void (*value)(const void *data, void *value);

	/* Script names of the native function that starts at vaddr in this module (R's
	 * builtins by R_FunTab), joined by "|" if there are several; NULL: none. */
	const char *(*symbol)(const void *data, u64 vaddr);
	/* Whether a native frame at vaddr is part of the interpreter itself.  If the
	 * operation is NULL, every frame in the module is. */
	bool (*internal)(const void *data, u64 vaddr);
	/* The word that marks script frames which a native frame at vaddr may own, in a
	 * deferred sample where the kernel side did not see them; 0: none. */
	u64 (*hidden)(const void *data, u64 vaddr);
	/* Calls add for each function that a file other than the interpreter registers
	 * with it by name (the routines of an R package). */
	void (*registered)(const struct module *m,
			   void (*add)(void *ctx, u64 vaddr, const char *name),
			   void *ctx);
	/* Calls add for each function of the interpreter that the language calls by a
	 * name, and each name. */
	void (*commands)(const struct module *m, const void *data,
			 void (*add)(void *ctx, u64 vaddr, const char *name),
			 void *ctx);
};

/* Operations on one process. */
struct walker_process_ops {
	/* Returns 1: proven, value is filled; 0: the interpreter is not initialised
	 * yet, call again; -EAGAIN: like 0, and the file's data must not be used before
	 * the proof; -ENODATA: like 0, and worth a message if it lasts; -ENOTSUP: the
	 * process has another interpreter than the file says; other -errno: not
	 * proven. */
	int (*attach)(pid_t pid, const struct module *m, u64 bias,
		      const struct maps *maps, void *data, void *value,
		      struct buf *why);
	bool adds; /* attach() is called for each file, and adds to value */
	/* Keeps texts about the process for read(); their ids go into value.  Called
	 * only if source lines are wanted, after attach() has returned 1. */
	void (*texts)(const char *proc, pid_t pid, void *value,
		      const struct walker_keep *keep);
	/* Name of the kernel side's map with one value per process (key: pid), NULL:
	 * none; the value's size in bytes. */
	const char *map;
	size_t value_size;

	/* Statuses (enum walk_status) for deferred samples: a mark of hidden(); a frame
	 * that belongs to no native frame; a sample of which no frame was placed. */
	u32 not_ready, unplaced, elsewhere;
};

/* Meaning of the words that the kernel side wrote, and the fields of struct walker_text
 * that are set. */
enum walker_says {
	WALKER_FRAME,  /* a frame: name, space, flags, entry */
	WALKER_SILENT, /* a frame that is not shown: entry */
	/* No frame, but the place where the walker's next frame outward is running:
	 * file, line; or the expression that it evaluates: name; or nothing if not
	 * known. */
	WALKER_PLACE,
	/* No frame, but the name by which the native function of the preceding word was
	 * called: name.  It is the function's own name if symbol() has it too. */
	WALKER_CALLED,
	/* No frame: the walker's next frame outward is not among the lexical callers of
	 * the innermost. */
	WALKER_ASIDE,
};

struct walker_text {
	struct buf name, file;
	const char *space; /* package or namespace, not owned; NULL: none */
	u32 line;
	u16 flags; /* enum frame_flag */
	/* Native word of the C function that implements the frame's command; 0:
	 * none. */
	u64 entry;
};

/* Facts that need no file.  Lists of names end in NULL. */
struct walker_language {
	const char *const *commands; /* commands that start the interpreter */
	/* For commands that are scripts: calls add with the path of each program that
	 * they lead to on this host.  A hint only. */
	void (*programs)(void (*add)(void *ctx, const char *path), void *ctx);
	/* Functions of the interpreter's main loops, and other functions that its
	 * shells call.  A program that imports a main loop and no functions besides
	 * these is a shell, so all its code is the interpreter's. */
	const char *const *main_loops, *const *shell_calls;
	/* Names given by symbol() that get no frame, joined by "|", or NULL. */
	const char *glue;
	/* Name of the kernel side's map of texts that it looks for (key: text id;
	 * value: u32, enum text_from), NULL: none; the map may be missing.  keys() fills in at most
	 * max ids and returns their number; it is called once. */
	const char *map;
	size_t (*keys)(u64 *key, size_t max);
};

struct walker {
	const char *name;  /* "tcl": folder, map prefix */
	const char *title; /* "Tcl": for people */
	struct walker_file_ops file;
	struct walker_process_ops process;
	/* Reads the words at word[0], a header whose kind is FRAME_WALKER + id.  out is
	 * empty before. */
	enum walker_says (*read)(const u64 *word,
				 const struct walker_texts *texts,
				 struct walker_text *out);
	struct walker_language language;
};

/* The table made from walkers.def, in the order of enum walker_id. */
extern const struct walker *const walkers[WALKER_COUNT];

/* Whether one of the options (bit per enum walker_option_id) has the effect. */
static inline bool walker_options_have(u32 options, enum walker_effect effect)
{
#define WALKER_OPTION(id, name, does, help)                 \
	if (options >> id##_OPTION & 1 && (does) == effect) \
		return true;
#include "walkers/walkers.def"
	return false;
}

/* The options that a view can still choose when all is recorded: all but those that say
 * where. */
static inline u32 walker_options_of_views(void)
{
	u32 options = 0;

#define WALKER_OPTION(id, name, does, help) \
	if ((does) != WALKER_SAYS_WHERE)    \
		options |= 1u << id##_OPTION;
#include "walkers/walkers.def"
	return options;
}

#endif
